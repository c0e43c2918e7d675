"""What the cards of shows, episodes, guests and topics say: only what readers see on their pages."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_safe

from publishing.card_files import Card, card_at, card_response, facts_of
from publishing.cards import CardFacts, Picture
from publishing.middleware import site_of
from publishing.models import SiteSettings
from publishing.templatetags.pullquote import day_in_words
from publishing.text import first_paragraph, render_markdown, shorten

from .models import Episode, EpisodeGuest, Guest, Image, Role, Show, Topic
from .timecodes import format_timecode

TEXT_CHARS = 220  # that fit under a title
MOST_NAMES = 3  # of those who take part, before “and others”


def picture_of(image: Image | None) -> Picture | None:
    return Picture(str(image.file.name), image.focal_x, image.focal_y) if image else None


def show_card(site: SiteSettings, show: Show) -> Card | None:
    url = reverse("episodes:show-card", args=[show.slug])
    return card_at(url, _show_facts(site, show), _alt(show.title, site))


def episode_card(site: SiteSettings, episode: Episode) -> Card | None:
    """Return the card of an episode that came with its ``people``."""
    url = reverse("episodes:card", args=[episode.show.slug, episode.slug])
    return card_at(url, _episode_facts(site, episode), _alt(f"{episode.title} – {episode.show.title}", site))


def guest_card(site: SiteSettings, guest: Guest) -> Card | None:
    """Return the card of a guest that came with its counts."""
    url = reverse("episodes:guest-card", args=[guest.slug])
    return card_at(url, _guest_facts(site, guest), _alt(guest.name, site))


def topic_card(site: SiteSettings, topic: Topic) -> Card | None:
    """Return the card of a topic that came with its counts."""
    url = reverse("episodes:topic-card", args=[topic.slug])
    return card_at(url, _topic_facts(site, topic), _alt(topic.name, site))


@require_safe
def show_png(request: HttpRequest, show_slug: str) -> HttpResponse:
    show = get_object_or_404(Show.objects.live().select_related("artwork"), slug=show_slug)
    return card_response(request, _show_facts(site_of(request), show), show.pk)


@require_safe
def episode_png(request: HttpRequest, show_slug: str, slug: str) -> HttpResponse:
    episodes = Episode.objects.live().select_related("show", "artwork", "show__artwork").with_people()
    episode = get_object_or_404(episodes.defer("notes", "chapters"), show__slug=show_slug, slug=slug)
    return card_response(request, _episode_facts(site_of(request), episode), episode.pk)


@require_safe
def guest_png(request: HttpRequest, slug: str) -> HttpResponse:
    guest = get_object_or_404(Guest.objects.live().for_listing(), slug=slug)
    return card_response(request, _guest_facts(site_of(request), guest), guest.pk)


@require_safe
def topic_png(request: HttpRequest, slug: str) -> HttpResponse:
    topic = get_object_or_404(Topic.objects.live().with_counts(), slug=slug)
    return card_response(request, _topic_facts(site_of(request), topic), topic.pk)


def _show_facts(site: SiteSettings, show: Show) -> CardFacts:
    return facts_of(
        site,
        language=show.language,
        label=_("Show"),
        title=show.title,
        text=shorten(show.tagline, TEXT_CHARS) or _plain(show.description),
        line=show.author,
        artwork=picture_of(show.artwork),
    )


def _episode_facts(site: SiteSettings, episode: Episode) -> CardFacts:
    length = format_timecode(episode.duration_ms) if episode.duration_ms else ""
    people = _people(episode.people)
    return facts_of(
        site,
        language=episode.show.language,
        label=episode.show.title,
        title=episode.title,
        text=_("With %(names)s") % {"names": people} if people else shorten(episode.summary, TEXT_CHARS),
        line=_dotted(day_in_words(episode.aired_at), length),
        artwork=picture_of(episode.artwork or episode.show.artwork),
    )


def _guest_facts(site: SiteSettings, guest: Guest) -> CardFacts:
    return facts_of(
        site,
        label=_("Guest"),
        title=guest.name,
        text=_plain(guest.bio),
        line=_counts(guest.quote_count, guest.episode_count),
        portrait=picture_of(guest.portrait),
    )


def _topic_facts(site: SiteSettings, topic: Topic) -> CardFacts:
    return facts_of(
        site,
        label=_("Topic"),
        title=topic.name,
        text=_plain(topic.description),
        line=_counts(topic.quote_count, topic.episode_count),
    )


def _alt(title: str, site: SiteSettings) -> str:
    return f"{title} · {site.name}"


def _people(links: list[EpisodeGuest]) -> str:
    """Return the names of those who take part, guests first and each once."""
    guests_first = sorted(links, key=lambda link: link.role != Role.GUEST)
    names = list(dict.fromkeys(link.guest.name for link in guests_first))
    if len(names) > MOST_NAMES + 1:
        names = [*names[:MOST_NAMES], _("others")]
    return get_text_list(names, _("and"))


def _counts(quotes: int, episodes: int) -> str:
    """Return how much there is to read and hear; a count that is nothing says nothing."""
    return _dotted(
        ngettext("%(count)s quote", "%(count)s quotes", quotes) % {"count": quotes} if quotes else "",
        ngettext("%(count)s episode", "%(count)s episodes", episodes) % {"count": episodes} if episodes else "",
    )


def _dotted(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def _plain(markdown: str) -> str:
    return shorten(first_paragraph(render_markdown(markdown)), TEXT_CHARS)
