"""One item's page: what it shows of the head, and what a save comes to."""

from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import QueryDict
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ..content import Content, ContentForm
from ..difference import Part, compare, differences
from ..fields import display_value
from ..kinds import get_kind
from ..merge import Clash
from ..models import Item, ItemLink, Publishable, Revision
from ..permissions import Actor
from ..references import item_labels, read_id
from ..revisions import Clashed, Saved, lock_item, save_draft

USED_ON = 20  # linking items that the page names


@dataclass(frozen=True)
class ShownClash:
    """A field both sides changed, as an editor sees it side by side."""

    name: str
    label: str
    base: str
    mine: str
    theirs: str
    parts: list[Part]


@dataclass
class Outcome:
    """What a save came to: saved, refused by the form, or clashing with somebody's save."""

    form: ContentForm
    base: Revision
    saved: Saved | None = None
    clashed: Clashed | None = None
    messages: list[str] = field(default_factory=list)

    @property
    def is_saved(self) -> bool:
        return self.saved is not None


class ChangePage:
    def __init__(self, form: type[ContentForm], row: Publishable, actor: Actor):
        self.form = form
        self.row = row
        self.item: Item = row.item
        self.actor = actor

    def save(self, data: QueryDict, files: MultiValueDict) -> Outcome:
        """Save a draft of what was typed; the item stays locked from the look to the write."""
        with transaction.atomic():
            item = lock_item(self.item.pk)
            base = self._base(item, data.get("base_revision", ""))
            form = self.form(data, files, uploader=self.actor)
            if not form.is_valid():
                return Outcome(form, base)
            outcome = Outcome(form, base)
            head = item.newest
            try:
                content = self._resolved(form.dump(), head, data)
                outcome.saved = save_draft(item, content, base=base, actor=self.actor)
            except Clashed as clashed:
                outcome.clashed = clashed
                return outcome
            except ValidationError as refused:  # what it links to went between the look and the write
                form.add_error(None, refused)
                return outcome
        outcome.messages = self._messages(outcome.saved, head)
        return outcome

    @staticmethod
    def _base(item: Item, number: str) -> Revision:
        """Return the revision that the form was filled from; without one, the first, so that nothing is overwritten."""
        held = item.revisions.filter(pk=read_id(number)).first()
        return held or item.revisions.earliest("number")

    def _resolved(self, content: Content, head: Revision, data: QueryDict) -> Content:
        """Take the other side's value of a clashing field where the editor chose it.

        Raises Clashed again where a clash was shown and no side chosen.
        """
        unchosen = [name for name in data.getlist("clash") if name in content and f"resolve-{name}" not in data]
        if unchosen:
            clashes = [Clash(name, head.content.get(name), content[name], head.content.get(name)) for name in unchosen]
            raise Clashed(head, content, clashes)
        theirs = {
            name: head.content[name]
            for name in content
            if data.get(f"resolve-{name}") == "theirs" and name in head.content
        }
        return content | theirs

    def _messages(self, saved: Saved, head: Revision) -> list[str]:
        if not saved.is_new:
            return [_("Nothing changed since revision %(number)s.") % {"number": saved.revision.number}]
        at = date_format(timezone.localtime(saved.revision.created_at), "TIME_FORMAT")
        said = [_("Saved %(time)s · revision %(number)s.") % {"time": at, "number": saved.revision.number}]
        if saved.merged:
            labels = ", ".join(str(self.form.base_fields[name].label) for name in saved.merged)
            who = head.created_by or _("somebody")
            said.append(_("Merged with %(who)s's change to %(fields)s.") % {"who": who, "fields": labels})
        return said

    def context(self, outcome: Outcome | None) -> dict:
        """Return what the page shows: the form, where the item stands, what differs, who links here."""
        form, base = self._shown_form(outcome)
        live = self.item.live
        return {
            "form": form,
            "sections": [(label, [form[name] for name in names]) for label, names in self.form.sections],
            "base_revision": base.pk,
            "head": self.item.newest,
            "differences": differences(self.form, live.content, self.item.newest.content)
            if live and self.item.has_draft
            else [],
            "clashes": self._clashes(outcome),
            "missing": self.form.missing(self.item.newest.content),
            "same_slug": same_slug(self.item),
            "used_on": used_on(self.item),
        }

    def _shown_form(self, outcome: Outcome | None) -> tuple[ContentForm, Revision]:
        if outcome is None:
            return self.form(initial=self.form.load(self.item.newest.content)), self.item.newest
        if outcome.clashed:
            return self.form(initial=self.form.load(outcome.clashed.merged)), outcome.clashed.head
        return outcome.form, outcome.base

    def _clashes(self, outcome: Outcome | None) -> list[ShownClash]:
        if outcome is None or outcome.clashed is None:
            return []
        clashes = outcome.clashed.clashes
        sides = ("base", "mine", "theirs")
        contents = [{clash.name: getattr(clash, side) for clash in clashes} for side in sides]
        labels = item_labels({target for content in contents for _role, _place, target in self.form.links_of(content)})
        return [self._shown_clash(clash, labels) for clash in clashes]

    def _shown_clash(self, clash: Clash, labels: dict[int, str]) -> ShownClash:
        form_field = self.form.base_fields[clash.name]
        base, mine, theirs = (
            display_value(form_field, value, labels) for value in (clash.base, clash.mine, clash.theirs)
        )
        return ShownClash(clash.name, str(form_field.label), base, mine, theirs, compare(theirs, mine))


def same_slug(item: Item) -> list[Item]:
    """Return others of the kind, under the same parent, whose heads want the same slug."""
    if not item.working_slug:
        return []
    others = Item.objects.of_kind(item.kind).filter(working_slug=item.working_slug).exclude(pk=item.pk)
    for role in get_kind(item.kind).model.address_parents:
        above = ItemLink.objects.filter(source=item, role=role).values("target")
        others = others.filter(links__role=role, links__target__in=above)
    return list(others[:3])


def used_on(item: Item) -> list[Item]:
    """Return the items whose heads link here, the newest first."""
    linking = ItemLink.objects.filter(target=item).values("source")
    return list(Item.objects.filter(pk__in=linking).order_by("-pk")[:USED_ON])
