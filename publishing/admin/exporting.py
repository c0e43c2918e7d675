"""Exporting what a list of the newsroom shows: an action, a job, and a file for whoever asked."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IS_POPUP_VAR, IncorrectLookupParameters
from django.contrib.admin.views.main import ALL_VAR, ERROR_FLAG, ORDER_VAR, PAGE_VAR
from django.core.exceptions import PermissionDenied
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from ..archive.snapshot import snapshot
from ..events import log
from ..housekeeping import chore
from ..jobs import GiveUp, Held, enqueue, job_kind, kept_alive, retry
from ..kinds import get_kind
from ..middleware import site_words
from ..models import Job, Publishable, SiteSettings
from ..permissions import actor_of, can
from ..references import read_id
from ..stored_files import random_name
from ..tables.exporting import export_table
from ..tables.importing import Table
from ..tables.writing import MIMES
from ..work_folders import work_folder
from ..worker import is_silent
from .desk import NEWEST, DeskList, DeskRow, desk_list
from .jobs import RUNNING, admin_context
from .rows import RowAdmin

if TYPE_CHECKING:
    from django.contrib.auth.models import User

KIND = "export-table"
FOLDER = "exports"
KEEP = timedelta(days=7)
MOST_ROWS = 1_000_000
MOST_KEPT = 20  # exports of one person within those days
LONGEST_QUERY = 2_000  # characters of a list's filters
ACTIONS = {
    "export_csv": ("csv", gettext_lazy("Export as CSV: what is ticked, else the whole list")),
    "export_jsonl": ("jsonl", gettext_lazy("Export as JSON Lines: what is ticked, else the whole list")),
}
NOT_FILTERS = (PAGE_VAR, ALL_VAR, ORDER_VAR, ERROR_FLAG)


class TableExports(RowAdmin):
    """Adds the actions to a list whose rows have a table."""

    model: type[Publishable]
    table: ClassVar[Table | None] = None

    def get_actions(self, request):
        if self.table is None or IS_POPUP_VAR in request.GET:
            return {}
        return {name: (_no_action, name, label) for name, (_format, label) in ACTIONS.items()}

    def changelist_view(self, request, extra_context=None):
        """Export before the list's own machinery looks at an action: it wants rows to be ticked."""
        asked = ACTIONS.get(request.POST.get("action", "")) if request.method == "POST" else None
        if asked is None or self.table is None:
            return super().changelist_view(request, extra_context)
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self._start_export(request, asked[0])

    def listed(self, request: HttpRequest, ticked: Sequence[int] = ()) -> QuerySet:
        """Return the rows that the list shows under a request's filters, on all pages, or those ticked among them.

        Raises IncorrectLookupParameters where the filters mean nothing.
        """
        rows = self.get_changelist_instance(request).queryset
        return rows.filter(pk__in=ticked) if ticked else rows

    def _start_export(self, request: HttpRequest, format_name: str) -> HttpResponse:
        user = actor_of(request)
        try:
            self.listed(request)
        except IncorrectLookupParameters:
            return self._refused(request, _filters_mean_nothing())
        query = _filters_of(request)
        if len(query) > LONGEST_QUERY:
            return self._refused(request, _("The filters of this list are too long. Search for less, then export."))
        if exports_of(user).count() >= MOST_KEPT:
            message = _("You have %(most)s exports of the last 7 days. Take one of those, or come back later.")
            return self._refused(request, message % {"most": MOST_KEPT})
        payload = {
            "actor": user.pk,
            "title": _("Export: %(list)s") % {"list": capfirst(self.opts.verbose_name_plural)},
            "kind": self.model.kind,
            "format": format_name,
            "query": query,
            "ticked": _ticked_in(request),
        }
        with transaction.atomic():
            waiting = exports_of(user).filter(state__in=RUNNING, payload=payload).first()  # pressed twice
            job = waiting or enqueue(KIND, f"{_keys_of(user)}{secrets.token_hex(16)}", payload)
            if waiting is None:
                log(user, "export", asked=payload)
        return HttpResponseRedirect(reverse("admin:export", args=[job.pk]))

    def _refused(self, request: HttpRequest, why: str) -> HttpResponse:
        self.message_user(request, why, messages.WARNING)
        return HttpResponseRedirect(request.path)


def _no_action(model_admin: admin.ModelAdmin, request: HttpRequest, rows: QuerySet) -> None:
    """Stand for an action that ``changelist_view`` has done before Django's own comes to it."""


def _filters_mean_nothing() -> str:
    return _("The filters of this list mean nothing. Choose them again, then export.")


def _filters_of(request: HttpRequest) -> str:
    """Return what narrows the list, as the query string says it."""
    query = request.GET.copy()
    for name in NOT_FILTERS:
        query.pop(name, None)
    return query.urlencode()


def _ticked_in(request: HttpRequest) -> list[int]:
    if request.POST.get("select_across") == "1":
        return []
    return sorted({read_id(text) for text in request.POST.getlist(ACTION_CHECKBOX_NAME)})


def exports_of(user: "User") -> QuerySet[Job]:
    """Return the exports of one person whose files are or will be there."""
    return Job.objects.filter(key__startswith=_keys_of(user), created_at__gt=timezone.now() - KEEP)


