"""The admin page that imports a feed, with a look at what would be made."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods

from publishing.admin.importing import Preview, import_page
from publishing.fetch import FetchError
from publishing.fields import ItemField
from publishing.permissions import Actor
from publishing.uploads import keep

from ..models import FeedSource, Show
from .matching import home_of
from .parsed import FeedUnreadable
from .plans import LONGEST_ADDRESS, fits
from .preview import preview
from .service import ImportRefused, NeedsConfirmation, check_home, check_locked
from .source import MOST_BYTES, FoundFeed, read_address, read_upload


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
            "Relative links in it are read against this address, and a later import from there continues this one. Empty: the address or the guid that the file gives itself."
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
        help_text=gettext_lazy("Needed once where a feed says that it is locked."),
    )
    follow = forms.BooleanField(
        label=gettext_lazy("Look for new episodes from now on"),
        required=False,
        help_text=gettext_lazy("Every 6 hours, as drafts; the show's page says how often, what came, and changes it."),
    )

    def clean(self):
        super().clean()
        cleaned = self.cleaned_data
        if cleaned.get("follow") and not (cleaned.get("address") or cleaned.get("feed_url")) and not self.errors:
            self.add_error("follow", _("A file alone cannot be looked at again. Say where it came from."))
        if bool(cleaned.get("address")) == bool(cleaned.get("file")) and not self.errors:
            raise forms.ValidationError(_("Give an address or a file, one of them."), code="one_of_two")
        if cleaned.get("file") and cleaned["file"].size > MOST_BYTES:
            self.add_error("file", _("The file is larger than 20 MB, which no feed is."))
        for name in ("address", "feed_url"):
            if not fits(cleaned.get(name) or "", LONGEST_ADDRESS):
                self.add_error(name, _("The address is longer than any that works."))
        return cleaned


@require_http_methods(["GET", "HEAD", "POST"])
def import_feed_page(request: HttpRequest) -> HttpResponse:
    return import_page(request, title=_("Import a feed"), form_class=FeedImportForm, job_kind="import-feed", look=look)


def look(form: forms.Form, actor: Actor) -> Preview:
    """Read the feed and tell what an import would make; nothing is written but the waiting file."""
    asked = form.cleaned_data
    show = Show.objects.select_related("item").get(pk=asked["show"]) if asked["show"] else None
    data = asked["file"].read() if asked["file"] else b""
    try:
        found = read_upload(data, asked["feed_url"], show) if data else _read(asked)
    except (FetchError, FeedUnreadable) as refused:
        raise forms.ValidationError(str(refused), code="unreadable") from refused
    if found.feed is None:
        raise forms.ValidationError(_("The feed has not changed since it was last read."), code="not_modified")
    home = home_of(found.feed, _known_address(asked["address"], found), show)
    try:
        check_locked(found.feed, home.source, asked["owner_agrees"])
        check_home(home, show)
    except NeedsConfirmation as locked:
        raise forms.ValidationError(
            _("%(locked)s Tick that the owner agrees."), code="locked", params={"locked": locked}
        ) from locked
    except ImportRefused as refused:
        raise forms.ValidationError(str(refused), code="other_show") from refused
    payload = {
        "address": asked["address"] or found.address,
        "file": keep(data, by=actor) if data else "",
        "show": show.pk if show else None,
        "publish": asked.get("publish", False),
        "owner_agrees": asked["owner_agrees"],
        "follow": asked["follow"],
    }
    return payload, {"preview": preview(found.feed, home), "publish": payload["publish"]}


def _known_address(asked: str, found: FoundFeed) -> str:
    """Return the address that the feed is known under, which the import moves where it has moved for good."""
    is_known = FeedSource.objects.filter(address=found.address).exists()
    return found.address if is_known else asked or found.address


def _read(asked: dict) -> FoundFeed:
    if asked["file"]:
        raise FeedUnreadable(_("The file is empty."))
    return read_address(asked["address"], always=True)
