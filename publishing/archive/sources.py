"""A folder or a zip file as it was found. No name in it ever becomes a path for writing."""

import io
import stat
import struct
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO

from django.utils.translation import gettext as _

from .manifest import Member
from .refusals import ArchiveRefused, shown

MOST_PACKED = 200  # times smaller than unpacked; tables of ours pack ten- to twenty-fold
SMALL = 1024 * 1024  # bytes that may pack as they like
DEEPEST = 3  # files/<folder>/<name>
# What zipfile raises at one broken byte or another.
UNREADABLE = (
    OSError,
    EOFError,
    ArithmeticError,
    RuntimeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)


class Source(ABC):
    """The members of an archive, by name."""

    @abstractmethod
    def names(self) -> list[str]: ...

    @abstractmethod
    def open(self, name: str) -> IO[bytes]: ...


class FolderSource(Source):
    def __init__(self, root: Path):
        self.root = root

    def names(self) -> list[str]:
        return [path.relative_to(self.root).as_posix() for path in self._files(self.root)]

    def _files(self, folder: Path) -> Iterator[Path]:
        for path in sorted(folder.iterdir()):
            mode, name = path.lstat().st_mode, path.relative_to(self.root)
            if stat.S_ISDIR(mode) and len(name.parts) < DEEPEST:
                yield from self._files(path)
            elif stat.S_ISREG(mode):
                yield path
            else:
                message = _("%(name)s is a link, or a folder where none belongs. Take another copy of the archive.")
                raise ArchiveRefused(message % {"name": shown(name)})

    def open(self, name: str) -> IO[bytes]:
        return (self.root / PurePosixPath(name)).open("rb")


class ZipSource(Source):
    def __init__(self, archive: zipfile.ZipFile, size: int):
        self.archive = archive
        self.size = size

    def names(self) -> list[str]:
        members = self.archive.infolist()
        for about in members:
            self._refuse_odd(about)
        if sum(about.file_size for about in members) > SMALL + self.size * MOST_PACKED:  # members may share bytes
            message = _("It would unpack to more than %(times)s times its size. Take another copy of the archive.")
            raise ArchiveRefused(message % {"times": MOST_PACKED})
        return [about.filename for about in members]

    def _refuse_odd(self, about: zipfile.ZipInfo) -> None:
        why = ""
        if about.filename != about.orig_filename:
            why = _("its name is not what it seems")
        elif about.flag_bits & 1:
            why = _("it is encrypted")
        elif stat.S_ISLNK(about.external_attr >> 16):
            why = _("it is a link")
        elif about.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            why = _("it is packed in another way than zip's own")
        elif about.file_size > max(SMALL, about.compress_size * MOST_PACKED):
            why = _("it would unpack to more than %(times)s times its size") % {"times": MOST_PACKED}
        if why:
            message = _("%(name)s is not taken: %(why)s. Take another copy of the archive.")
            raise ArchiveRefused(message % {"name": shown(about.orig_filename), "why": why})

    def open(self, name: str) -> IO[bytes]:
        return self.archive.open(name)


class Checked(io.RawIOBase):
    """A member's bytes as its manifest knows them; raises ArchiveRefused at the first sign that they are others."""

    def __init__(self, member: Member, file: IO[bytes]):
        self._member, self._file = member, file
        self._left = member.bytes
        self._sum = sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        try:
            data = self._file.read(len(buffer))
        except UNREADABLE as broken:
            raise self._refused(_("it cannot be read (%(why)s)") % {"why": shown(broken)}) from broken
        self._left -= len(data)
        self._sum.update(data)
        if self._left < 0:
            raise self._refused(_("it is longer than manifest.json says"))
        if not data:
            self._end()
        buffer[: len(data)] = data
        return len(data)

    def _end(self) -> None:
        if self._left:
            raise self._refused(_("it is shorter than manifest.json says"))
        if self._sum.hexdigest() != self._member.sha256:
            raise self._refused(_("its sum is not the one in manifest.json"))

    def _refused(self, why: str) -> ArchiveRefused:
        message = _("%(name)s is damaged or was changed: %(why)s. Take another copy of the archive.")
        return ArchiveRefused(message % {"name": shown(self._member.name), "why": why})


@contextmanager
def open_source(path: Path) -> Iterator[Source]:
    """Open a folder or a zip file. Raises ArchiveRefused with a sentence where it is neither."""
    if path.is_dir():
        yield FolderSource(path)
        return
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise ArchiveRefused(_("There is no %(path)s.") % {"path": path}) from None
    except UNREADABLE as broken:
        message = _("%(path)s is no folder, and no zip file that can be read (%(why)s). Take another copy of it.")
        raise ArchiveRefused(message % {"path": path, "why": shown(broken)}) from broken
    with archive:
        yield ZipSource(archive, path.stat().st_size)
