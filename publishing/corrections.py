"""Corrections that readers see: what a publisher says of a change, and what is kept of it.

Rows are written by the public acts, which call this in their transaction.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django import forms
from django.db import models
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from .content import Content, ContentForm, references_of
from .difference import compare
from .fields import display_value
from .kinds import get_kind
from .models import Correction, Item, Publishable, Revision, SiteSettings
from .permissions import Actor
from .text import clean_line, clean_text, shorten

LONGEST_NOTE = 1_000  # characters
LONGEST_WORDS = 2_000  # characters of what it said, and of what it says
LONGEST_FINDER = 120
MOST_OF_ITEM = 50  # that its page shows
WHOLE = 300  # characters that are proposed whole; of longer ones what lies round the change
WORDS_BEFORE = 12
CHARS_AFTER = 80


class Choice(models.TextChoices):
    """What a publisher calls a change."""

    UPDATE = "update", gettext_lazy("No, an update")
    TYPO = "typo", gettext_lazy("No, a typo; readers are told nothing")
    CORRECTION = "correction", gettext_lazy("Yes, a correction; readers are told")


@dataclass(frozen=True)
class Words:
    """What an item said and what it says now, as far as a correction quotes it."""

    said: str = ""
    says: str = ""

    @property
    def digest(self) -> str:
        """Return what tells these words from any others; nothing for none."""
        both = [clean_text(self.said), clean_text(self.says)]
        return sha256("\0".join(both).encode()).hexdigest()[:16] if any(both) else ""


@dataclass(frozen=True)
class Change:
    """What a publisher says of a change to what readers see; all but the choice is of a correction.

    ``words`` that are None, or just those that were ``proposed`` (their digest), are
    taken from the difference at the moment of the act.
    """

    choice: Choice
    kind: str = ""
    severity: str = Correction.Severity.MINOR
    note: str = ""
    words: Words | None = None
    proposed: str = ""
    found_by: str = ""

    @property
    def is_correction(self) -> bool:
        return self.choice == Choice.CORRECTION

    @property
    def is_as_proposed(self) -> bool:
        return self.words is None or self.words.digest == self.proposed


@dataclass(frozen=True)
class Step:
    """One item in an act: from the revision that readers saw, if any, to the one that they will see."""

    item: Item
    before: Revision | None
    after: Revision
    content: Content  # of ``after``, as it becomes public
    change: Change | None = None

    @property
    def form(self) -> type[ContentForm]:
        return get_kind(self.item.kind).form

    @property
    def changed(self) -> list[str]:
        """Return the names of the fields that readers see change."""
        if self.before is None:
            return []
        old = self.before.content
        return [name for name in self.form.base_fields if old.get(name) != self.content.get(name)]

    @property
    def unexplained(self) -> list[str]:
        """Return the fields whose change readers are owed a word on, and nobody has chosen which."""
        return [] if self.change else [name for name in self.changed if name in self.form.owed_a_word]

    def proposal(self) -> Words:
        return proposed_words(self.form, self.before.content, self.content) if self.before else Words()


def problems_with_changes(steps: Iterable[Step], now: datetime) -> dict[int, list[str]]:
    """Return, by item id, sentences on changes that nobody explained, and on corrections that cannot be told as they are."""
    told = {step.item.pk: _problems_telling(step, step.change) for step in steps if step.change}
    found = told | _unexplained([step for step in steps if step.unexplained], now)
    return {pk: problems for pk, problems in found.items() if problems}


def _unexplained(steps: list[Step], now: datetime) -> dict[int, list[str]]:
    if not steps:
        return {}
    hours = SiteSettings.current().correction_hours
    latest = now - timedelta(hours=hours)
    return {
        step.item.pk: [_unexplained_message(step, hours)]
        for step in steps
        if step.item.first_published_at and step.item.first_published_at <= latest
    }


def _unexplained_message(step: Step, hours: int) -> str:
    fields = ", ".join(str(step.form.base_fields[name].label) for name in step.unexplained)
    since = (
        ngettext(
            "Readers have seen this for more than %(hours)s hour",
            "Readers have seen this for more than %(hours)s hours",
            hours,
        )
        % {"hours": hours}
        if hours
        else _("Readers see this")
    )
    message = _(
        "%(since)s, and this changes: %(fields)s. Say under “Is this a correction?” whether it is an update, a typo or a correction, then publish."
    )
    return message % {"since": since, "fields": fields}


def _problems_telling(step: Step, change: Change) -> list[str]:
    if not change.is_correction:
        return []
    if step.before is None:
        return [_("“%(item)s” is not live, so there is nothing to correct. Choose “No”.") % {"item": step.item}]
    if not step.changed:
        return [_("Nothing differs from what readers see, so there is nothing to correct. Choose “No”.")]
    found = []
    if change.kind not in Correction.Kind.values:
        found.append(_("Choose what kind of correction it is."))
    if not clean_text(change.note):
        found.append(_("Say in a sentence what was wrong and what is right; readers see this note."))
    is_overtaken = change.proposed and not change.is_as_proposed and step.proposal().digest != change.proposed
    if is_overtaken and change.kind != Correction.Kind.REMOVAL:
        found.append(
            _("The text changed while you wrote what it said and what it says now. Look at both again, then publish.")
        )
    return found


def file_corrections(steps: Iterable[Step], *, actor: Actor, now: datetime) -> dict[int, Correction]:
    """Keep and show what is told of these changes, by item id; a removal takes the quotations out of what was told before."""
    return _file(
        [
            _correction(step, step.change, step.before, actor, now)
            for step in steps
            if step.change and step.before and step.change.is_correction
        ]
    )


def file_removal(item: Item, live: Revision, *, note: str, actor: Actor, now: datetime) -> Correction:
    """Keep and show that an item was taken out of public, and why."""
    removal = Correction(
        item=item,
        kind=Correction.Kind.REMOVAL,
        severity=Correction.Severity.SIGNIFICANT,
        note=note,
        from_revision=live,
        published_at=now,
        changed_at=now,
        created_by=actor,
        visible=True,
    )
    return _file([removal])[item.pk]


def _file(corrections: list[Correction]) -> dict[int, Correction]:
    removed = [correction.item_id for correction in corrections if correction.is_removal]
    if removed:
        Correction.objects.filter(item__in=removed).update(said="", says="")
    Correction.objects.bulk_create(corrections)
    return {correction.item_id: correction for correction in corrections}


def _correction(step: Step, change: Change, before: Revision, actor: Actor, now: datetime) -> Correction:
    words = _words_of(step, change)
    return Correction(
        item=step.item,
        kind=change.kind,
        severity=change.severity,
        note=clean_text(change.note)[:LONGEST_NOTE],
        said=words.said,
        says=words.says,
        found_by=clean_line(change.found_by)[:LONGEST_FINDER],
        from_revision=before,
        to_revision=step.after,
        published_at=now,
        changed_at=now,
        created_by=actor,
        visible=True,
    )


def _words_of(step: Step, change: Change) -> Words:
    if change.kind == Correction.Kind.REMOVAL:
        return Words()
    words = change.words if change.words and not change.is_as_proposed else step.proposal()
    return Words(clean_text(words.said)[:LONGEST_WORDS], clean_text(words.says)[:LONGEST_WORDS])


def show_corrections(pks: Sequence[int]) -> None:
    """Show what was told of items that readers see again."""
    Correction.objects.filter(item__in=pks, visible=False).update(visible=True)


def hide_corrections(pks: Sequence[int]) -> None:
    """Hide what was told of items that readers see no longer."""
    Correction.objects.filter(item__in=pks, visible=True).update(visible=False)


def shown_corrections(item: Item | Publishable) -> list[Correction]:
    """Return what readers are told was corrected in an item, or in the item of a public row, the newest first. One query."""
    return list(Correction.objects.live().filter(item=item.pk).newest_first()[:MOST_OF_ITEM])


def visible_rows(kinds: dict[int, str]) -> dict[int, Publishable]:
    """Return those of the items, given as ``{id: kind}``, that readers see, with what titles and addresses need.

    One query for each kind.
    """
    found: dict[int, Publishable] = {}
    for name in dict.fromkeys(kinds.values()):
        model = get_kind(name).model
        rows = model.objects.live().filter(pk__in=[pk for pk, kind in kinds.items() if kind == name])
        found |= {row.pk: row for row in (rows.select_related(*model.parents) if model.parents else rows)}
    return found


def proposed_words(form: type[ContentForm], before: Content, after: Content) -> Words:
    """Return what a correction may quote of a change to what readers see: of long texts what lies round it.

    Names of things are those that readers see; of what they do not see there is no name.
    Two queries where something is named.
    """
    names = [name for name in form.quotable if before.get(name) != after.get(name)]
    fields = {name: form.base_fields[name] for name in names}
    titles = _public_titles(
        [pk for name in names for content in (before, after) for pk in references_of(fields[name], content.get(name))]
    )
    pairs = {
        str(field.label): _round_the_change(
            _shown(field, before.get(name), titles), _shown(field, after.get(name), titles)
        )
        for name, field in fields.items()
    }
    said = {label: old for label, (old, _new) in pairs.items()}
    says = {label: new for label, (_old, new) in pairs.items()}
    return Words(_joined(said), _joined(says))


def _public_titles(ids: list[int]) -> dict[int, str]:
    if not ids:
        return {}
    kinds = dict(Item.objects.filter(pk__in=ids).values_list("pk", "kind"))
    return {pk: row.headline for pk, row in visible_rows(kinds).items()}


def _shown(field: forms.Field, stored: object, titles: dict[int, str]) -> str:
    is_hidden = any(pk not in titles for pk in references_of(field, stored))
    return "" if is_hidden else display_value(field, stored, titles)


def _joined(texts: dict[str, str]) -> str:
    lines = [text if len(texts) == 1 else f"{label}: {text}" for label, text in texts.items() if text]
    return shorten("\n".join(lines), LONGEST_WORDS)


def _round_the_change(before: str, after: str) -> tuple[str, str]:
    """Return both texts, or of long ones what differs with a few words on either side."""
    if max(len(before), len(after)) <= WHOLE:
        return before, after
    parts = compare(before, after)
    head = parts[0].text if parts[0].kind == "same" else ""
    tail = parts[-1].text if parts[-1].kind == "same" else ""
    old, new = (text[len(head) : len(text) - len(tail)] for text in (before, after))
    lead, end = _last_words(head), shorten(tail, CHARS_AFTER)
    gap = tail[: len(tail) - len(tail.lstrip())]
    return f"{lead}{old}{gap}{end}", f"{lead}{new}{gap}{end}"


def _last_words(text: str) -> str:
    starts = [word.start() for word in re.finditer(r"\S+", text)]
    return text if len(starts) <= WORDS_BEFORE else f"…{text[starts[-WORDS_BEFORE] :]}"
