from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.urls import Resolver404, resolve
from django.utils import timezone, translation

from .models import SiteSettings

POSTED = ("/admin/", "/accounts/")  # public pages take no forms, but those that say so
METHODS = {"GET", "HEAD", "POST", "OPTIONS"}


class SiteMiddleware:
    """Put the site's settings on the request, and speak in its language and time zone.

    One query a request. Also answers 405 to methods that no view of ours knows, since
    servers pass TRACE and made-up ones through.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in METHODS:
            return HttpResponse(status=405, headers={"Allow": ", ".join(sorted(METHODS))})
        if request.method == "POST" and not _may_post(request.path_info):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
        if "\0" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            return HttpResponseBadRequest()  # PostgreSQL holds no NUL, so no address of ours does
        site = SiteSettings.current()
        request.site = site  # type: ignore[assignment]  # django-stubs means contrib.sites
        with site_words(site):
            return self.get_response(request)


@contextmanager
def site_words(site: SiteSettings) -> Iterator[None]:
    """Speak in the site's language and time zone, as its pages do."""
    with timezone.override(site.time_zone), translation.override(site.locale.lower()):
        yield


def _may_post(path: str) -> bool:
    """Tell whether an address takes forms, before any view or its checks are asked."""
    if path.startswith(POSTED):
        return True
    try:
        return getattr(resolve(path).func, "takes_post", False)
    except Resolver404:
        return False


View = TypeVar("View", bound=Callable[..., HttpResponse])


def takes_post(view: View) -> View:
    """Let a public page take a POST (a decorator, the outermost)."""
    view.takes_post = True  # type: ignore[attr-defined]
    return view


def site_of(request: HttpRequest) -> SiteSettings:
    """Return the settings that SiteMiddleware put on the request; one query where it did not run."""
    return getattr(request, "site", None) or SiteSettings.current()


def site_context(request: HttpRequest) -> dict:
    """Give every template ``site`` (the settings), ``site_url``, and whether there is a data set."""
    return {"site": site_of(request), "site_url": settings.SITE_URL, "has_exports": settings.PUBLIC_EXPORTS}
