"""The quote picker: the transcript beside the player; words selected there become a draft quote."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils.functional import cached_property
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from episodes.models import Episode, Transcript
from episodes.player import Player, player_of_draft
from episodes.timecodes import format_timecode
from episodes.transcripts.paragraphs import Paragraph, paragraphs
from episodes.transcripts.script import Script, Speaker, SpokenWord, script_of
from episodes.transcripts.service import current_or_newest
from publishing.admin import PublishableAdmin
from publishing.content import Content
from publishing.models import Item
from publishing.permissions import actor_of, can
from publishing.references import item_labels, read_id, write_reference
from publishing.revisions import create_item

from .check import propose_quote
from .checking import names_of, spoken_language
from .finding import alike, find, format_exact, spoken
from .forms import QuoteContentForm
from .models import QuoteCheck

PICKED = ("claim", "speaker", "text", "start_ms", "end_ms", "heard", "context", "topics")
MOST_PICKED = 400  # words of one selection
MOST_LOOKED_AT = 8_000  # characters of a text that is too long for a quote
MOST_SHOWN = 40_000  # words on the page; five hours have as many
MOST_MARKED = 400  # quotes that are marked in the transcript


class PickForm(QuoteContentForm):
    """What the picker asks of a quote; the rest has its own page."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name in set(self.fields) - set(PICKED):
            del self.fields[name]

    def content(self) -> Content:
        """Return the whole content of the new quote, before it is settled."""
        return QuoteContentForm.blank() | self.dump()


@dataclass(frozen=True)
class Selection:
    """Words picked from a transcript, ``first`` to ``last``, both included, and what a quote of them is."""

    first: int
    last: int
    text: str
    speaker: int | None
    label: str  # of the speaker, where no guest is known for it
    start_ms: int | None
    end_ms: int | None
    left_out: list[str]  # the others who speak between
    is_cut: bool

    @property
    def count(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True)
class Marked:
    """A quote that we have already, as a range of words, ``last`` included."""

    first: int
    last: int
    item: Item


class PickerPages(PublishableAdmin):
    """Adds the picker of an episode to the quotes' admin."""

    def get_urls(self):
        wrap = self.admin_site.admin_view
        return [
            path("pick/<int:episode>/", wrap(self.pick_view), name="quotes_quote_pick"),
            path("pick/<int:episode>/look/", wrap(require_POST(self.look_view)), name="quotes_quote_look"),
            *super().get_urls(),
        ]

    def pick_view(self, request: HttpRequest, episode: int) -> HttpResponse:
        """Show the transcript; a POST saves a draft, or only looks again (without JavaScript)."""
        page = self._picker(request, episode)
        if request.method != "POST":
            return self._show_picker(request, page, PickForm(initial=self._initial(request)))
        if not can(request.user, "add"):
            raise PermissionDenied
        if not {"_look", "way", "times"}.isdisjoint(request.POST):
            return self._show_picker(request, page, page.looked_at(request.POST))
        form = PickForm(request.POST)
        if not form.is_valid():
            return self._show_picker(request, page, form, status=422)
        content = QuoteContentForm.settled(form.content(), QuoteContentForm.blank(), page.episode.pk, actor_of(request))
        item = create_item("quote", content, actor=actor_of(request), parents={"episode": page.episode.pk})
        message = format_html(
            _('Saved the draft “<a href="{}">{}</a>”. Go on with the next.'), item.admin_path, str(item)
        )
        self.message_user(request, message, messages.SUCCESS)
        after = f"?after={item.pk}#p-{page.paragraph_at(content.get('end_ms'))}"
        return HttpResponseRedirect(reverse("admin:quotes_quote_pick", args=[episode]) + after)

    def look_view(self, request: HttpRequest, episode: int) -> HttpResponse:
        """Answer with what the check finds of the form as it stands; with ``first`` and ``last``, of the words picked."""
        page = self._picker(request, episode)
        quote = read_id(request.POST.get("quote")) or 0
        selection = page.selected(request.POST.get("first"), request.POST.get("last"))
        content = page.content_of(request.POST, selection)
        finding = find(content, quote=quote, episode=episode)
        if selection:  # a stutter before the first word that counts is not of the quote
            finding = finding.at_its_words()
        shown = {"finding": finding, "alike": alike(content, quote=quote, episode=episode), "page": page}
        answer: dict[str, Any] = {
            "html": render_to_string("admin/quotes/_finding.html", shown | {"selection": selection}, request),
            "verdict": finding.verdict,
            "start": finding.shown_start,
            "end": finding.shown_end,
        }
        if selection:
            answer["picked"] = {
                "text": selection.text,
                "speaker": page.reference(selection.speaker) if selection.label else None,
                "start": format_exact(finding.content["start_ms"]),
                "end": format_exact(finding.content["end_ms"]),
            }
        return JsonResponse(answer, headers={"Cache-Control": "private, no-store"})

    def _picker(self, request: HttpRequest, episode: int) -> "PickerPage":
        if not can(request.user, "view"):
            raise PermissionDenied
        row = get_object_or_404(Episode.objects.select_related("item__head"), pk=episode)
        return PickerPage(row, _asked_transcript(row, request.POST.get("transcript")))

    @staticmethod
    def _initial(request: HttpRequest) -> dict:
        return {"speaker": read_id(request.GET.get("speaker"))} if "speaker" in request.GET else {}

    def _show_picker(self, request: HttpRequest, page: "PickerPage", form: PickForm, status: int = 200) -> HttpResponse:
        content = page.content_of(form.data, None) | (dict(form.initial) if not form.is_bound else {})
        finding = find(content, quote=0, episode=page.episode.pk) if content.get("text") else None
        context = {
            **self.admin_site.each_context(request),
            "is_nav_sidebar_enabled": False,  # the transcript needs the room
            "opts": self.opts,
            "media": self.media + form.media,
            "title": _("Take quotes: %(episode)s") % {"episode": page.episode.item},
            "page": page,
            "form": form,
            "finding": finding,
            "alike": alike(content, quote=0, episode=page.episode.pk) if content.get("text") else [],
            "look_url": reverse("admin:quotes_quote_look", args=[page.episode.pk]),
            "may_add": can(request.user, "add"),
        }
        return render(request, "admin/quotes/pick.html", context, status=status)


