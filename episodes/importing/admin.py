"""The admin page that imports a feed, with a look at what would be made."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods

from publishing.admin.importing import Preview, import_page
from publishing.fetch import FetchError
from publishing.fields import ItemField
from publishing.uploads import keep

from ..models import FeedSource, Show
from .parsed import FeedUnreadable
from .preview import preview
from .source import MOST_BYTES, FoundFeed, read_address, read_bytes


class FeedImportForm(forms.Form):
    address = forms.URLField(
        label=gettext_lazy("The feed's address"), required=False, max_length=2000, assume_scheme="https"
    )
    file = forms.FileField(label=gettext_lazy("Or a file"), required=False)
    feed_url = forms.URLField(
        label=gettext_lazy("Where the file came from"),
        required=False,
        max_length=2000,
        assume_scheme="https",
        help_text=gettext_lazy(
            "Relative links in it are read against this address, and a later import from there continues this one."
        ),
    )
    show = ItemField(
        "show",
        label=gettext_lazy("Into the show"),
        required=False,
        help_text=gettext_lazy("Empty: the show that the feed is known for, or a new one."),
    )
    publish = forms.BooleanField(
        label=gettext_lazy("Publish at once"),
        required=False,
        help_text=gettext_lazy(
            "The show, the people named and the episodes; not what was edited here. Otherwise all come as drafts."
        ),
    )
    owner_agrees = forms.BooleanField(
        label=gettext_lazy("The owner agrees"),
        required=False,
        help_text=gettext_lazy("Needed where a feed says that it is locked."),
    )

    def clean(self):
        super().clean()
        cleaned = self.cleaned_data
        if bool(cleaned.get("address")) == bool(cleaned.get("file")) and not self.errors:
            raise forms.ValidationError(_("Give an address or a file, one of them."), code="one_of_two")
        if cleaned.get("file") and cleaned["file"].size > MOST_BYTES:
            self.add_error("file", _("The file is larger than 20 MB, which no feed is."))
        return cleaned


@require_http_methods(["GET", "HEAD", "POST"])
def import_feed_page(request: HttpRequest) -> HttpResponse:
    return import_page(request, title=_("Import a feed"), form_class=FeedImportForm, job_kind="import-feed", look=look)


def look(form: forms.Form) -> Preview:
    """Read the feed and tell what an import would make; nothing is written but the waiting file."""
    asked = form.cleaned_data
    data = asked["file"].read() if asked["file"] else b""
    try:
        found = read_bytes(data, asked["feed_url"] or f"file:///{asked['file'].name}") if data else _read(asked)
    except (FetchError, FeedUnreadable) as refused:
        raise forms.ValidationError(str(refused), code="unreadable") from refused
    if found.feed is None:
        raise forms.ValidationError(_("The feed has not changed since it was last read."), code="not_modified")
    if found.feed.locked and not asked["owner_agrees"]:
        raise forms.ValidationError(
            _(
                "The feed says that it is locked: its owner wants nobody to import it unasked. Tick that the owner agrees."
            ),
            code="locked",
        )
    show = Show.objects.get(pk=asked["show"]) if asked["show"] else None
    source = FeedSource.objects.filter(address=found.address).select_related("show__item").first()
    if source and show and source.show_id != show.pk:
        raise forms.ValidationError(
            _("This feed already belongs to “%(show)s”.") % {"show": source.show}, code="other_show"
        )
    payload = {
        "address": found.address,
        "file": keep(data) if data else "",
        "show": show.pk if show else None,
        "publish": asked.get("publish", False),
    }
    return payload, {"preview": preview(found.feed, source), "publish": payload["publish"]}


def _read(asked: dict) -> FoundFeed:
    if asked["file"]:
        raise FeedUnreadable(_("The file is empty."))
    return read_address(asked["address"], always=True)
