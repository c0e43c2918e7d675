"""How much one request may carry: told by its header, before anything of it is read or kept on the disk."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

MEGABYTE = 1024 * 1024  # bytes
OF_ANYBODY = 1 * MEGABYTE
OF_STAFF = 520 * MEGABYTE  # in the newsroom: a file of 500 MB and the form around it


class RequestSizeMiddleware:
    """Answer 413 to a body that is longer than any form of ours. It must come after the middleware that knows the user."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or ""
        if length.isdecimal() and int(length) > OF_ANYBODY:  # where it is no number, nothing is read
            most = OF_STAFF if _is_for_staff(request) else OF_ANYBODY
            if int(length) > most:
                return render(request, "413.html", {"most": most // MEGABYTE}, status=413)
        return self.get_response(request)


def _is_for_staff(request: HttpRequest) -> bool:
    return request.path_info.startswith("/admin/") and request.user.is_active and request.user.is_staff
