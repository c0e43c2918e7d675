"""Marks that a person puts on a quote: “I have heard it”, and who named its speaker.

A mark says what it was put on, so that it is gone as soon as that changes, whichever way it changed.
"""

import hashlib
import json
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _

from publishing.content import Content, dump_moment
from publishing.permissions import Actor
from publishing.text import clean_text

if TYPE_CHECKING:
    from django.contrib.auth.models import User

NOW, KEPT = "now", "kept"


def words_key(content: Content) -> str:
    """Return what tells a quote's words, speaker and times from any others."""
    text = clean_text(content.get("text") or "")
    values = [text, *(content.get(name) for name in ("speaker", "start_ms", "end_ms"))]
    return hashlib.sha256(json.dumps(values, ensure_ascii=False).encode()).hexdigest()[:16]


def make_mark(actor: "User", of: Any) -> dict:
    """Return a mark that this person puts on something now."""
    return {"by": actor.get_full_name() or actor.get_username(), "at": dump_moment(timezone.now()), "of": of}


def heard_of(content: Content) -> dict | None:
    """Return the mark of who heard the quote as it stands, if somebody did."""
    mark = content.get("heard")
    return mark if isinstance(mark, dict) and mark.get("of") == words_key(content) else None


def settle_heard(content: Content, before: Content, actor: Actor) -> Content:
    """Turn what the box said into a mark: a new one, the one before, or none."""
    said = content.get("heard")
    if said == NOW and actor is not None:
        held = heard_of(content | {"heard": before.get("heard")})
        return content | {"heard": held or make_mark(actor, words_key(content))}
    if said in (NOW, KEPT):
        content = content | {"heard": before.get("heard")}
    return content | {"heard": heard_of(content)}


def settle_speaker(content: Content, before: Content, actor: Actor) -> Content:
    """Keep who named the speaker, and when."""
    named = before.get("speaker_named")
    if named and named.get("of") == content.get("speaker"):
        return content | {"speaker_named": named}
    is_new = content.get("speaker") and content["speaker"] != before.get("speaker")
    return content | {"speaker_named": make_mark(actor, content["speaker"]) if is_new and actor else None}


class HeardInput(forms.CheckboxInput):
    """A box that tells whether it was ticked just now or is the mark that stood there."""

    def get_context(self, name, value, attrs):
        context = super().get_context(name, value, attrs)
        context["widget"]["value"] = KEPT if isinstance(value, dict) else NOW
        return context

    def value_from_datadict(self, data, files, name):
        value = data.get(name)
        return value if value in (NOW, KEPT) else None


class MarkField(forms.Field):
    """A mark as a field of content; what was typed is settled by the content form."""

    empty_value = None

    def dump(self, value: Any) -> Any:
        return value

    def load(self, stored: Any) -> Any:
        return stored

    def display(self, stored: Any, labels: dict[int, str]) -> str:
        return f"{stored['by']}, {stored['at'][:10]}" if isinstance(stored, dict) else ""


class KeptField(MarkField):
    """A mark that nobody types: a form leaves it as it is."""

    widget = forms.HiddenInput

    def clean(self, value):
        return None


class HeardField(MarkField):
    widget = HeardInput


def not_heard_message() -> str:
    return _(
        "Nobody has heard it as it stands. Listen, tick “I have heard this quote”, save. (The site's settings can waive this.)"
    )
