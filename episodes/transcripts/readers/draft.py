"""Collect what a reader finds and turn it into a ParsedTranscript, with every repair said."""

import math
import re
from collections import Counter
from dataclasses import dataclass, field

from episodes.timecodes import format_timecode
from episodes.transcripts.parsed import Cue, Message, ParsedTranscript, UnreadableTranscript, Word

from .limits import LONG_WORD_MS, MAX_CUES, MAX_LABEL_CHARS, MAX_TIME_MS, MAX_WORDS

Place = int | str  # a line number, or words such as "segment 14"

_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LINE_BREAKS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_OVERRIDES = re.compile("[\u202d\u202e]")  # they make one name look like another
_TOO_MANY_WORDS = f"The file has more than {MAX_WORDS:,} words."
_SOUND = re.compile(r"(?<!\S)\[[^\[\]\n]{1,60}\][.,;:!?…]?(?!\S)")
_SPEECH_MS_PER_CHAR = 65  # about 150 English words a minute


def clean_text(text: str) -> str:
    """Return text of one or more lines that hold something, without control characters."""
    text = _FORBIDDEN.sub("", _LINE_BREAKS.sub("\n", text))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def clean_line(text: str) -> str:
    """Return text as ``clean_text`` does, on one line and with no override of its direction."""
    return " ".join(_OVERRIDES.sub("", clean_text(text)).split())


def quote(text: str, limit: int = 80) -> str:
    """Return text in quotation marks and on one line, cut at the limit."""
    line = clean_line(text[: limit * 4])
    return f"“{line if len(line) <= limit else line[:limit] + '…'}”"


def is_word(text: str) -> bool:
    return any(character.isalnum() for character in text)


def words_of(text: str) -> list[str]:
    """Return the runs of characters without a space that hold a letter or a digit.

    A note on a sound in square brackets is not spoken. Raises UnreadableTranscript where
    there are far more than MAX_WORDS.
    """
    runs = _SOUND.sub(" ", text).split()
    if len(runs) > 2 * MAX_WORDS:
        raise UnreadableTranscript(_TOO_MANY_WORDS)
    found = [run for run in runs if is_word(run)]
    if len(found) > MAX_WORDS:
        raise UnreadableTranscript(_TOO_MANY_WORDS)
    return found


def speech_ms(text: str) -> int:
    """Return about how long it takes to say a text."""
    return _SPEECH_MS_PER_CHAR * (len(text) + 1)


def to_ms(seconds: object) -> int | None:
    """Return seconds, as a number or as digits, in whole milliseconds rounded half up."""
    if isinstance(seconds, str):
        try:
            seconds = float(seconds.strip().removesuffix("s"))
        except ValueError:
            return None
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    return whole_ms(seconds * 1000) if abs(seconds) < 1e12 else None


def whole_ms(ms: object) -> int | None:
    """Return a number of milliseconds, rounded half up, or None if it is none."""
    if isinstance(ms, str) and re.fullmatch(r"-?[0-9]{1,12}(?:\.[0-9]{1,9})?", ms.strip()):
        ms = float(ms)
    if isinstance(ms, bool) or not isinstance(ms, int | float) or not abs(ms) < 1e15:
        return None
    return math.floor(round(ms, 3) + 0.5)  # 4799.4999999 was 4799.5 before it was a float


@dataclass(slots=True)
class DraftWord:
    text: str
    start_ms: int | None = None
    end_ms: int | None = None
    speaker: str = ""
    confidence: float | None = None


@dataclass(slots=True)
class DraftCue:
    """A cue as the file has it.

    ``words`` is None where the file times no words. ``anchors`` then holds the times
    of the few words that have one, by the word's place in the text.
    """

    start_ms: int | None
    end_ms: int | None
    speaker: str
    text: str
    place: Place
    words: list[DraftWord] | None = None
    anchors: dict[int, int] = field(default_factory=dict)