def _asked_transcript(episode: Episode, asked: str | None) -> Transcript | None:
    """Return the transcript that the page was made from, else the one to work with now."""
    number = read_id(asked)
    held = Transcript.objects.filter(episode=episode, pk=number).first() if number else None
    return held or current_or_newest(episode.pk)


def with_button(data: QueryDict) -> QueryDict:
    """Return a form as sent, with what its button says: another text, or the times of the words."""
    changed = data.copy()
    if "way" in data:
        changed["text"] = str(data["way"])
    times = data.get("times", "").split()
    if len(times) == 2:
        changed["start_ms"], changed["end_ms"] = times
    return changed


def _as_quoted(item: Item, words: SafeString) -> SafeString:
    """Return words that we have as a quote; the link beside them is drawn and has no text, so that words stay countable."""
    link = '<mark class="said__quote" title="{0}">{2}</mark><a class="said__open" href="{1}" target="_blank" aria-label="{3}"></a>'
    return format_html(link, str(item), item.admin_path, words, _("The quote: %(quote)s") % {"quote": item})


class PickerPage:
    """One episode's transcript as the picker shows it."""

    def __init__(self, episode: Episode, transcript: Transcript | None):
        self.episode = episode
        self.transcript = transcript

    @cached_property
    def script(self) -> Script | None:
        return script_of(self.transcript) if self.transcript else None

    @property
    def speakers(self) -> Mapping[str, Speaker]:
        return self.script.speakers if self.script else {}

    @property
    def language(self) -> str:
        return spoken_language(self.transcript) if self.transcript else "en"

    @cached_property
    def words(self) -> Sequence[SpokenWord]:
        return self.script.words if self.script else ()

    @cached_property
    def paragraphs(self) -> list[Paragraph]:
        found = list(paragraphs(self.script)) if self.script else []
        return [paragraph for paragraph in found if paragraph.last <= MOST_SHOWN]

    @property
    def is_cut(self) -> bool:
        return len(self.words) > MOST_SHOWN

    @cached_property
    def player(self) -> Player:
        """Return the player of the head's media: a draft can be heard too."""
        return player_of_draft(self.episode.item.newest.content)

    @cached_property
    def names(self) -> dict[int, str]:
        """Return the names of the guests that labels stand for. One query."""
        return item_labels({one.guest for one in self.speakers.values() if one.guest})

    @cached_property
    def marked(self) -> list[Marked]:
        """Return the quotes that we have of this transcript, drafts too, by their first word. One query."""
        if self.transcript is None:
            return []
        checks = QuoteCheck.objects.of_heads().filter(transcript=self.transcript, result__first_word__isnull=False)
        found = checks.select_related("quote__item").order_by("quote")[:MOST_MARKED]
        ranges = [Marked(check.result["first_word"], check.result["last_word"], check.quote.item) for check in found]
        return sorted((one for one in ranges if one.first is not None), key=lambda one: (one.first, one.last))

    def reference(self, guest: int | None) -> str:
        """Return a guest as our fields write one."""
        if guest is None:
            return ""
        name = self.names.get(guest) or item_labels({guest}).get(guest)
        return write_reference(guest, name) if name else ""

    def name(self, label: str) -> str:
        """Return the name of the guest whom a label stands for, else the label."""
        known = self.speakers.get(label)
        return self.names.get(known.guest, label) if known and known.guest else label

    def speaker(self, label: str) -> SafeString:
        """Return who a label is, as an editor should see it."""
        known, name = self.speakers.get(label), self.name(label)
        if known and known.is_unsure:
            return format_html('<span class="said__unsure">{}? <small>{}</small></span>', name, _("unsure"))
        return escape(name)

    def paragraph_at(self, ms: int | None) -> int:
        """Return the number of the paragraph that is spoken at a moment."""
        before = [one.first for one in self.paragraphs if ms is not None and (one.start_ms or 0) <= ms]
        return before[-1] if before else 0

    def shown(self) -> Iterator[dict]:
        """Yield each paragraph with its time, speaker and words as HTML; quotes that we have are marked."""
        for paragraph in self.paragraphs:
            yield {
                "first": paragraph.first,
                "start_ms": paragraph.start_ms,
                "time": format_timecode(paragraph.start_ms) if paragraph.start_ms is not None else "",
                "speaker": self.speaker(paragraph.label),
                "html": self._html(paragraph),
            }

    def _html(self, paragraph: Paragraph) -> SafeString:
        parts, at = [], paragraph.first
        for marked in self.marked:
            first, last = max(marked.first, at), min(marked.last + 1, paragraph.last)
            if first >= last:
                continue
            parts.append(self._words(at, first))
            parts.append(_as_quoted(marked.item, self._words(first, last)))
            at = last
        parts.append(self._words(at, paragraph.last))
        return format_html_join(" ", "{}", ((part,) for part in parts if part))

    def _words(self, first: int, last: int) -> SafeString:
        return escape(" ".join(word.w for word in self.words[first:last]))

    def selected(self, first: str | None, last: str | None) -> Selection | None:
        """Return what two numbers of words select, or None. Raises Http404 for words that there are not."""
        if not first or not last or self.transcript is None:
            return None
        if not (first.isdecimal() and last.isdecimal()):
            raise Http404
        ends = sorted((int(first), int(last)))
        if ends[1] >= len(self.words):
            raise Http404
        return self._selection(*ends)

    def between(self, start_ms: int, end_ms: int) -> Selection | None:
        """Return the words that are spoken between two moments, more inside than outside."""
        inside = [
            place
            for place, word in enumerate(self.words)
            if word.start_ms is not None and start_ms <= (word.start_ms + (word.end_ms or word.start_ms)) / 2 <= end_ms
        ]
        return self._selection(inside[0], inside[-1]) if inside else None

    def _selection(self, first: int, end: int) -> Selection:
        last = min(end, first + MOST_PICKED - 1)
        words = self.words[first : last + 1]
        key, _count = Counter(word.speaker for word in words).most_common(1)[0]
        own = [word for word in words if word.speaker == key]
        known = self.speakers.get(own[0].label)
        names = names_of([], [self.episode.pk]).of(0, self.episode.pk)
        text = propose_quote(words, language=self.language, speaker=key, names=names) or spoken(own)
        guest = known.guest if known else None
        others = dict.fromkeys(word.label for word in words if word.speaker != key)
        left_out = [self.name(label) or _("somebody without a label") for label in others]
        return Selection(
            first, last, text, guest, own[0].label, own[0].start_ms, own[-1].end_ms, left_out, is_cut=last < end
        )

    def content_of(self, data, selection: Selection | None) -> Content:
        """Return what the form says as content, as far as it can be read; with a selection, what that says."""
        bound = PickForm(data)
        bound.is_valid()
        content = QuoteContentForm.blank() | {
            name: bound.cleaned_data.get(name) for name in ("claim", "text", "speaker")
        }
        content |= {name: bound.cleaned_data.get(name) for name in ("start_ms", "end_ms", "context")}
        if "text" in bound.errors:  # too long to be kept, but not to be looked at
            content["text"] = data.get("text", "").strip()[:MOST_LOOKED_AT]
        if selection:
            content |= {"text": selection.text, "start_ms": selection.start_ms, "end_ms": selection.end_ms}
        if selection and selection.label:
            content["speaker"] = selection.speaker
        return content

    def looked_at(self, data: QueryDict) -> PickForm:
        """Return the form after “Look” (words between two times) or one of the ways out, without JavaScript."""
        changed = with_button(data)
        content = self.content_of(changed, None)
        start, end = content.get("start_ms"), content.get("end_ms")
        words = self.between(start, end) if start is not None and end is not None else None
        is_asked = "_look" in data and not content.get("text")
        if words and is_asked:
            found = find(self.content_of(changed, words), quote=0, episode=self.episode.pk).at_its_words().content
            changed["text"] = found["text"]
            changed["start_ms"], changed["end_ms"] = format_exact(found["start_ms"]), format_exact(found["end_ms"])
            if words.label:
                changed["speaker"] = self.reference(words.speaker)
        form = PickForm(changed)
        form.fields["claim"].required = False  # that comes later
        if is_asked and not words:
            form.add_error(None, _("No words are spoken between these times. Write when the quote starts and ends."))
        return form
