"""What a job is doing, for the person who started it."""

from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from ..jobs import retry
from ..models import Job
from ..permissions import actor_of, can
from ..reports import ImportReport
from ..worker import is_silent

if TYPE_CHECKING:
    from django.contrib.auth.models import User

RUNNING = {Job.State.READY, Job.State.RUNNING}


@require_http_methods(["GET", "HEAD", "POST"])
def job_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show progress until the job ends, then its report or its reason; POST tries a failed one again."""
    if not can(request.user, "import"):
        raise PermissionDenied
    job = get_object_or_404(Job, pk=pk)
    may_retry = _may_retry(actor_of(request), job)
    if request.method == "POST":
        if not may_retry:
            raise PermissionDenied
        retry(job)
        messages.info(request, _("It is tried again."))
        return HttpResponseRedirect(reverse("admin:job", args=[pk]))
    result = job.result or {}
    report = ImportReport(**result) if job.state == Job.State.DONE and "made" in result else None
    context = {
        "title": job.payload.get("title") or str(job),
        "job": job,
        "is_running": job.state in RUNNING,
        "may_retry": may_retry and job.state == Job.State.FAILED,
        "report": report,
        "worker_is_silent": job.state in RUNNING and is_silent(),
    }
    return render(request, "admin/publishing/job.html", context | admin_context(request))


def _may_retry(user: "User", job: Job) -> bool:
    """Tell whether somebody may try a job again: who started it, or who may publish where it publishes.

    It runs in the name of who started it; nobody gets others' rights by a second attempt.
    """
    if job.payload.get("actor") == user.pk:
        return True
    if job.payload.get("publish"):
        return can(user, "publish")
    return "actor" not in job.payload


def admin_context(request: HttpRequest) -> dict:
    """Return what every page of the newsroom needs."""
    from django.contrib import admin

    return admin.site.each_context(request)