@dataclass
class Draft:
    """What a reader has found so far."""

    format: str
    language: str = ""
    word_timed: bool = False
    automatic: bool | None = None
    engine: str = ""
    cues: list[DraftCue] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    _counts: Counter[str] = field(default_factory=Counter)
    _limits: dict[str, int] = field(default_factory=dict)
    _word_count: int = 0

    def say(self, kind: str, sentence: str, place: Place | None = None, *, limit: int = 20) -> None:
        """Keep a message; beyond ``limit`` of one kind they are only counted."""
        self._counts[kind] += 1
        self._limits[kind] = limit
        if self._counts[kind] > limit:
            return
        if isinstance(place, str) and place:
            sentence = f"{place}: {sentence}"
        sentence = sentence[:1].upper() + sentence[1:]
        self.messages.append(Message(sentence, place if isinstance(place, int) else None))

    def add(
        self,
        start_ms: int | None,
        end_ms: int | None,
        speaker: str,
        text: str,
        place: Place,
        words: list[DraftWord] | None = None,
        anchors: dict[int, int] | None = None,
    ) -> DraftCue:
        """Take a cue. Raises UnreadableTranscript beyond MAX_CUES."""
        if len(self.cues) >= MAX_CUES:
            raise UnreadableTranscript(f"The file has more than {MAX_CUES:,} cues.")
        cue = DraftCue(start_ms, end_ms, speaker, text, place, words, anchors or {})
        self.cues.append(cue)
        return cue

    def finish(self) -> ParsedTranscript:
        """Return the transcript: cleaned, sorted, each cue ended and each word placed."""
        for cue in self.cues:
            self._clean(cue)
            self._check_times(cue)
        self._sort()
        self._fill_ends()
        self._tell_overlaps()
        words = [word for index, cue in enumerate(self.cues) for word in self._words(index, cue)]
        if not any(cue.text for cue in self.cues):
            self.say("empty", "The file is a transcript without any words.")
        elif all(cue.start_ms is None for cue in self.cues):
            self.say("untimed", "The file has no times, so its words cannot be linked to the sound.")
        return ParsedTranscript(
            format=self.format,
            language=clean_line(self.language[:400])[:40],
            cues=tuple(Cue(cue.start_ms, cue.end_ms, cue.speaker, cue.text) for cue in self.cues),
            words=tuple(words),
            messages=tuple(self._all_messages()),
            word_timed=self.word_timed,
            automatic=self.automatic,
            engine=clean_line(self.engine[:400])[:80],
        )

    def _all_messages(self) -> list[Message]:
        said: Counter[str] = Counter()
        for kind, count in self._counts.items():
            said[kind] = count - self._limits[kind]
        more = [Message(f"And {left:,} more like this: {_KINDS[kind]}.") for kind, left in said.items() if left > 0]
        return self.messages + more

    def _clean(self, cue: DraftCue) -> None:
        cue.text = clean_text(cue.text)
        cue.speaker = self._label(cue.speaker, cue.place)

    def _label(self, label: str, place: Place) -> str:
        label = clean_line(label[: MAX_LABEL_CHARS * 4])
        if len(label) > MAX_LABEL_CHARS:
            self.say("label", f"the speaker’s label {quote(label, 40)} is cut at {MAX_LABEL_CHARS} characters.", place)
        return label[:MAX_LABEL_CHARS].strip()

    def _check_times(self, cue: DraftCue) -> None:
        cue.start_ms = self._in_range(cue.start_ms, cue)
        cue.end_ms = self._in_range(cue.end_ms, cue)
        if cue.start_ms is None:
            cue.end_ms = None
        elif cue.end_ms is not None and cue.end_ms < cue.start_ms:
            sentence = f"the cue ends before it starts, at {format_timecode(cue.start_ms)}; its end is left out."
            self.say("backwards", sentence, cue.place)
            cue.end_ms = None
        elif cue.end_ms == cue.start_ms and cue.text:
            self.say("zero", f"the cue at {format_timecode(cue.start_ms)} has no length.", cue.place, limit=5)

    def _in_range(self, ms: int | None, cue: DraftCue) -> int | None:
        if ms is None or 0 <= ms <= MAX_TIME_MS:
            return ms
        if ms < 0:
            self.say("negative", "a time lies before the start; it is read as 0:00.", cue.place)
            return 0
        self.say("late", "a time lies beyond 48 hours and is left out.", cue.place)
        return None

    def _sort(self) -> None:
        """Put the cues in order of their starts; one without a start stays behind the one before it."""
        latest = key = 0
        keys = []
        for cue in self.cues:
            if cue.start_ms is not None:
                key = cue.start_ms
                if key < latest:
                    sentence = f"the cue at {format_timecode(key)} stands after a later one; it is moved up."
                    self.say("order", sentence, cue.place)
                latest = max(latest, key)
            keys.append(key)
        order = sorted(range(len(keys)), key=keys.__getitem__)
        self.cues = [self.cues[index] for index in order]

    def _fill_ends(self) -> None:
        """Let the next later start end each cue that has a start only."""
        later = start = None
        for cue in reversed(self.cues):
            if cue.start_ms is None:
                continue
            if cue.start_ms != start:
                later, start = start, cue.start_ms
            if cue.end_ms is None:
                cue.end_ms = later

    def _tell_overlaps(self) -> None:
        timed = [cue for cue in self.cues if cue.start_ms is not None]
        count, first = 0, None
        for cue, following in zip(timed, timed[1:], strict=False):
            same = (cue.start_ms, cue.end_ms) == (following.start_ms, following.end_ms)
            if not same and (cue.end_ms or 0) - (following.start_ms or 0) > 100:
                count, first = count + 1, first or cue
        if first is not None:
            cues = "1 cue overlaps" if count == 1 else f"{count:,} cues overlap"
            place = first.place if isinstance(first.place, int) else None
            self.say("overlap", f"{cues} the next, the first at {format_timecode(first.start_ms or 0)}.", place)

    def _words(self, index: int, cue: DraftCue) -> list[Word]:
        words = self._estimated(index, cue) if cue.words is None else self._measured(index, cue)
        self._word_count += len(words)
        if self._word_count > MAX_WORDS:
            raise UnreadableTranscript(_TOO_MANY_WORDS)
        return words

    def _estimated(self, index: int, cue: DraftCue) -> list[Word]:
        """Share the cue's time out among its words, from one anchor to the next."""
        texts = words_of(cue.text)
        if cue.start_ms is None:
            starts = [cue.anchors.get(place) for place in range(len(texts))]
            return [
                Word(text, start, None, cue.speaker, None, False, index)
                for text, start in zip(texts, starts, strict=True)
            ]
        marks = _rising_marks(cue, len(texts))
        words = []
        for (first, start), (last, end) in zip(marks, marks[1:], strict=False):
            times = share_time(texts[first:last], start or 0, end)
            words += [
                Word(text, begins, ends, cue.speaker, None, True, index)
                for text, (begins, ends) in zip(texts[first:last], times, strict=True)
            ]
        return words

    def _measured(self, index: int, cue: DraftCue) -> list[Word]:
        drafts = _joined(cue.words or [])
        self._check_words(drafts, cue)
        untimed = {place for place, draft in enumerate(drafts) if draft.start_ms is None}
        self._fill_words(drafts, untimed, cue)
        return [
            Word(
                draft.text,
                draft.start_ms,
                draft.end_ms,
                self._label(draft.speaker, cue.place) or cue.speaker,
                draft.confidence,
                place in untimed and draft.start_ms is not None,
                index,
            )
            for place, draft in enumerate(drafts)
        ]

    def _check_words(self, drafts: list[DraftWord], cue: DraftCue) -> None:
        latest = 0
        for draft in drafts:
            for bound in (draft.start_ms, draft.end_ms):
                if bound is not None and not 0 <= bound <= MAX_TIME_MS:
                    self.say(
                        "word range", f"the time of {quote(draft.text)} is out of range and is left out.", cue.place
                    )
                    draft.start_ms = draft.end_ms = None
            if draft.start_ms is None:
                draft.end_ms = None
                continue
            at = format_timecode(draft.start_ms)
            if draft.end_ms is not None and draft.end_ms < draft.start_ms:
                self.say("word backwards", f"{quote(draft.text)} at {at} ends before it starts.", cue.place)
                draft.end_ms = None
            length = None if draft.end_ms is None else draft.end_ms - draft.start_ms
            if length == 0:
                self.say("word zero", f"{quote(draft.text)} at {at} has no length.", cue.place, limit=5)
            elif length is not None and length > LONG_WORD_MS:
                sentence = f"{quote(draft.text)} at {at} lasts {length / 1000:.1f} seconds; its time is in doubt."
                self.say("word long", sentence, cue.place)
            if draft.start_ms < latest:
                self.say("word order", f"{quote(draft.text)} at {at} starts before the word in front of it.", cue.place)
            latest = max(latest, draft.start_ms)

    def _fill_words(self, drafts: list[DraftWord], untimed: set[int], cue: DraftCue) -> None:
        """Estimate the words without a time from those on either side."""
        place = 0
        while place < len(drafts):
            if place not in untimed:
                place += 1
                continue
            first = place
            while place < len(drafts) and place in untimed:
                place += 1
            start = cue.start_ms
            open_ended = first > 0 and drafts[first - 1].end_ms is None
            if first:
                before = drafts[first - 1]
                start = before.start_ms if before.end_ms is None else before.end_ms
            end = drafts[place].start_ms if place < len(drafts) else cue.end_ms
            if start is None:
                continue
            run = drafts[first - open_ended : place]  # a word without an end takes its share too
            times = share_time([draft.text for draft in run], start, end)
            for draft, (begins, ends) in zip(run[open_ended:], times[open_ended:], strict=True):
                draft.start_ms, draft.end_ms = begins, ends
        if 0 < len(untimed) < len(drafts):
            count = "1 word has" if len(untimed) == 1 else f"{len(untimed)} words have"
            text = drafts[min(untimed)].text
            self.say("word untimed", f"{count} no time, the first {quote(text)}; it is estimated.", cue.place)


