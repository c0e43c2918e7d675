"""The names that our storage gives, by column; an archive can bring no others."""

import re
from dataclasses import dataclass

from django.db import models
from django.utils.translation import gettext as _

from publishing.images import EXTENSIONS

from .refusals import RowRefused, shown

PICTURES = frozenset(EXTENSIONS.values())
PLAYED = frozenset({"mp3", "m4a", "mp4", "m4v", "ogg", "wav", "flac", "webm"})  # a test holds it to episodes' own


@dataclass(frozen=True)
class FileRule:
    """Where a column's files lie and what they may be."""

    folder: str
    extensions: frozenset[str]

    def allows(self, name: str) -> bool:
        match = re.fullmatch(r"(?P<folder>[a-z]+)/[A-Za-z0-9_-]{1,100}\.(?P<extension>[a-z0-9]+)", name, re.ASCII)
        return match is not None and match["folder"] == self.folder and match["extension"] in self.extensions


EXTENSIONS_OF = {
    "publishing.SiteSettings.logo": PICTURES,
    "publishing.SiteSettings.watermark_image": PICTURES,
    "episodes.Image.file": PICTURES,
    "episodes.MediaFile.file": PLAYED,
    "episodes.Transcript.original": frozenset({"bin"}),
}


def rule_of(field: models.FileField) -> FileRule:
    """Return the rule of a column; whoever exports a column with files says here what they may be."""
    return FileRule(str(field.upload_to), EXTENSIONS_OF[f"{field.model._meta.label}.{field.name}"])


def refuse_name(rule: FileRule, name: str) -> None:
    """Raise RowRefused where the storage would never give a file of this column such a name."""
    if not rule.allows(name):
        message = _("%(name)s is no file that this site would keep there: %(folder)s/<name>.<%(extensions)s>.")
        names = {"name": shown(repr(name)), "folder": rule.folder, "extensions": "|".join(sorted(rule.extensions))}
        raise RowRefused(message % names)


def is_picture(name: str) -> bool:
    return name.rpartition(".")[2] in PICTURES
