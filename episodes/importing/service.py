"""Importing a feed: the whole file is read first, then written in chunks, each its own transaction."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from publishing.acts import PublishRefused, publish_many
from publishing.content import Content, ContentForm
from publishing.jobs import enqueue_many
from publishing.merge import changed_fields, fill_gaps, take_over
from publishing.models import Item, Revision
from publishing.permissions import Actor
from publishing.reports import ImportReport
from publishing.revisions import NewItem, create_items, edited_since_live, save_revisions
from publishing.turns import import_turn

from ..forms import EpisodeContentForm, ShowContentForm
from ..models import FeedEntry, FeedSource, Show
from .matching import FileNames, Home, enclosure_key, find_known, home_of, media_for
from .parsed import ParsedFeed, ParsedItem
from .people import People, people_of
from .plans import LONGEST_ADDRESS, Plan, extras_of, fits, importable
from .values import episode_values, show_values

Progress = Callable[[int, int], None]
T = TypeVar("T")


class ImportRefused(Exception):
    """Why a feed that can be read is not imported, as a sentence; nothing was written."""


class NeedsConfirmation(ImportRefused):
    """Raised where an editor must say that the owner agrees; nothing was written."""


@dataclass
class Options:
    """How to import. ``show`` is where a feed that we do not know goes.

    ``source`` is what the feed is read as, whatever its address is by now. With ``publish``
    all that nobody edited here is published, with ``publish_new`` only what this run makes.
    """

    actor: Actor = None
    show: Show | None = None
    source: FeedSource | None = None
    publish: bool = False
    publish_new: bool = False
    dry_run: bool = False
    limit: int | None = None
    owner_agrees: bool = False
    progress: Progress = lambda done, of: None


def import_feed(feed: ParsedFeed, address: str, options: Options) -> ImportReport:
    """Import a parsed feed that came from an address; returns what was done.

    Idempotent: a second run changes nothing. Fields that were edited here since are
    left alone; nothing is ever deleted. With ``dry_run`` all of it is rolled back.
    Each chunk waits its turn, so that two imports at once see what the other made.
    Raises ImportRefused, NeedsConfirmation for a locked feed whose owner was not asked,
    and Disturbed where somebody changed the same things at that moment.
    """
    if not fits(address, LONGEST_ADDRESS):
        raise ImportRefused(_("The feed's address is longer than any that works."))
    run = _Import(feed, address, options)
    if not options.dry_run:
        return run.run()
    with import_turn():
        report = run.run()
        transaction.set_rollback(True)
    return report


def check_home(home: Home, chosen: Show | None) -> None:
    """Refuse a show for a feed that is another's. Raises ImportRefused naming both."""
    if home.show and chosen and home.show.pk != chosen.pk:
        message = _("This feed already belongs to “%(held)s”, not to “%(wanted)s”.")
        raise ImportRefused(message % {"held": home.show, "wanted": chosen})


def check_locked(feed: ParsedFeed, source: FeedSource | None, owner_agrees: bool) -> None:
    """Refuse a locked feed whose owner was never asked. Raises NeedsConfirmation."""
    has_agreed = owner_agrees or (source is not None and source.owner_agrees)
    if feed.locked and not has_agreed:
        raise NeedsConfirmation(_("The feed says that it is locked: its owner wants nobody to import it unasked."))


