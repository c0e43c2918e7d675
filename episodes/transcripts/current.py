"""The public act on transcripts: which one holds. Only this writes what readers see of them."""

from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from publishing.acts import bump_version, touch
from publishing.events import log
from publishing.models import Item
from publishing.permissions import Actor, require
from publishing.revisions import lock_item

from ..models import CurrentTranscript, Episode, Transcript

Listener = Callable[[Episode, Transcript | None], None]
_listeners: list[Listener] = []


def when_current(listener: Listener) -> Listener:
    """Call a function with the episode and its new original transcript, or None, in the act's transaction (a decorator)."""
    _listeners.append(listener)
    return listener


def right_to_change(item: Item) -> str:
    """Return which right it takes to change what an episode's transcript says: readers of a live one see it at once."""
    return "publish" if item.is_live else "edit"


def original_of(episode: int) -> Transcript | None:
    """Return the transcript that an episode's quotes are checked against, by the episode's id. One query."""
    return Transcript.objects.original().filter(episode=episode).first()


def make_current(transcript: Transcript, *, actor: Actor, is_original: bool | None = None) -> CurrentTranscript:
    """Let a transcript hold for its language, and check what rests on it again.

    The first of an episode is the original; ``is_original=True`` makes this one it.
    Raises PermissionDenied: where the episode is live, readers see it at once, so it
    takes the right to publish.
    """
    with transaction.atomic():
        item = lock_item(transcript.episode_id)
        require(actor, right_to_change(item), item)
        held = list(CurrentTranscript.objects.filter(episode=transcript.episode_id))
        before = next((one for one in held if one.language == transcript.language), None)
        others_original = any(one.is_original for one in held if one is not before)
        original = is_original if is_original is not None else not others_original
        if original:
            CurrentTranscript.objects.filter(episode=transcript.episode_id).update(is_original=False)
        current, _made = CurrentTranscript.objects.update_or_create(
            episode_id=transcript.episode_id,
            language=transcript.language,
            defaults={"transcript": transcript, "is_original": original, "since": timezone.now()},
        )
        log(actor, "transcript", item, number=transcript.number, language=transcript.language)
        _tell(transcript.episode, item, transcript if original else None, is_changed=original)
    return current


def withdraw(current: CurrentTranscript, *, actor: Actor, reason: str) -> None:
    """Stop showing a transcript; its quotes then rest on none. The transcript itself is kept.

    Raises ValidationError where no reason is given, where another one holds meanwhile, or
    where others rest on it being the original.
    """
    if not reason.strip():
        raise ValidationError(_("Say why this transcript shall no longer hold."), code="no_reason")
    with transaction.atomic():
        item = lock_item(current.episode_id)
        require(actor, right_to_change(item), item)
        if not CurrentTranscript.objects.filter(pk=current.pk, transcript=current.transcript_id).exists():
            raise ValidationError(_("This transcript does not hold any more. Look again."), code="moved_on")
        others = CurrentTranscript.objects.filter(episode=current.episode_id).exclude(pk=current.pk)
        if current.is_original and others.exists():
            message = _("The others are translations of this one. Make another language the original first.")
            raise ValidationError(message, code="original")
        log(actor, "withdraw-transcript", item, number=current.transcript.number, reason=reason.strip())
        current.delete()
        _tell(current.episode, item, None, is_changed=current.is_original)


def _tell(episode: Episode, item: Item, original: Transcript | None, *, is_changed: bool) -> None:
    if is_changed:
        for listener in _listeners:
            listener(episode, original)
    if item.is_live:
        touch([item.pk])
    bump_version(timezone.now())
