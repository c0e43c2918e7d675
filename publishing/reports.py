"""What an import did, for the command line, the admin page and a job's result."""

from dataclasses import asdict, dataclass, field

from django.utils.translation import gettext as _


@dataclass
class ImportReport:
    """Lists of titles and of sentences. ``about`` is the show, or the kind of a table's rows."""

    about: str = ""
    faults: list[str] = field(default_factory=list)  # lines of a table that were refused
    made: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    unchanged: int = 0
    left_alone: list[str] = field(default_factory=list)  # edited here since: title and fields
    skipped: list[str] = field(default_factory=list)  # title and why
    repaired: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)  # who was made, or matched and how
    published: list[str] = field(default_factory=list)
    kept_draft: list[str] = field(default_factory=list)  # title and why
    is_dry_run: bool = False

    def as_dict(self) -> dict:
        return asdict(self)

    def counts(self) -> str:
        """Return one sentence with the numbers."""
        numbered = [
            (len(self.made), _("%(n)s made")),
            (len(self.updated), _("%(n)s updated")),
            (self.unchanged, _("%(n)s unchanged")),
            (len(self.left_alone), _("%(n)s left alone in part")),
            (len(self.skipped), _("%(n)s skipped")),
            (len(self.published), _("%(n)s published")),
        ]
        said = ", ".join(text % {"n": number} for number, text in numbered if number) or _("nothing to do")
        return (_("Would come to: %(said)s.") if self.is_dry_run else "%(said)s.") % {"said": said}

    def sections(self) -> list[tuple[str, list[str]]]:
        """Return headed lists, the empty ones left out."""
        headed = [
            (_("Not right"), self.faults),
            (_("Made"), self.made),
            (_("Updated"), self.updated),
            (_("Left alone, because edited here since"), self.left_alone),
            (_("Skipped"), self.skipped),
            (_("Repaired while reading"), self.repaired),
            (_("To know"), self.warnings),
            (_("People"), self.people),
            (_("Published"), self.published),
            (_("Kept as drafts"), self.kept_draft),
        ]
        return [(heading, lines) for heading, lines in headed if lines]
