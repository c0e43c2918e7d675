"""The draft as its live page would be: published in a transaction that is rolled back."""

from collections.abc import Callable

from csp.constants import SELF
from csp.decorators import csp_replace
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import resolve
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_sameorigin

from ..acts import hidden_parents, publish_many
from ..kinds import get_kind
from ..middleware import site_of
from ..models import Item


def may_be_framed(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let pages of this site show what a view answers in a frame; all else refuses any frame."""
    return xframe_options_sameorigin(csp_replace({"frame-ancestors": [SELF]})(view))


def preview(request: HttpRequest, item: Item) -> HttpResponse:
    """Render the real view of the item's head, and of hidden parents' heads, for nobody else to see.

    Whatever is missing is left out of the page instead of being refused. No hook of a
    commit runs. Raises ValidationError where the page could have no heading: a parent
    that the content names is not chosen yet.
    """
    with transaction.atomic():
        publish_many([*_hidden_above(item), item], actor=None, strict=False)
        row = get_kind(item.kind).model.objects.get(pk=item.pk)
        response = _render(request, row.get_absolute_url())
        transaction.set_rollback(True)
    response["Cache-Control"] = "private, no-store"
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "no-referrer"
    return response


def _hidden_above(item: Item) -> list[Item]:
    row = get_kind(item.kind).model.objects.get(pk=item.pk)
    get_kind(item.kind).form.write_columns(row, item.newest.content)
    for name in row.parents:
        if getattr(row, f"{name}_id") is None:
            message = _("Choose the %(parent)s first; without it there is no page to look at.")
            raise ValidationError(message % {"parent": name}, code="no_parent")
    found: list[Item] = []
    for parent in hidden_parents(row):
        found += [*_hidden_above(parent.item), parent.item]
    return found


def _render(request: HttpRequest, path: str) -> HttpResponse:
    """Call the view behind a path as a reader would, with the request's site."""
    match = resolve(path)
    public = HttpRequest()
    public.method = "GET"
    public.path = public.path_info = path
    public.META = {
        name: value for name, value in request.META.items() if name in {"SERVER_NAME", "SERVER_PORT", "HTTP_HOST"}
    }
    public.site = site_of(request)  # type: ignore[assignment]  # django-stubs takes it for contrib.sites' own
    public.user = AnonymousUser()
    public.resolver_match = match
    return match.func(public, *match.args, **match.kwargs)
