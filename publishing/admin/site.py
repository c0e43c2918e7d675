"""The site's settings: one row, one page."""

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.files.base import ContentFile
from django.db import transaction
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from ..acts import bump_version
from ..card_files import drawn, facts_of
from ..events import log
from ..fields import CardListField, RowForm
from ..images import read_image
from ..models import SiteSettings
from ..permissions import Actor
from ..stored_files import store
from ..text import clean_line

NAME_CHARS = 80


class FooterRow(RowForm):
    label = forms.CharField(label=_("Label"), max_length=60)
    url = forms.URLField(label=_("Address"), max_length=500, assume_scheme="https")


class SiteSettingsForm(forms.ModelForm):
    uploader: Actor = None  # set by the page
    seen_version = forms.IntegerField(widget=forms.HiddenInput())
    footer_links = CardListField(FooterRow, label=_("Footer links"), add_label=_("Add a link"), required=False)

    class Meta:
        model = SiteSettings
        exclude = ()  # noqa: DJ006 - every column is for the editor

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.initial["seen_version"] = self.instance.version

    def clean_seen_version(self):
        seen = self.cleaned_data["seen_version"]
        if seen != self.instance.version:
            message = _("Somebody saved the settings since you opened them. Open them again; what you typed is below.")
            raise forms.ValidationError(message, code="stale")
        return seen

    def clean_logo(self):
        return self._picture("logo")

    def clean_watermark_image(self):
        return self._picture("watermark_image")

    def _picture(self, name: str):
        """Encode an upload anew; a picture that is there already stays as it is."""
        given = self.cleaned_data.get(name)
        if not given or name not in self.changed_data:
            return given
        read = read_image(given)
        return store(ContentFile(read.data), "site", read.extension, by=self.uploader)


@admin.register(SiteSettings)
class SiteSettingsAdmin(admin.ModelAdmin):
    form = SiteSettingsForm

    class Media:
        css = {"all": ["css/newsroom.css"]}
        js = ["js/card-list.js", "js/live-preview.js"]

    def get_urls(self):
        card = self.admin_site.admin_view(self.card_png)
        return [path("card.png", card, name="publishing_sitesettings_card"), *super().get_urls()]

    def card_png(self, request):
        """Draw a card of sample words with the settings as saved, and with the name that is being typed."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        site = SiteSettings.current()
        site.name = clean_line(request.GET.get("name", ""))[:NAME_CHARS] or site.name
        facts = facts_of(
            site,
            label=gettext("The show"),
            quote=gettext("What somebody said stands here, in their own words, and as large as it fits."),
            name=gettext("Who said it"),
            line=gettext("Jan 1, 2026 · The title of the episode"),
        )
        return HttpResponse(drawn(facts), content_type="image/png")

    def get_form(self, request, obj=None, change=False, **kwargs):
        form = type("SiteSettingsForm", (SiteSettingsForm,), {"uploader": request.user})
        return super().get_form(request, obj, change, form=form, **kwargs)

    def has_add_permission(self, request):
        return False

    def has_delete_permission(self, request, obj=None):
        return False

    def get_object(self, request, object_id, from_field=None):
        """Lock the row while a form is saved, so that the look at its version is final."""
        if request.method == "POST":
            SiteSettings.objects.select_for_update().filter(pk=1).first()
        return super().get_object(request, object_id, from_field)

    def changelist_view(self, request, extra_context=None):
        """Go straight to the one row, made with its defaults at the first look."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        SiteSettings.objects.get_or_create(pk=1)
        return HttpResponseRedirect(reverse("admin:publishing_sitesettings_change", args=[1]))

    def save_model(self, request, obj, form, change):
        with transaction.atomic():
            obj.version += 1
            super().save_model(request, obj, form, change)
            log(request.user, "site.change", fields=form.changed_data)
            bump_version(timezone.now())
