from django.core.exceptions import PermissionDenied
from django.core.files.storage import default_storage
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from publishing.permissions import can
from publishing.ranges import serve_file

from .models import Image

CONTENT_TYPES = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp"}


@require_safe
def image(request: HttpRequest, pk: int) -> HttpResponse | StreamingHttpResponse:
    """Show an editor any picture, public or not."""
    if not can(request.user, "view"):
        raise PermissionDenied
    name = str(get_object_or_404(Image, pk=pk).file)
    try:
        file = default_storage.open(name)
    except FileNotFoundError as lost:
        raise Http404 from lost
    response = serve_file(request, file, CONTENT_TYPES[name.rpartition(".")[2]])
    response["Cache-Control"] = "private, max-age=3600"
    return response
