"""Files on their way into the storage: looked at first, and taken away again where the import fails."""

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import IO

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.utils.translation import gettext as _
from PIL import Image as Pillow

from publishing.images import EXTENSIONS, FORMATS, MOST_PIXELS

from .exporting import CHUNK
from .file_rules import is_picture
from .manifest import FILES
from .reading import Archive
from .refusals import ArchiveRefused, shown


class Landing:
    """Files that were put under their names; ``undo()`` takes them away."""

    def __init__(self) -> None:
        self.landed: list[str] = []

    def land(self, archive: Archive, name: str) -> None:
        """Put a file of the archive under its name; one that is there with the same bytes stays.

        Raises ArchiveRefused where it is damaged, is no picture though it is called one,
        or has another file's name.
        """
        with looked_at(archive, name) as file:
            if default_storage.exists(name):
                _refuse_other(archive, name)
                return
            kept = default_storage.save(name, File(file))
            self.landed.append(kept)
            if kept != name:
                message = _("The storage keeps %(name)s as %(kept)s. Empty the folder of media, then import again.")
                raise ArchiveRefused(message % {"name": name, "kept": kept})

    def undo(self) -> None:
        for name in self.landed:
            default_storage.delete(name)


@contextmanager
def landing() -> Iterator[Landing]:
    """Keep what lands if all goes well, and nothing of it otherwise."""
    place = Landing()
    try:
        yield place
    except BaseException:
        place.undo()
        raise


@contextmanager
def looked_at(archive: Archive, name: str) -> Iterator[IO[bytes]]:
    """Give a copy of a file whose sum is right and which is what its name says."""
    with tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as copy:
        with archive.open(f"{FILES}{name}") as file:
            shutil.copyfileobj(file, copy, CHUNK)
        copy.seek(0)
        if is_picture(name):
            _refuse_no_picture(name, copy)
            copy.seek(0)
        yield copy


def _refuse_no_picture(name: str, file: IO[bytes]) -> None:
    """Look at the head of a picture; pages scale and serve it by what its name says."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Pillow.DecompressionBombWarning)
            with Pillow.open(file, formats=FORMATS) as image:
                width, height = image.size
                is_right = EXTENSIONS.get(image.format or "") == name.rpartition(".")[2]
                image.verify()
    except Exception as unread:  # a hostile file makes the decoder raise nearly anything
        raise ArchiveRefused(_no_picture(name)) from unread
    if not is_right or width * height > MOST_PIXELS:
        raise ArchiveRefused(_no_picture(name))


def _no_picture(name: str) -> str:
    message = _(
        "%(name)s is no picture of the kind that its name says, or too large. Upload the picture anew on the "
        "site it comes from, then export again."
    )
    return message % {"name": shown(f"{FILES}{name}")}


def _refuse_other(archive: Archive, name: str) -> None:
    found = sha256()
    with default_storage.open(name) as file:
        for chunk in file.chunks(CHUNK):
            found.update(chunk)
    if found.hexdigest() != archive.manifest.members[f"{FILES}{name}"].sha256:
        message = _("The folder of media holds another file as %(name)s. Move that away, then import again.")
        raise ArchiveRefused(message % {"name": name})