_KINDS = {
    "label": "labels that are cut",
    "backwards": "cues that end before they start",
    "zero": "cues without length",
    "negative": "times before the start",
    "late": "times beyond 48 hours",
    "order": "cues out of order",
    "word range": "words with a time out of range",
    "word backwards": "words that end before they start",
    "word zero": "words without length",
    "word long": "words that last too long",
    "word order": "words out of order",
    "word untimed": "words without a time",
    "lost": "text without a time",
    "loose": "times not as the standard asks",
    "unreadable": "times that cannot be read",
    "unreadable end": "ends that cannot be read",
    "no start": "cues without a start time",
    "no words": "segments without a word",
    "gap": "text after an empty line",
    "change": "changes of speaker without a name",
    "voices": "cues with several voices",
    "rare": "labels that come once",
    "repeat": "repeated segments",
    "script": "scripts and styles",
    "tag": "unknown tags",
    "clock": "times that are none",
    "heading": "headings",
    "before": "lines before the first turn",
    "break": "breaks",
    "marks": "times within turns",
    "footer": "lines of the program that wrote the file",
}


def share_time(texts: list[str], start: int, end: int | None) -> list[tuple[int, int]]:
    """Return a start and an end for each text, in proportion to their lengths.

    Without an end they last as long as speech does.
    """
    sizes = [len(text) + 1 for text in texts]
    whole = sum(sizes)
    length = _SPEECH_MS_PER_CHAR * whole if end is None else max(end - start, 0)
    times, done = [], 0
    for size in sizes:
        begins = start + length * done // whole
        done += size
        times.append((begins, start + length * done // whole))
    return times


def _rising_marks(cue: DraftCue, count: int) -> list[tuple[int, int | None]]:
    """Return pairs of a word's place and its time, from the cue's start to its end."""
    marks: list[tuple[int, int | None]] = [(0, cue.start_ms)]
    latest = cue.start_ms or 0
    for place, ms in sorted(cue.anchors.items()):
        if 0 < place < count and latest < ms and (cue.end_ms is None or ms < cue.end_ms):
            marks.append((place, ms))
            latest = ms
    return [*marks, (count, cue.end_ms)]


def _joined(drafts: list[DraftWord]) -> list[DraftWord]:
    """Return words only: a sign that is listed by itself joins the word before it."""
    words: list[DraftWord] = []
    for draft in drafts:
        draft.text = clean_line(draft.text)
        if is_word(draft.text):
            words.append(draft)
        elif draft.text and words and not draft.text.startswith(("-", "–", "—", "(", "[")):
            words[-1].text += draft.text
    return words
