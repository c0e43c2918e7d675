"""Things for tests, made through the same services as everything else.

Fixed defaults, no random text; a test passes only what it is about. ``live=False``
leaves a draft. Each returns the public row, fresh from the database.
"""

import itertools
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

from django.apps import apps
from django.contrib.auth.models import Group, User

from episodes.models import Episode, Guest, MediaFile, Show, Topic, Transcript
from episodes.transcripts.current import make_current
from episodes.transcripts.parsed import Cue
from episodes.transcripts.service import About, add_transcript, name_speakers
from episodes.transcripts.writers import write_vtt
from publishing.acts import publish
from publishing.content import ContentForm
from publishing.groups import make_groups
from publishing.kinds import get_kind
from publishing.models import Correction, Item, Publishable
from publishing.revisions import NewItem, create_items, save_revision
from quotes.marks import words_key
from quotes.models import Quote

_numbers = itertools.count(1)

REASON = "There is no transcript to check it against."  # of a publisher who answers for a quote
SUMMARY = "Grid engineer Ada Okafor explains how city storage moved from pilot to routine."


def make_user(name: str = "ines", group: str | None = "Editor", **fields) -> User:
    user = User.objects.create_user(name, password="correct horse battery", is_staff=True, **fields)
    if group:
        if not Group.objects.exists():  # a test with real transactions ends with a flush
            make_groups(apps)
        user.groups.add(Group.objects.get(name=group))
    return user


def make_item(
    kind: str, content: dict, *, live: bool, parents: dict[str, int] | None = None, columns: dict | None = None
) -> Item:
    form: type[ContentForm] = get_kind(kind).form
    full = form.check_content(form.blank() | content)
    if kind == "quote":
        full = as_heard(full, content)
    item = create_items([NewItem(kind, full, parents or {}, columns or {})], actor=None)[0]
    return publish(item, actor=None, reason=REASON if kind == "quote" else "") if live else item


def as_heard(full: dict, given: dict) -> dict:
    """Return a quote's content with the mark of somebody who heard it as it stands, unless ``given`` says None."""
    mark = given.get("heard", {"by": "Ines", "at": "2026-05-15T09:00:00Z"})
    return full | {"heard": mark and mark | {"of": words_key(full)}}


def edit(row, **content) -> Item:
    """Save a draft over an item, as another editor would."""
    item = Item.objects.get(pk=row.pk)
    head = item.head.content
    full = get_kind(item.kind).form.check_content(head | content)
    if item.kind == "quote":
        full = as_heard(full, content)
    save_revision(item, full, actor=None)
    return item


def make_show(*, live: bool = True, **content) -> Show:
    number = next(_numbers)
    item = make_item("show", {"title": f"Show {number}"} | content, live=live)
    return Show.objects.get(pk=item.pk)


def make_guest(*, live: bool = True, **content) -> Guest:
    number = next(_numbers)
    item = make_item("guest", {"name": f"Guest {number}"} | content, live=live)
    return Guest.objects.get(pk=item.pk)


def make_topic(*, live: bool = True, **content) -> Topic:
    number = next(_numbers)
    item = make_item("topic", {"name": f"Topic {number}"} | content, live=live)
    return Topic.objects.get(pk=item.pk)


def make_episode(*, live: bool = True, show: Show | None = None, guid: str = "", **content) -> Episode:
    number = next(_numbers)
    show = show or make_show()
    content = {"title": f"Episode {number}", "summary": SUMMARY, "aired_at": "2026-05-14T10:00:00Z"} | content
    item = make_item(
        "episode", content, live=live, parents={"show": show.pk}, columns={"guid": guid or f"guid-{number}"}
    )
    return Episode.objects.get(pk=item.pk)


def make_quote(*, live: bool = True, episode: Episode | None = None, speaker: Guest | None = None, **content) -> Quote:
    number = next(_numbers)
    episode = episode or make_episode()
    speaker = speaker or make_guest()
    start_ms = 60_000 * (number % 1_000 + 1)  # within a day, however many tests came before
    content = {
        "claim": f"Claim {number}",
        "text": f"We put it where the buses sleep, number {number}.",
        "context": "Ada Okafor, then a grid engineer, talks about depot batteries.",
        "speaker": speaker.pk,
        "start_ms": start_ms,
        "end_ms": start_ms + 17_600,
    } | content
    item = make_item("quote", content, live=live, parents={"episode": episode.pk})
    return Quote.objects.get(pk=item.pk)


CUES = [
    (1_000, "Tomas Lund", "Where did you put it?"),
    (4_000, "Ada Okafor", "We uh put it put it where the buses sleep."),
    (9_000, "Ada Okafor", "Nobody noticed."),
]


def make_transcript(
    episode: Episode,
    cues: Sequence[tuple[int, str, str]] = CUES,
    *,
    current: bool = True,
    who: Mapping[str, Guest] | None = None,
    **about,
) -> Transcript:
    """Bring in cues of ``(start_ms, label, text)``; labels of which nothing is said in ``who`` stay unsure."""
    ends = [start for start, _label, _text in cues[1:]] + [cues[-1][0] + 4_000]
    held = [Cue(start, end, label, text) for (start, label, text), end in zip(cues, ends, strict=True)]
    known = {"language": "en", "engine": "Whisper large-v3", "made_on": date(2026, 5, 15), "is_automated": True}
    added = add_transcript(episode, write_vtt(held), About(**known | about), actor=None, make_it_current=False)
    named = {label: (guest.pk, "sure") for label, guest in (who or {}).items()}
    transcript = name_speakers(added.transcript, named, actor=None)
    if current:
        make_current(transcript, actor=None)
    return Transcript.objects.get(pk=transcript.pk)


def make_audio(address: str = "https://media.example.org/one.mp3", **fields) -> MediaFile:
    defaults = {"kind": "audio", "mime": "audio/mpeg", "bytes": 1_000_000, "duration_ms": 6_082_000}
    return MediaFile.objects.create(address=address, **defaults | fields)


def make_corrections(row: Publishable, count: int = 1, *, at: datetime | None = None, **fields) -> list[Correction]:
    """Keep so many corrections of a live thing, a minute apart, as if publishers had filed them."""
    item = Item.objects.get(pk=row.pk)
    facts = {"kind": "factual", "note": "It was another figure.", "said": "Nine.", "says": "Ten.", "visible": True}
    revisions = {"from_revision_id": item.live_id, "to_revision_id": item.live_id}
    moments = [(at or item.published_at) + timedelta(minutes=number) for number in range(count)]
    return Correction.objects.bulk_create(
        [
            Correction(item=item, published_at=moment, changed_at=moment, **facts | revisions | fields)
            for moment in moments
        ]
    )
