"""Where a discourse marker says nothing and may go; ``shared/verbatim.md`` §6."""

from .languages.base import base_of
from .speech import Speech


def marker_size(speech: Speech, place: int) -> int:
    """Return how many pieces from here are a marker that may be left out; 0 if none."""
    markers = speech.language.markers
    text = speech.text(place)
    if _phrase_may_go(speech, place):
        return 2
    if text == markers.like != "" and _like_may_go(speech, place):
        return 1
    if text in markers.tags and _is_tag(speech, place):
        return 1
    return int(text in markers.first_words and _is_first_word(speech, place))


def _phrase_may_go(speech: Speech, place: int) -> bool:
    """Tell whether ``you know`` or ``I mean`` stands here and is no verb."""
    markers = speech.language.markers
    found = speech.following(place, 2)
    if tuple(speech.text(part) for part in found) not in markers.phrases or found[1] != place + 1:
        return False
    before = "" if speech.is_set_off_left(place) else speech.text(speech.previous(place))
    if speech.is_set_off_right(found[1]) and before not in markers.not_after:
        return True
    after = speech.text(speech.next(found[1]))
    is_verb = {after, base_of(after, speech.language)} & markers.not_before
    return bool(after) and not is_verb and before not in markers.not_after - markers.joins


def _like_may_go(speech: Speech, place: int) -> bool:
    language, markers = speech.language, speech.language.markers
    before = speech.text(speech.previous(place))
    is_verb = before in language.be_or_go or before.endswith(("'s", "'re", "'m")) or before in markers.like_not_after
    if is_verb or _is_before_number(speech, place) or speech.pieces[place].ending.ends_sentence:
        return False
    if speech.is_set_off_right(place) and speech.is_set_off_left(place):
        return True
    return before in markers.like_right_after and not speech.is_set_off_left(place)


def _is_before_number(speech: Speech, place: int) -> bool:
    """Tell whether a number follows, so that ``like`` means ``about``; an article may stand before it."""
    after = [speech.text(part) for part in speech.following(place, 3)[1:]]
    if after and after[0] in speech.language.articles:
        after = after[1:]
    return bool(after) and speech.language.is_number(after[0])


def _is_tag(speech: Speech, place: int) -> bool:
    """Tell whether a question stands behind what it asks about; in ``is that right?`` and ``turn right?`` it is part of it."""
    if not speech.pieces[place].ending.is_question:
        return False
    before = speech.previous(place)
    if speech.is_set_off_left(place):
        return True
    return speech.text(before) not in speech.language.markers.no_tag_after and not _is_asked(speech, place)


def _is_asked(speech: Speech, place: int) -> bool:
    """Tell whether the sentence that ends here begins as a question does: ``are you okay?``."""
    first = place
    while (earlier := speech.previous(first)) is not None and not speech.pieces[earlier].is_separated:
        first = earlier
    return speech.text(first) in speech.language.be_or_go | speech.language.markers.asks


def _is_first_word(speech: Speech, place: int) -> bool:
    """Tell whether a sentence begins here, first words before this one not counted."""
    markers = speech.language.markers
    if not speech.is_set_off_right(place) and _modifies(speech, place):
        return False
    earlier = speech.previous(place)
    while earlier is not None and not speech.pieces[earlier].ending.ends_sentence:
        if speech.text(earlier) not in markers.first_words:
            return False
        earlier = speech.previous(earlier)
    return earlier is not None


def _modifies(speech: Speech, place: int) -> bool:
    """Tell whether a first word belongs to the next: ``so many``, ``right wing``, ``well educated``, ``now is the time``."""
    markers = speech.language.markers
    text, after = speech.text(place), speech.text(speech.next(place))
    if after in markers.not_first_before or (text, after) in markers.not_first_pairs:
        return True
    is_subject = text not in markers.before_questions and after in speech.language.be_or_go
    return is_subject or (text in markers.before_participles and after.endswith("ed"))