class _Import:
    """One run: the source, the people met so far, the report."""

    def __init__(self, feed: ParsedFeed, address: str, options: Options):
        self.feed = feed
        self.address = address
        self.options = options
        self.report = ImportReport(is_dry_run=options.dry_run, repaired=list(feed.repairs))
        self.report.warnings += [warning.message for warning in feed.warnings]
        self.pictures: dict[str, dict] = {}

    def run(self) -> ImportReport:
        with import_turn():
            self.source = self._source()
        self.people = People(self.source, self.options.actor, self.report)
        self.report.about = str(Item.objects.get(pk=self.source.show_id))
        items = self._episodes()
        done = 0
        for chunk in in_chunks(items, settings.IMPORT_CHUNK_SIZE):
            with import_turn():
                self._import_chunk(chunk)
            done += len(chunk)
            self.options.progress(done, len(items))
        return self.report

    def _tell(self, sentence: str) -> None:
        self.report.warnings.append(sentence)

    # The show

    def _source(self) -> FeedSource:
        """Return the feed's source with its show made, or updated where nobody has edited it."""
        values = show_values(self.feed, self.address, self._tell)
        home = self._home()
        check_locked(self.feed, home.source, self.options.owner_agrees)
        source = home.source
        if source is None:
            show = home.show or self._new_show(values)
            # A show that we had before its feed: what its editors wrote is the base, and stays.
            base = values if show.item.newest.kind == Revision.Kind.IMPORT else {}
            source = FeedSource.objects.create(show=show, address=self.address, values=base, read_at=timezone.now())
        self._update_show(source, values)
        self._publish_show(source.show)
        self._want_picture(source.show.item, self.feed.image_url, publish=self.options.publish)
        self._fetch_pictures()
        return source

    def _home(self) -> Home:
        if self.options.source is None:
            home = home_of(self.feed, self.address, self.options.show)
            check_home(home, self.options.show)
            return home
        source = FeedSource.objects.select_related("show__item").filter(pk=self.options.source.pk).first()
        if source is None:
            raise _show_deleted()
        return Home(source, source.show)

    def _new_show(self, values: Content) -> Show:
        columns = {"podcast_guid": self.feed.podcast_guid} if self.feed.podcast_guid else {}
        new = NewItem("show", ShowContentForm.blank() | values, columns=columns)
        item = create_items([new], actor=self.options.actor, kind=Revision.Kind.IMPORT)[0]
        return Show.objects.get(pk=item.pk)

    def _update_show(self, source: FeedSource, values: Content) -> None:
        item = Item.objects.locked().get(pk=source.show_id)
        head = item.newest.content
        if source.values:
            content, kept = take_over(source.values, head, values)
        else:
            content, kept = fill_gaps(ShowContentForm.blank(), head, values)
        if kept:
            self._tell(
                _("The show's %(fields)s was edited here and stays.") % {"fields": labels(ShowContentForm, kept)}
            )
        if content != head:
            save_revisions([(item, content)], actor=self.options.actor, kind=Revision.Kind.IMPORT)
            changed = labels(ShowContentForm, changed_fields(head, content))
            self._tell(_("Of the show itself, what follows the feed now: %(fields)s.") % {"fields": changed})
        self._remember_show(source, values)

    def _remember_show(self, source: FeedSource, values: Content) -> None:
        """Keep what the feed says of the show: the base of the next merge."""
        told = {
            "values": values,
            "podcast_guid": self.feed.podcast_guid or source.podcast_guid,
            "owner_agrees": source.owner_agrees or bool(self.feed.locked),
        }
        if any(getattr(source, name) != value for name, value in told.items()):
            for name, value in told.items():
                setattr(source, name, value)
            source.read_at = timezone.now()
            source.save(update_fields=[*told, "read_at"])

    def _publish_show(self, show: Show) -> None:
        item = Item.objects.get(pk=show.pk)
        if self.options.publish and item.has_draft and item.retired_at is None and not edited_since_live([item.pk]):
            self._publish([item])

    # Episodes

    def _episodes(self) -> list[ParsedItem]:
        """Return the items to import; the others are told with their reason."""
        taken, skipped = importable(self.feed)
        self.report.skipped += skipped
        self.names = FileNames.of(taken)
        return taken[: self.options.limit]

    def _import_chunk(self, items: Sequence[ParsedItem]) -> None:
        plans = [Plan(item, people_of(item, self.feed)) for item in items]
        source = FeedSource.objects.select_related("show").filter(pk=self.source.pk).first()
        if source is None:
            raise _show_deleted()
        self.source = source
        self.people.recall(source)
        find_known(Home(source, source.show), plans, self.names)
        self.people.learn([one for plan in plans for one in plan.named])
        media = media_for(plans, self._tell)
        for plan in plans:
            guests = self.people.rows(plan.named)
            plan.values = episode_values(plan.item, self.address, guests, media[plan.item.index], self._tell)
        self._update([plan for plan in plans if plan.held is not None])
        self._make([plan for plan in plans if plan.held is None])
        self._remember(plans)
        self.people.remember()
        for plan in plans:
            self._want_picture(plan.episode, plan.item.image_url, publish=self._publishes(plan))
        self._fetch_pictures()
        ready = [plan for plan in plans if self._publishes(plan)]
        if ready:
            self._publish_chunk(ready)

    def _publishes(self, plan: Plan) -> bool:
        return self.options.publish or (self.options.publish_new and plan.is_new)

    def _make(self, plans: list[Plan]) -> None:
        new = [
            NewItem(
                "episode",
                EpisodeContentForm.blank() | plan.values,
                {"show": self.source.show_id},
                {"guid": plan.guid},
            )
            for plan in plans
        ]
        items = create_items(new, actor=self.options.actor, kind=Revision.Kind.IMPORT) if new else []
        for plan, item in zip(plans, items, strict=True):
            plan.held, plan.is_new = item, True
            self.report.made.append(plan.title)

    def _update(self, plans: list[Plan]) -> None:
        """Save what the feed changed since, where nobody has edited it here."""
        locked = {item.pk: item for item in Item.objects.locked().filter(pk__in=[plan.episode.pk for plan in plans])}
        heads = Revision.objects.in_bulk([item.head_id for item in locked.values()])
        drafts = []
        for plan in plans:
            item = plan.held = locked[plan.episode.pk]
            head = heads[item.head_id].content
            content, kept = self._taken_over(plan, head)
            if kept:
                self.report.left_alone.append(f"{plan.title}: {labels(EpisodeContentForm, kept)}")
            if content != head:
                drafts.append((item, content))
                self.report.updated.append(plan.title)
            else:
                self.report.unchanged += 1
        if drafts:
            save_revisions(drafts, actor=self.options.actor, kind=Revision.Kind.IMPORT)

    @staticmethod
    def _taken_over(plan: Plan, head: Content) -> tuple[Content, list[str]]:
        if plan.entry is not None:
            return take_over(plan.entry.values, head, plan.values)
        return fill_gaps(EpisodeContentForm.blank(), head, plan.values)

    def _remember(self, plans: list[Plan]) -> None:
        """Keep what each item says now: the base of the next merge."""
        now = timezone.now()
        new, moved = [], []
        for plan in plans:
            told = {
                "enclosure_url": plan.item.enclosure_url or "",
                "enclosure_key": enclosure_key(plan.item.enclosure_url),
                "values": plan.values,
                "extras": extras_of(plan.item),
            }
            if plan.entry is None or plan.entry.source_id != self.source.pk:
                new.append(
                    FeedEntry(source=self.source, episode_id=plan.episode.pk, guid=plan.guid, read_at=now, **told)
                )
            elif (
                any(getattr(plan.entry, name) != value for name, value in told.items()) or plan.entry.guid != plan.guid
            ):
                for name, value in told.items():
                    setattr(plan.entry, name, value)
                plan.entry.guid, plan.entry.read_at = plan.guid, now
                moved.append(plan.entry)
        FeedEntry.objects.bulk_create(new)
        FeedEntry.objects.bulk_update(moved, ["guid", "enclosure_url", "enclosure_key", "values", "extras", "read_at"])

    # Pictures come later, by jobs

    def _want_picture(self, item: Item, address: str | None, *, publish: bool) -> None:
        if address and len(address) > LONGEST_ADDRESS:
            self._tell(_("“%(item)s”: the address of its picture is longer than any that works.") % {"item": item})
        elif address:
            self.pictures[f"artwork:{item.uid}:{address}"[:200]] = {
                "item": item.pk,
                "address": address,
                "publish": publish,
            }

    def _fetch_pictures(self) -> None:
        enqueue_many("fetch-artwork", self.pictures)
        self.pictures = {}

    # Publishing

    def _publish_chunk(self, plans: list[Plan]) -> None:
        """Publish what nobody has edited, with the new guests that it names; the rest stays draft, with the reason."""
        items = Item.objects.in_bulk([plan.episode.pk for plan in plans])
        heads = Revision.objects.in_bulk([item.head_id for item in items.values()])
        drafts = [item for item in items.values() if item.has_draft]
        edited = edited_since_live([item.pk for item in drafts])
        ready = []
        for item in drafts:
            why = why_draft(item, heads[item.head_id].content, edited)
            if why:
                self.report.kept_draft.append(f"{item}: {why}")
            else:
                ready.append(item)
        named = {row["guest"] for item in ready for row in heads[item.head_id].content["guests"]}
        guests = Item.objects.filter(pk__in=named, first_published_at__isnull=True)
        edited = edited_since_live([guest.pk for guest in guests])
        self._publish([*(guest for guest in guests if guest.pk not in edited), *ready])

    def _publish(self, items: list[Item]) -> None:
        """Publish all at once; where one is refused, each by itself, so that one does not stop the rest."""
        try:
            with transaction.atomic():
                self.report.published += (
                    [str(item) for item in publish_many(items, actor=self.options.actor)] if items else []
                )
        except PublishRefused as refused:
            if len(items) == 1:
                self.report.kept_draft.append(f"{items[0]}: {' '.join(refused.messages)}")
                return
            for item in items:
                self._publish([item])


def why_draft(item: Item, content: Content, edited: set[int]) -> str:
    """Return why an import leaves an item unpublished, or an empty text."""
    if item.retired_at is not None:
        return _("retired here")
    if item.pk in edited:
        return _("edited here since, so it waits for an editor")
    missing = EpisodeContentForm.missing(content)
    return _("missing: %(fields)s") % {"fields": ", ".join(missing)} if missing else ""


def _show_deleted() -> ImportRefused:
    return ImportRefused(_("The show was deleted while its feed was imported."))


def labels(form: type[ContentForm], names: list[str]) -> str:
    return ", ".join(str(form.base_fields[name].label) for name in names)


def in_chunks(items: Sequence[T], size: int) -> Iterator[list[T]]:
    left = iter(items)
    while chunk := list(islice(left, size)):
        yield chunk