def _keys_of(user: "User") -> str:
    """Return how the keys of somebody's exports begin; there is an index for that."""
    return f"{KIND}:{user.pk}:"


@job_kind(KIND)
def export_job(held: Held) -> dict:
    """Write what the list shows now to whoever asked, with the rights that they have now."""
    asked, user = held.payload, held.starter
    if not can(user, "view"):
        raise GiveUp(_("You may no longer see this list."))
    model_admin = admin_of(asked["kind"])
    with kept_alive(held) as alive, work_folder(held) as folder:
        unfinished = folder / "table"
        with site_words(SiteSettings.current()), snapshot(), unfinished.open("wb") as file:
            try:
                rows = model_admin.listed(_as_asked(user, asked["query"]), asked["ticked"])
            except IncorrectLookupParameters as meaningless:
                raise GiveUp(_filters_mean_nothing()) from meaningless
            count = rows.count()
            if count > MOST_ROWS:
                message = _("The list has %(count)s rows, and %(most)s is what one export may have. Filter it first.")
                raise GiveUp(message % {"count": f"{count:,}", "most": f"{MOST_ROWS:,}"})
            alive.progress(0, count)
            for piece in export_table(
                _table_of(model_admin), rows, asked["format"], tell=lambda done: alive.progress(done, count)
            ):
                file.write(piece)
        with unfinished.open("rb") as whole:
            name = default_storage.save(random_name(FOLDER, asked["format"]), File(whole))
    return {"file": name, "rows": count, "of_others": user.has_perm("publishing.edit_others_item")}


def _as_asked(user: "User", query: str) -> HttpRequest:
    """Return a look at the list as somebody had it before them."""
    request = HttpRequest()
    request.method = "GET"
    request.GET = QueryDict(query)
    request.user = user
    return request


def admin_of(kind: str) -> TableExports:
    model_admin = admin.site.get_model_admin(get_kind(kind).model)
    if not isinstance(model_admin, TableExports):
        raise TypeError(f"{model_admin} has no exports.")
    return model_admin


def _table_of(model_admin: TableExports) -> Table:
    if model_admin.table is None:
        raise GiveUp(_("This list has no table any more."))
    return model_admin.table


@require_http_methods(["GET", "HEAD", "POST"])
def export_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show progress until the file is there, then the file or the reason; POST tries a failed one again."""
    job = _job_for(request, pk)
    if request.method == "POST":
        retry(job)
        messages.info(request, _("It is tried again."))
        return HttpResponseRedirect(reverse("admin:export", args=[pk]))
    is_running = job.state in RUNNING
    context = {
        "title": job.payload["title"],
        "job": job,
        "is_running": is_running,
        "may_retry": job.state == Job.State.FAILED,
        "is_there": _is_there(job),
        "gone_after": job.finished_at + KEEP if job.finished_at else None,
        "list_url": f"{admin_of(job.payload['kind']).url('changelist')}?{job.payload['query']}",
        "worker_is_silent": is_running and is_silent(),
    }
    return render(request, "admin/publishing/export.html", context | admin_context(request))


@require_safe
def export_file(request: HttpRequest, pk: int) -> FileResponse:
    """Answer with the file; as of all the newsroom, nobody keeps it on the way. Raises Http404 where it is gone."""
    job = _job_for(request, pk)
    gone = _("This export is no longer here. Export the list again.")
    if not _is_there(job) or job.finished_at is None or job.result is None:
        raise Http404(gone)
    if job.result["of_others"] and not request.user.has_perm("publishing.edit_others_item"):
        raise PermissionDenied(_("It holds what others wrote, which you may no longer see."))
    try:
        file = default_storage.open(job.result["file"])
    except FileNotFoundError:
        raise Http404(gone) from None
    name = f"{job.payload['kind']}s-{timezone.localtime(job.finished_at):%Y-%m-%d}.{job.payload['format']}"
    return FileResponse(file, as_attachment=True, filename=name, content_type=MIMES[job.payload["format"]])


def _job_for(request: HttpRequest, pk: int) -> Job:
    """Return an export of the person's own; a superuser's are all."""
    user = actor_of(request)
    job = get_object_or_404(Job, kind=KIND, pk=pk)
    if not can(user, "view") or (job.payload["actor"] != user.pk and not user.is_superuser):
        raise PermissionDenied
    return job


def _is_there(job: Job) -> bool:
    return bool(job.finished_at and job.result and job.finished_at > timezone.now() - KEEP)


@chore
def sweep() -> None:
    """Delete the files of more than 7 days ago."""
    try:
        names = default_storage.listdir(FOLDER)[1]
    except FileNotFoundError:  # nothing was ever exported
        return
    for name in names:
        path = f"{FOLDER}/{name}"
        if default_storage.get_modified_time(path) < timezone.now() - KEEP:
            default_storage.delete(path)


@desk_list
def own_exports(user: "User") -> DeskList:
    """One query."""
    jobs = exports_of(user).order_by("-pk")[:NEWEST]
    rows = [
        DeskRow(job.payload["title"], reverse("admin:export", args=[job.pk]), job.get_state_display()) for job in jobs
    ]
    return DeskList(_("Your exports"), rows)
