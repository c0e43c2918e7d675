"""What a feed's show and items come to as content of ours."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from publishing.content import Content, ContentForm, dump_moment
from publishing.fields import MOST_ROWS
from publishing.text import clean_line, first_paragraph, html_to_markdown

from ..forms import EpisodeContentForm, ShowContentForm
from ..models import Episode, Origin, Show
from .parsed import ParsedFeed, ParsedItem

LONGEST_PROSE = 50_000
KINDS = {choice.value for choice in Episode.Kind}


def show_values(feed: ParsedFeed, feed_url: str, tell: Callable[[str], None]) -> Content:
    """Return the show's fields that the feed speaks of."""
    values = {
        "title": clean_line(feed.title or "")[:200] or _("Untitled show"),
        "description": html_to_markdown(feed.description, [feed.link or "", feed_url])[:LONGEST_PROSE],
        "website": feed.link or "",
        "language": feed.language or "en",
        "author": clean_line(feed.author or "")[:200],
        "owner_email": feed.owner_email or "",
        "categories": feed.categories[:10],
        "explicit": bool(feed.explicit),
        "youtube": feed.youtube or "",
        "licence": clean_line(feed.copyright or "")[:200],
        "order": (Show.Order.SERIAL if _is_numbered_serial(feed) else Show.Order.EPISODIC).value,
    }
    return fitting(ShowContentForm, values, _("the show"), tell)


def _is_numbered_serial(feed: ParsedFeed) -> bool:
    """Tell whether a feed calls itself a serial and numbers all its full episodes, as one must."""
    full = [item for item in feed.items if item.is_episode and item.episode_type not in ("trailer", "bonus")]
    return feed.kind == "serial" and all(item.episode_number for item in full)


def episode_values(
    item: ParsedItem, feed_url: str, guests: list[dict], media: list[int], tell: Callable[[str], None]
) -> Content:
    """Return the episode's fields that the feed speaks of; the summary is the first paragraph."""
    title = clean_line(item.title)[:300] or _("Untitled episode")
    if len(guests) > MOST_ROWS:
        tell(
            _("“%(title)s” names more than %(most)s people; the first are kept.") % {"title": title, "most": MOST_ROWS}
        )
    source = item.description_html
    summary = first_paragraph(source)[:LONGEST_PROSE]
    values = {
        "title": title,
        "summary": summary,
        "summary_origin": (Origin.FEED if summary else Origin.EDITOR).value,
        "notes": html_to_markdown(source, [item.link or "", feed_url])[:LONGEST_PROSE],
        "aired_at": dump_moment(item.published_at) if item.published_at else None,
        "duration_ms": item.duration_ms,
        "season": item.season,
        "number": item.episode_number,
        "episode_kind": item.episode_type if item.episode_type in KINDS else Episode.Kind.FULL.value,
        "explicit": bool(item.explicit),
        "website": item.link or "",
        "guests": guests[:MOST_ROWS],
        "media": [{"media": pk} for pk in media],
        "chapters": chapter_rows(item),
    }
    return fitting(EpisodeContentForm, values, f"“{title}”", tell)


def chapter_rows(item: ParsedItem) -> list[dict]:
    rows: list[dict[str, Any]] = [
        {
            "start_ms": chapter.start_ms,
            "title": clean_line(chapter.title)[:200],
            "url": chapter.url or "",
            "image": chapter.image or "",
        }
        for chapter in item.chapters
    ]
    unique = {row["start_ms"]: row for row in reversed(rows) if row["title"]}
    return [unique[start] for start in sorted(unique)][:MOST_ROWS]


def fitting(form: type[ContentForm], values: Content, whose: str, tell: Callable[[str], None]) -> Content:
    """Return the values as an editor's typing would be stored; what a field refuses is left out and told."""
    blank = form.blank()
    checked: Content = {}
    for name, value in values.items():
        try:
            checked[name] = form.check_content(blank | {name: value})[name]
            _check_width(form, name, checked[name])
        except ValidationError as refused:
            told = _("%(whose)s: %(field)s left out. %(why)s")
            tell(told % {"whose": whose, "field": form.base_fields[name].label, "why": " ".join(refused.messages)})
            checked[name] = blank[name]
    return checked


def _check_width(form: type[ContentForm], name: str, value: Any) -> None:
    """Refuse a text that the public column cannot hold, though the field takes it (an e-mail of 300 characters)."""
    columns = {column.name: column for column in form.model._meta.concrete_fields}
    widest = getattr(columns.get(name), "max_length", None)
    if widest and isinstance(value, str) and len(value) > widest:
        raise ValidationError(_("It has more than %(most)s characters.") % {"most": widest}, code="too_long")
