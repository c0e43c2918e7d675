"""Taking sound and video from an editor: an upload, an address, or a YouTube link."""

from typing import cast

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.http import QueryDict
from django.utils.translation import gettext as _, gettext_lazy

from publishing.fields import RowForm

from .media import media_from_address, media_from_upload
from .models import MediaFile


class MediaInput(forms.HiddenInput):
    """The id of the media row, beside a line that says what it is."""

    template_name = "episodes/widgets/media.html"
    input_type = "hidden"

    @property
    def is_hidden(self):
        return False

    shown: MediaFile | None = None  # what the row of the form is about

    def get_context(self, name, value, attrs):
        return super().get_context(name, value, attrs) | {"media": self.shown}


class MediaIdField(forms.IntegerField):
    """The id of a media row; a difference shows what it is."""

    widget = MediaInput

    def display(self, stored: int | None, labels: dict[int, str]) -> str:
        media = MediaFile.objects.filter(pk=stored).first() if stored else None
        return str(media) if media else ""


class MediaRow(RowForm):
    """One file: what it is once stored, and two ways to bring it in."""

    media = MediaIdField(label=gettext_lazy("File"), required=False, max_value=10**18)  # type: ignore[assignment]  # no clash: the metaclass takes fields off the class

    unique = ("media",)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["media"].widget.shown = self.initial.get("shown")
        self.fields["address"] = forms.CharField(label=gettext_lazy("Address"), max_length=2000, required=False)
        self.fields["upload"] = forms.FileField(
            label=gettext_lazy("Upload"), required=False, widget=forms.FileInput(attrs={"accept": "audio/*,video/*"})
        )

    def clean(self):
        super().clean()
        cleaned = self.cleaned_data
        if cleaned.get("upload"):
            self._keep(media_from_upload(cleaned["upload"], by=self.uploader))
        elif cleaned.get("address") and not cleaned.get("media"):
            cleaned["media"] = self._from_address(cleaned["address"].strip())
        return cleaned

    @classmethod
    def enrich(cls, rows: list[dict]) -> list[dict]:
        held = MediaFile.objects.in_bulk([row["media"] for row in rows if row.get("media")])
        return [row | {"shown": held.get(row.get("media"))} for row in rows]

    @classmethod
    def check_together(cls, rows: list[forms.Form]) -> None:
        given = {row.cleaned_data["media"] for row in rows if row.cleaned_data.get("media")}
        held = MediaFile.objects.in_bulk(given)
        for row in rows:
            media = row.cleaned_data.get("media")
            row.fields["media"].widget.shown = held.get(media)
            if media and media not in held:
                message = _("That file is no longer here. Bring it in again.")
                row.add_error("media", ValidationError(message, code="gone"))

    def _keep(self, media: MediaFile) -> None:
        """Take the row of an upload; it comes back as a hidden id where another field is refused."""
        self.cleaned_data["media"] = media.pk
        sent = cast(QueryDict, self.data).copy()  # as sent, it cannot be changed
        sent[self.add_prefix("media")] = str(media.pk)
        self.data = sent
        self.fields["media"].widget.shown = media

    def _from_address(self, address: str) -> int | None:
        try:
            URLValidator(schemes=["http", "https"])(address)
        except ValidationError:
            self.add_error("address", _("“%(address)s” is no address. Begin with https://.") % {"address": address})
            return None
        return media_from_address(address).pk
