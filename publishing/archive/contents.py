"""Which tables an archive holds, and why the others are in none. A test finds the model that is in neither list."""

from django.apps import apps
from django.db.models import Model

EXPORTED = (
    "publishing.SiteSettings",
    "publishing.ContentVersion",
    "publishing.Item",
    "publishing.Revision",
    "publishing.ItemLink",
    "publishing.Address",
    "publishing.Correction",
    "publishing.Event",
    "publishing.TableEntry",
    "publishing.StoredFile",
    "episodes.Image",
    "episodes.MediaFile",
    "episodes.Show",
    "episodes.Guest",
    "episodes.ShowPerson",
    "episodes.GuestQuote",
    "episodes.Topic",
    "episodes.Episode",
    "episodes.EpisodeGuest",
    "episodes.EpisodeTopic",
    "episodes.EpisodeMedia",
    "episodes.FeedSource",
    "episodes.FeedEntry",
    "episodes.TranscriptBody",
    "episodes.Transcript",
    "episodes.CurrentTranscript",
    "quotes.Quote",
    "quotes.QuoteTopic",
    "quotes.RelatedQuote",
    "quotes.QuoteCheck",
    "quotes.QuoteWaiver",
)

ACCOUNTS = ("auth.Group", "auth.User")  # in part only: see accounts.py

# By model, or by app where none of its models is ours.
LEFT_OUT = {
    "publishing.Job": "What is to be done belongs to one machine and its worker; export once nothing waits.",
    "publishing.Heartbeat": "It says when a worker of this machine last lived.",
    "episodes.FeedRun": "What one read of a feed brought; the next read tells anew.",
    "quotes.Clip": "A clip is made from the media file and the quote; it is made again when somebody asks.",
    "auth.Permission": "Migrations make the permissions; groups name them.",
    "auth.Group_permissions": "Stands with the group.",
    "auth.User_groups": "Stands with the account.",
    "auth.User_user_permissions": "Rights beyond those of groups are given by hand on each site.",
    "admin": "Django's own log of the newsroom; ours is publishing.Event.",
    "contenttypes": "Migrations make them.",
    "sessions": "Whoever is logged in, is so on one site.",
    "account": "Addresses that were verified for logging in here.",
    "django_tasks_database": "Wake-up calls for one machine's worker.",
}


def exported_models() -> list[type[Model]]:
    return [apps.get_model(label) for label in EXPORTED]
