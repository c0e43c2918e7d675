"""The revisions of one item: their list, the difference of two, and taking from an old one."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from ..difference import differences
from ..models import Event, Publishable, Revision
from ..permissions import actor_of, can
from ..references import read_id
from ..revisions import lock_item, restore
from .correcting import CorrectionPages

PER_PAGE = 50
NEWEST_EVENTS = 30


class HistoryPages(CorrectionPages):
    def history_urls(self, name: str, wrap) -> list[URLPattern]:
        return [
            path("<int:pk>/compare/", wrap(self.compare_view), name=f"{name}_compare"),
            path("<int:pk>/restore/", wrap(require_POST(self.restore_view)), name=f"{name}_restore"),
        ]

    def history_view(self, request, object_id, extra_context=None):
        row = self.get_row(request, object_id)
        revisions = row.item.revisions.select_related("created_by").defer("content").order_by("-number")
        page = Paginator(revisions, PER_PAGE).get_page(request.GET.get("page"))
        events = (
            Event.objects.filter(item_uid=row.item.uid).exclude(what__endswith=".save").order_by("-pk")[:NEWEST_EVENTS]
        )
        context = self.page_context(
            request,
            row,
            title=_("History of “%(item)s”") % {"item": row.item},
            page=page,
            events=events,
            corrections=[
                (correction, self.url("correction", row.pk, correction.pk))
                for correction in self.corrections_of(row.item)
            ],
        )
        return render(request, "admin/publishing/history.html", context)

    def compare_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what two revisions differ in: live and head, or any two by number."""
        row = self.get_row(request, pk)
        before = self._revision(
            row, request.GET.get("a"), row.item.live or row.item.revisions.order_by("number").first()
        )
        after = self._revision(row, request.GET.get("b"), row.item.head)
        context = self.page_context(
            request,
            row,
            title=_("What changed in “%(item)s”") % {"item": row.item},
            before=before,
            after=after,
            differences=differences(self.content_form, before.content, after.content),
            restore_url=self.url("restore", pk),
        )
        return render(request, "admin/publishing/compare.html", context)

    def restore_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Make an old revision, or the ticked fields of it, a new draft."""
        actor, row = actor_of(request), self.get_row(request, pk, "edit")
        revision = self._revision(row, request.POST.get("revision"), None)
        only = [name for name in request.POST.getlist("field") if name in self.content_form.base_fields]
        try:
            with transaction.atomic():
                item = lock_item(pk)
                if not can(actor, "edit", item):
                    raise PermissionDenied
                if str(item.head_id) != request.POST.get("base_revision"):
                    raise ValidationError(_("The draft was edited since you looked. Look at the difference again."))
                saved = restore(item, revision, actor=actor, only=only)
        except ValidationError as refused:
            self.message_user(request, " ".join(refused.messages), messages.ERROR)
            return HttpResponseRedirect(self.url("compare", pk))
        message = _("Revision %(old)s is a new draft now: revision %(new)s. Readers see nothing of it.")
        self.message_user(request, message % {"old": revision.number, "new": saved.revision.number}, messages.SUCCESS)
        return HttpResponseRedirect(self.url("change", pk))

    @staticmethod
    def _revision(row: Publishable, number: str | None, default: Revision | None) -> Revision:
        found = row.item.revisions.filter(number=read_id(number)).first() if number else default
        if found is None:
            raise Http404(_("There is no such revision."))
        return found
