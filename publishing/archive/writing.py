"""Where an archive is written: a folder or a zip file, whole under its name or not there at all."""

import shutil
import tempfile
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO

from django.utils.translation import gettext as _

from .manifest import Member
from .refusals import ArchiveRefused

EPOCH = (1980, 1, 1, 0, 0, 0)  # the time of every member; a zip file knows none before
PRIVATE = 0o600  # an archive holds drafts


class Sink(ABC):
    """Takes members one after the other."""

    @abstractmethod
    def open(self, name: str, *, is_text: bool) -> AbstractContextManager[IO[bytes]]: ...

    @contextmanager
    def member(self, name: str, *, is_text: bool) -> Iterator["Measured"]:
        """Open a new member; what it measured tells what was written."""
        with self.open(name, is_text=is_text) as file:
            yield Measured(name, file)


class Measured:
    """A file that counts and sums what is written to it."""

    def __init__(self, name: str, file: IO[bytes]):
        self.name = name
        self.bytes = 0
        self._file = file
        self._sum = sha256()

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._sum.update(data)
        self.bytes += len(data)

    @property
    def facts(self) -> Member:
        return Member(self.name, self.bytes, self._sum.hexdigest())


class FolderSink(Sink):
    def __init__(self, root: Path):
        self.root = root

    def open(self, name: str, *, is_text: bool) -> AbstractContextManager[IO[bytes]]:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("xb")


class ZipSink(Sink):
    """Text is packed; pictures and sound are packed already."""

    def __init__(self, archive: zipfile.ZipFile):
        self.archive = archive

    def open(self, name: str, *, is_text: bool) -> AbstractContextManager[IO[bytes]]:
        about = zipfile.ZipInfo(name, EPOCH)
        about.create_system = 3  # Unix, whatever this machine is
        about.external_attr = (0o100000 | PRIVATE) << 16
        about.compress_type = zipfile.ZIP_DEFLATED if is_text else zipfile.ZIP_STORED
        return self.archive.open(about, "w", force_zip64=True)


@contextmanager
def open_sink(target: Path) -> Iterator[Sink]:
    """Give what becomes the target once all is written; a failure leaves nothing behind.

    Raises ArchiveRefused where something is there already.
    """
    refuse_taken(target)
    scratch = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    unfinished = scratch / "archive"
    try:
        if target.suffix == ".zip":
            unfinished.touch(PRIVATE)
            with zipfile.ZipFile(unfinished, "w") as archive:
                yield ZipSink(archive)
        else:
            unfinished.mkdir(0o700)
            yield FolderSink(unfinished)
        refuse_taken(target)
        unfinished.rename(target)
    finally:
        shutil.rmtree(scratch)


def refuse_taken(target: Path) -> None:
    if not target.parent.is_dir():
        raise ArchiveRefused(_("There is no folder %(path)s. Make it first.") % {"path": target.parent})
    is_free = not target.exists() and not target.is_symlink()
    is_empty = target.is_dir() and target.suffix != ".zip" and not any(target.iterdir())
    if not is_free and not is_empty:
        raise ArchiveRefused(_("%(path)s is there already. Choose another name, or move it away.") % {"path": target})
