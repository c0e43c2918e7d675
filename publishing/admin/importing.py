"""The shape of every import page: a form, a look at what would be made, a job."""

from collections.abc import Callable
from hashlib import sha256

from django import forms
from django.contrib import messages
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from ..jobs import enqueue
from ..permissions import Actor, actor_of, can
from ..uploads import seal, unseal
from .jobs import admin_context

Preview = tuple[dict, dict]  # the job's payload, the context of the preview


def import_page(
    request: HttpRequest,
    *,
    title: str,
    form_class: type[forms.Form],
    job_kind: str,
    look: Callable[[forms.Form, Actor], Preview],
) -> HttpResponse:
    """Answer GET with the form, POST with a preview, and POST of the sealed preview with the job's page.

    ``look`` returns the payload and what the preview shows, or adds an error to the form
    by raising ValidationError.
    """
    if not can(request.user, "import"):
        raise PermissionDenied
    context = {"title": title, **admin_context(request)}
    if "sealed" in request.POST:
        return _start(request, job_kind)
    begun = {"address": request.GET.get("address", "")}
    form = form_class(request.POST, request.FILES) if request.method == "POST" else form_class(initial=begun)
    if "publish" in form.fields and not can(request.user, "publish"):
        del form.fields["publish"]
    if request.method == "POST" and form.is_valid():
        try:
            payload, shown = look(form, actor_of(request))
        except forms.ValidationError as refused:
            form.add_error(None, refused)
        else:
            sealed = seal(job_kind, payload | {"actor": request.user.pk, "title": title})
            return render(request, "admin/publishing/import_preview.html", context | shown | {"sealed": sealed})
    status = 422 if form.errors else 200
    return render(request, "admin/publishing/import.html", context | {"form": form}, status=status)


def _start(request: HttpRequest, job_kind: str) -> HttpResponse:
    """Make the job of a preview; the same preview confirmed twice is one job."""
    try:
        payload = unseal(job_kind, request.POST["sealed"])
    except signing.BadSignature:
        messages.error(request, _("That preview is older than an hour. Look again, then import."))
        return HttpResponseRedirect(request.path)
    if payload["actor"] != request.user.pk or (payload["publish"] and not can(request.user, "publish")):
        raise PermissionDenied
    digest = sha256(request.POST["sealed"].encode()).hexdigest()
    job = enqueue(job_kind, f"{job_kind}:{digest}", payload)
    return HttpResponseRedirect(reverse("admin:job", args=[job.pk]))
