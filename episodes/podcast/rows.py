"""The small rows that a show or an episode tells podcast apps with."""

from django import forms
from django.db import models
from django.utils.translation import gettext_lazy

from publishing.fields import ItemField, RowForm

from ..models import Role
from .fields import COUNTRY, GEO, OSM, PatternField


class CastRow(RowForm):
    guest = ItemField("guest", label=gettext_lazy("Person"))
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices, initial=Role.HOST)
    unique = ("guest", "role")


class FundingRow(RowForm):
    url = forms.URLField(label=gettext_lazy("Address"), max_length=2000, assume_scheme="https")
    label = forms.CharField(label=gettext_lazy("What the button says"), max_length=128)
    unique = ("url",)


class LocationRow(RowForm):
    class Rel(models.TextChoices):
        SUBJECT = "subject", gettext_lazy("it is about this place")
        CREATOR = "creator", gettext_lazy("it is made there")

    name = forms.CharField(label=gettext_lazy("Place"), max_length=128)
    rel = forms.ChoiceField(label=gettext_lazy("What it is to us"), choices=Rel.choices, initial=Rel.SUBJECT)
    geo = PatternField(GEO, "geo:52.52,13.405", label=gettext_lazy("Coordinates"))
    osm = PatternField(OSM, "R62422", label=gettext_lazy("OpenStreetMap"))
    country = PatternField(COUNTRY, "DE", label=gettext_lazy("Country"))
    unique = ("name", "rel")


class SocialRow(RowForm):
    class Protocol(models.TextChoices):
        """Of the podcast namespace."""

        ACTIVITYPUB = "activitypub", "ActivityPub"
        ATPROTO = "atproto", "AT Protocol"
        NOSTR = "nostr", "Nostr"
        MATRIX = "matrix", "Matrix"
        HIVE = "hive", "Hive"
        LIGHTNING = "lightning", "Lightning"
        TWITTER = "twitter", "Twitter"

    protocol = forms.ChoiceField(label=gettext_lazy("Network"), choices=Protocol.choices, initial=Protocol.ACTIVITYPUB)
    uri = forms.URLField(
        label=gettext_lazy("Address of the post"),
        max_length=2000,
        assume_scheme="https",
        help_text=gettext_lazy("Apps show the answers to it as comments."),
    )
    account_id = forms.CharField(label=gettext_lazy("Account"), max_length=128, required=False)
    account_url = forms.URLField(
        label=gettext_lazy("Address of the account"), max_length=2000, required=False, assume_scheme="https"
    )
    unique = ("uri",)


class TxtRow(RowForm):
    text = forms.CharField(label=gettext_lazy("Text"), max_length=4_000)
    purpose = forms.CharField(
        label=gettext_lazy("Purpose"),
        max_length=128,
        required=False,
        help_text=gettext_lazy("verify, applepodcastsverify, release or ai-content, if it is one of these."),
    )
    unique = ("text", "purpose")


class SeasonRow(RowForm):
    number = forms.IntegerField(label=gettext_lazy("Season"), min_value=1, max_value=100_000)
    name = forms.CharField(label=gettext_lazy("Name"), max_length=128)
    unique = ("number",)
