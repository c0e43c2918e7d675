"""The sentences of the check: why something is refused, and what was done to a quote."""

from collections.abc import Sequence

from .result import CheckResult, Problem, ProblemKind, Reason, RemovedKind, Verdict, Why

KINDS = {
    RemovedKind.FILLER: ("filler sound", "filler sounds"),
    RemovedKind.STUTTER: ("stutter", "stutters"),
    RemovedKind.REPETITION: ("repetition", "repetitions"),
    RemovedKind.FALSE_START: ("false start", "false starts"),
    RemovedKind.DISCOURSE_MARKER: ("filler word", "filler words"),
    RemovedKind.OTHER_SPEAKER: ("interjection by others", "interjections by others"),
}
REASONS = {
    Reason.NONE: "",
    Reason.NO_WORDS: "there is no transcript with words",
    Reason.NO_WORDS_IN_REGION: "the transcript has no words at these times",
    Reason.LANGUAGE: "the words of this language cannot be told apart",
    Reason.NO_QUOTE: "the quote has no words",
}
_STAYS = {
    Why.NONE: ("has a meaning", "has a meaning"),
    Why.NEGATION: ("is a negation", "holds a negation"),
    Why.LIMIT: ("limits what is said", "limits what is said"),
    Why.NUMBER: ("is a number", "holds a number"),
    Why.PART_OF_NUMBER: (
        "belongs to the number, which is quoted whole",
        "belongs to the number, which is quoted whole",
    ),
    Why.HEDGE: ("is a hedge", "holds a hedge"),
    Why.EMPHASIS: ("is said again for emphasis", "is said again for emphasis"),
    Why.LIKE: ("can mean “about” or bring in speech here", "can mean “about” or bring in speech here"),
}


_NEVER_HIDDEN = frozenset({Why.NEGATION, Why.LIMIT, Why.PART_OF_NUMBER})
_PROTECTED = frozenset({Why.NEGATION, Why.LIMIT, Why.NUMBER, Why.HEDGE})
_MOST_ADDED = 4  # words of a bracket


def explain(problem: Problem) -> str:
    """Return why this is refused and what to do, naming the word."""
    if problem.why is Why.NOT_FOUND:
        return (
            "These words were not found in the transcript here. Look at the times and the speaker, or select the words."
        )
    if problem.kind is ProblemKind.MEANINGFUL_DELETION:
        return _explain_deletion(problem)
    if problem.kind is ProblemKind.REORDERED:
        word = quoted(problem.quote_words)
        return f"{word} was said in another place. {_ways(problem, 'Put it back there')}."
    if problem.kind is ProblemKind.INSERTED:
        return _explain_insertion(problem)
    return _explain_substitution(problem)


def quoted(words: Sequence[str]) -> str:
    """Return words in quotation marks, without the punctuation at their edges."""
    text = " ".join(words)
    return f"“{text.strip(' ,.;:?!…-–—“”') or text.strip()}”"


def _explain_deletion(problem: Problem) -> str:
    word = quoted(problem.raw_words)
    if problem.why is Why.LONG_ELLIPSIS:
        return f"An omission of {len(problem.raw_words)} words is too long for one quote. Make two quotes of it."
    if problem.why is Why.OTHER_SPEAKER:
        return f"{word} was said by another speaker in between. Mark an omission with …."
    if problem.why is Why.HIDDEN:
        return f"{word} may not be hidden by …: the sentence means something else without it. Put it back."
    reason = _STAYS[problem.why][len(problem.raw_words) > 1]
    return f"{word} {reason}: it stays. {_ways(problem, 'Put it back')}."


def _ways(problem: Problem, first: str) -> str:
    """Return the ways out; an ellipsis is none where the words say too much for it."""
    is_hidden = problem.why in _NEVER_HIDDEN
    return f"{first} or use [brackets]" if is_hidden else f"{first}, mark an omission with …, or use [brackets]"


def _explain_insertion(problem: Problem) -> str:
    word = quoted(problem.quote_words)
    if problem.why is Why.BRACKET:
        return f"[{word[1:-1]}] may not be added: at most four words, no negation, number or hedge. Take it out."
    if problem.why is Why.OTHER_SPEAKER:
        return f"{word} was said by another speaker. Take it out, or mark an omission with …."
    may_stand_in_bracket = problem.why not in _PROTECTED and len(problem.quote_words) <= _MOST_ADDED
    return f"{word} was not said here. Take it out{', or use [brackets]' if may_stand_in_bracket else ''}."


def _explain_substitution(problem: Problem) -> str:
    word, said = quoted(problem.quote_words), quoted(problem.raw_words)
    if problem.why is Why.BRACKET:
        bracket = f"[{word[1:-1]}] may not stand for {said}: brackets replace a pronoun or a declared name."
        return f"{bracket} Declare the name first, or use {said}."
    return f"{word} stands where {said} was said. {_ways(problem, f'Use {said}')}."


def kinds_removed(result: CheckResult) -> dict[RemovedKind, int]:
    """Return how many of each kind were left out, in the order of RemovedKind."""
    counts = {kind: sum(removed.kind is kind for removed in result.removed) for kind in RemovedKind}
    return {kind: count for kind, count in counts.items() if count}


def describe(result: CheckResult) -> str:
    """Return what was done to the quote: ``cleaned: 1 stutter removed, nothing rephrased``."""
    if result.verdict is Verdict.UNCHECKED:
        return f"unchecked: {REASONS[result.reason]}" if result.reason else "unchecked"
    if result.verdict is Verdict.ALTERED:
        return f"altered: {'; '.join(_named(problem) for problem in result.problems)}"
    done = _done(result)
    if result.verdict is Verdict.BRACKETED:
        count = sum(len(bracket.split()) for bracket in result.brackets)
        words = (
            "1 word in [brackets] is the editor's" if count == 1 else f"{count} words in [brackets] are the editor's"
        )
        return f"bracketed: {', '.join([*done, words])}"
    if result.verdict is Verdict.CLEANED:
        return f"cleaned: {', '.join([*done, 'nothing rephrased'])}"
    return "verbatim"


def _done(result: CheckResult) -> list[str]:
    """Return what was left out and written out, in parts of a sentence."""
    counts = kinds_removed(result)
    removed = [f"{count} {KINDS[kind][count > 1]}" for kind, count in counts.items() if kind in KINDS]
    parts = [f"{_listed(removed)} removed"] if removed else []
    omissions = counts.get(RemovedKind.ELLIPSIS, 0)
    if omissions:
        parts.append(f"{omissions} {'omissions' if omissions > 1 else 'omission'} marked with …")
    forms = sum(bool(change.raw) for change in result.respelled)
    if forms:
        parts.append(f"{forms} short {'forms' if forms > 1 else 'form'} written another way")
    return parts


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _named(problem: Problem) -> str:
    """Return a problem in a few words."""
    word, said = quoted(problem.quote_words), quoted(problem.raw_words)
    if problem.why is Why.NOT_FOUND:
        return "the words were not found"
    if problem.kind is ProblemKind.MEANINGFUL_DELETION:
        return f"{said} was left out"
    if problem.kind is ProblemKind.INSERTED:
        return f"{word} was added"
    if problem.kind is ProblemKind.REORDERED:
        return f"{word} was moved"
    return f"{word} stands for {said}"
