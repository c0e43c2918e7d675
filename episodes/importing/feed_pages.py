"""Where an editor follows a feed and sees what it brought: a box on the show's page, and a page for each feed."""

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from publishing.admin import PublishableAdmin
from publishing.models import Publishable
from publishing.permissions import actor_of, can
from publishing.references import read_id
from publishing.worker import is_silent

from ..models import FeedSource
from .following import Wish, change_following, wish_of
from .polling import ask_to_read
from .runs import KEPT

MOST_FEEDS = 10  # of one show, in its box


class FollowForm(forms.Form):
    is_followed = forms.BooleanField(label=gettext_lazy("Look for new episodes"), required=False)
    every_hours = forms.TypedChoiceField(
        label=gettext_lazy("How often"), choices=FeedSource.Every.choices, coerce=int, required=True
    )
    publishes_new = forms.BooleanField(
        label=gettext_lazy("Publish what is new at once"),
        required=False,
        help_text=gettext_lazy(
            "New episodes with the people they name, where the show is live and nothing is missing. What changes in an episode that we have stays a draft beside it."
        ),
    )
    owner_agrees = forms.BooleanField(
        label=gettext_lazy("The owner agrees"),
        required=False,
        help_text=gettext_lazy("Needed where the feed says that it is locked."),
    )

    def wish(self) -> Wish:
        """Return what was filled in; a field that the person was not shown counts as not ticked."""
        return Wish(**{"publishes_new": False} | self.cleaned_data)


class FeedPages(PublishableAdmin):
    change_template = "admin/episodes/show_change.html"

    def get_urls(self):
        wrap = self.admin_site.admin_view
        feed = require_http_methods(["GET", "HEAD", "POST"])(self.feed_view)
        name = "episodes_show_feed"
        return [
            path("<int:pk>/feeds/<int:source>/", wrap(feed), name=name),
            path("<int:pk>/feeds/<int:source>/look/", wrap(require_POST(self.look_view)), name=f"{name}_look"),
            *super().get_urls(),
        ]

    def extra_change_context(self, request: HttpRequest, row: Publishable) -> dict:
        feeds = FeedSource.objects.filter(show=row.pk).defer("values", "people").order_by("pk")[:MOST_FEEDS]
        own = {"feeds": list(feeds), "may_import": can(request.user, "import")}
        return super().extra_change_context(request, row) | own

    def feed_view(self, request: HttpRequest, pk: int, source: int) -> HttpResponse:
        """Show a feed with its last reports, and follow it as an editor wishes."""
        row, feed = self._feed(request, pk, source)
        may = self._may_follow(request, row)
        form = follow_form(request, feed)
        if request.method == "POST":
            if not may:
                raise PermissionDenied
            if form.is_valid() and self._is_changed(request, row, feed, form):
                return HttpResponseRedirect(self.url("feed", pk, source))
        context = self.page_context(
            request,
            row,
            title=_("Feed of “%(show)s”") % {"show": row.item},
            feed=feed,
            form=form,
            may_follow=may,
            runs=list(feed.runs.order_by("-pk")[:KEPT]),
            worker_is_silent=feed.is_followed and is_silent(),
        )
        return render(request, "admin/episodes/feed.html", context, status=422 if form.errors else 200)

    def _is_changed(self, request: HttpRequest, row: Publishable, feed: FeedSource, form: FollowForm) -> bool:
        try:
            changed = change_following(feed.pk, form.wish(), actor=actor_of(request))
        except ValidationError as refused:
            form.add_error("is_followed", refused)
            return False
        said = _("New episodes are looked for %(often)s.") % {"often": changed.get_every_hours_display()}
        self.message_user(
            request, said if changed.is_followed else _("This feed is not looked at any more."), messages.SUCCESS
        )
        return True

    def look_view(self, request: HttpRequest, pk: int, source: int) -> HttpResponse:
        """Have the worker read a followed feed now."""
        row, feed = self._feed(request, pk, source)
        if not self._may_follow(request, row):
            raise PermissionDenied
        if feed.is_followed:
            ask_to_read(feed)
            self.message_user(request, _("The worker looks now. Look again here in a moment."), messages.SUCCESS)
        else:
            self.message_user(request, _("This feed is not followed. Turn it on first."), messages.WARNING)
        return HttpResponseRedirect(self.url("feed", pk, source))

    def _feed(self, request: HttpRequest, pk: int, source: int) -> tuple[Publishable, FeedSource]:
        row = self.get_row(request, pk)
        feed = FeedSource.objects.select_related("followed_by", "publisher").filter(show=row.pk, pk=read_id(source))
        found = feed.defer("values", "people").first()
        if found is None:
            raise Http404(_("The show has no such feed."))
        return row, found

    @staticmethod
    def _may_follow(request: HttpRequest, row: Publishable) -> bool:
        return can(request.user, "import") and can(request.user, "edit", row.item)


def follow_form(request: HttpRequest, feed: FeedSource) -> FollowForm:
    """Return the form; publishing is offered to publishers, and to others only to take it back."""
    form = FollowForm(request.POST if request.method == "POST" else None, initial=vars(wish_of(feed)))
    if feed.publisher is None and not can(request.user, "publish"):
        del form.fields["publishes_new"]
    return form
