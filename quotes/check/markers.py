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
    if text in markers.tags and speech.pieces[place].ending.is_question:
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


def _is_first_word(speech: Speech, place: int) -> bool:
    """Tell whether a sentence begins here, first words before this one not counted."""
    markers = speech.language.markers
    is_modifier = speech.text(speech.next(place)) in markers.not_first_before
    if is_modifier and not speech.is_set_off_right(place):
        return False
    earlier = speech.previous(place)
    while earlier is not None and not speech.pieces[earlier].ending.ends_sentence:
        if speech.text(earlier) not in markers.first_words:
            return False
        earlier = speech.previous(earlier)
    return earlier is not None
