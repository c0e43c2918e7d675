from django.core.exceptions import PermissionDenied
from django.core.files.storage import default_storage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from publishing.permissions import can
from publishing.ranges import serve_file

from .models import Image

CONTENT_TYPES = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp"}


@require_safe
def image(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an editor any picture, public or not."""
    if not can(request.user, "view"):
        raise PermissionDenied
    held = get_object_or_404(Image, pk=pk)
    name = held.file.name
    response = serve_file(request, default_storage.open(name), CONTENT_TYPES[name.rpartition(".")[2]])
    response["Cache-Control"] = "private, max-age=3600"
    return response
