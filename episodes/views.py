from django.core.files.storage import default_storage
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_safe

from publishing.corrections import shown_corrections
from publishing.feeds import Feed, feed_links, feed_response, page_number
from publishing.middleware import site_of
from publishing.oembed import discovery_links
from publishing.pages import Article, Head, paginate
from publishing.ranges import FOR_GOOD, KEPT, serve_file

from . import cards, feeds
from .bylines import summary_byline
from .embed_pages import embed_of
from .files import content_type_of, is_public
from .models import Episode, EpisodeGuest, Guest, Role, Show, Topic
from .player import player_of
from .renditions import find_rendition, open_rendition
from .structured import episode_data, guest_data, list_data, show_data, topic_data
from .transcripts.shown import transcripts_of

MOST_QUOTES = 200  # on an episode's page
FIRST_QUOTES = 24  # on a guest's or topic's page; the rest are a link away
MOST_TOPICS = 60  # beside a guest or a topic
MOST_SHOWS = 100  # on the page of feeds


@require_safe
def show_list(request: HttpRequest) -> HttpResponse:
    page = paginate(request, Show.objects.live().for_listing())
    head = Head(_("Shows"), data=list_data(_("Shows"), page, counted=False))
    return render(request, "episodes/show_list.html", {"head": head, "page": page})


@require_safe
def show_detail(request: HttpRequest, show_slug: str) -> HttpResponse:
    show = get_object_or_404(Show.objects.live().for_page(), slug=show_slug)
    links = feed_links(show.title, "episodes:show-feed", show.slug)
    page, card = paginate(request, show.episodes.live().for_listing()), cards.show_card(site_of(request), show)
    context = {
        "head": Head(show.title, show.tagline, feeds=links, card=card, data=show_data(show, page)),
        "show": show,
        "corrections": shown_corrections(show),
        "page": page,
    }
    return render(request, "episodes/show_detail.html", context)


@require_safe
def show_feed(request: HttpRequest, show_slug: str, format: str) -> HttpResponse:
    def describe() -> Feed:
        show = get_object_or_404(Show.objects.live().for_page(), slug=show_slug)
        return feeds.show_feed(site_of(request), show, page_number(request))

    return feed_response(request, format, describe)


@require_safe
def episode_list(request: HttpRequest) -> HttpResponse:
    page = paginate(request, Episode.objects.live().for_listing())
    links = feed_links(_("Episodes"), "episodes:feed")
    head = Head(_("Episodes"), feeds=links, data=list_data(_("Episodes"), page))
    return render(request, "episodes/episode_list.html", {"head": head, "page": page})


@require_safe
def episode_detail(request: HttpRequest, show_slug: str, slug: str) -> HttpResponse:
    episode = get_object_or_404(Episode.objects.live().for_page(), show__slug=show_slug, slug=slug)
    links = feed_links(episode.show.title, "episodes:show-feed", episode.show.slug)
    player, transcripts = player_of(episode.media_links), transcripts_of(episode)
    quotes = episode.quotes.live().as_said().for_listing()[:MOST_QUOTES]
    topics = [link.topic.name for link in episode.topic_links]
    context = {
        "head": Head(
            episode.title,
            episode.summary,
            feeds=links,
            card=cards.episode_card(site_of(request), episode),
            oembed=discovery_links(episode.title, episode.get_absolute_url()),
            kind="article",
            article=Article(episode.aired_at, episode.item.changed_at, topics),
            data=episode_data(episode, player, quotes, transcripts),
        ),
        "episode": episode,
        "corrections": shown_corrections(episode),
        "artwork": episode.artwork or episode.show.artwork,
        "byline": summary_byline(episode),
        "player": player,
        "parts": _parts(episode.people),
        "quotes": quotes,
        "transcripts": transcripts,
        "embed": embed_of(episode, site_of(request), quotes),
    }
    return render(request, "episodes/episode_detail.html", context)


@require_safe
def guest_list(request: HttpRequest) -> HttpResponse:
    page = paginate(request, Guest.objects.live().for_listing())
    head = Head(_("Guests"), data=list_data(_("Guests"), page))
    return render(request, "episodes/guest_list.html", {"head": head, "page": page})


@require_safe
def guest_detail(request: HttpRequest, slug: str) -> HttpResponse:
    guest = get_object_or_404(Guest.objects.live().for_listing(), slug=slug)
    links = feed_links(guest.name, "episodes:guest-feed", guest.slug)
    page = paginate(request, Episode.objects.live().with_guest(guest).for_listing())
    quotes = guest.quotes.live().for_listing().newest_first()[:FIRST_QUOTES]
    context = {
        "head": Head(
            guest.name,
            guest.bio,
            feeds=links,
            card=cards.guest_card(site_of(request), guest),
            kind="profile",
            data=guest_data(guest, page, quotes),
        ),
        "guest": guest,
        "corrections": shown_corrections(guest),
        "page": page,
        "quotes": quotes,
        "topics": Topic.objects.live().of_guest(guest).order_by("name")[:MOST_TOPICS],
    }
    return render(request, "episodes/guest_detail.html", context)


@require_safe
def guest_quotes(request: HttpRequest, slug: str) -> HttpResponse:
    guest = get_object_or_404(Guest.objects.live(), slug=slug)
    title = _("Quotes by %(name)s") % {"name": guest.name}
    page = paginate(request, guest.quotes.live().for_listing().newest_first())
    links = feed_links(title, "quotes:guest-feed", guest.slug)
    head = Head(title, feeds=links, data=list_data(title, page, trail=[(guest.name, guest.get_absolute_url())]))
    return render(request, "episodes/quotes_of.html", {"head": head, "of": guest, "label": guest.name, "page": page})


@require_safe
def guest_feed(request: HttpRequest, slug: str, format: str) -> HttpResponse:
    def describe() -> Feed:
        guest = get_object_or_404(Guest.objects.live().select_related("item", "portrait"), slug=slug)
        return feeds.guest_feed(site_of(request), guest, page_number(request))

    return feed_response(request, format, describe)


@require_safe
def topic_list(request: HttpRequest) -> HttpResponse:
    page = paginate(request, Topic.objects.live().for_listing())
    head = Head(_("Topics"), data=list_data(_("Topics"), page, counted=False))
    return render(request, "episodes/topic_list.html", {"head": head, "page": page})


@require_safe
def topic_detail(request: HttpRequest, slug: str) -> HttpResponse:
    topic = get_object_or_404(Topic.objects.live().with_counts().select_related("parent"), slug=slug)
    links = feed_links(topic.name, "episodes:topic-feed", topic.slug)
    page = paginate(request, Episode.objects.live().about(topic).for_listing())
    quotes = topic.quotes.live().for_listing().newest_first()[:FIRST_QUOTES]
    context = {
        "head": Head(
            topic.name,
            topic.description,
            feeds=links,
            card=cards.topic_card(site_of(request), topic),
            data=topic_data(topic, page, quotes),
        ),
        "topic": topic,
        "corrections": shown_corrections(topic),
        "page": page,
        "quotes": quotes,
        "children": topic.children.live().order_by("name")[:MOST_TOPICS],
    }
    return render(request, "episodes/topic_detail.html", context)


@require_safe
def topic_quotes(request: HttpRequest, slug: str) -> HttpResponse:
    topic = get_object_or_404(Topic.objects.live(), slug=slug)
    title = _("Quotes on %(topic)s") % {"topic": topic.name}
    page = paginate(request, topic.quotes.live().for_listing().newest_first())
    links = feed_links(title, "quotes:topic-feed", topic.slug)
    head = Head(title, feeds=links, data=list_data(title, page, trail=[(topic.name, topic.get_absolute_url())]))
    return render(request, "episodes/quotes_of.html", {"head": head, "of": topic, "label": topic.name, "page": page})


@require_safe
def topic_feed(request: HttpRequest, slug: str, format: str) -> HttpResponse:
    def describe() -> Feed:
        topic = get_object_or_404(Topic.objects.live().select_related("item"), slug=slug)
        return feeds.topic_feed(site_of(request), topic, page_number(request))

    return feed_response(request, format, describe)


@require_safe
def episodes_feed(request: HttpRequest, format: str) -> HttpResponse:
    return feed_response(request, format, lambda: feeds.episodes_feed(site_of(request), page_number(request)))


@require_safe
def feed_list(request: HttpRequest) -> HttpResponse:
    shows = Show.objects.live().order_by("title", "pk")[:MOST_SHOWS]
    site_links = feed_links(site_of(request).name, "quotes:site-feed")
    context = {
        "head": Head(_("Feeds"), _("Every list of this site can be followed."), feeds=site_links),
        "site_links": site_links,
        "episode_links": feed_links(_("Episodes"), "episodes:feed"),
        "quote_links": feed_links(_("Quotes"), "quotes:feed"),
        "correction_links": feed_links(_("Corrections"), "publishing:corrections-feed"),
        "shows": [(show, feed_links(show.title, "episodes:show-feed", show.slug)) for show in shows],
    }
    return render(request, "episodes/feeds.html", context)


@require_safe
def short_link(request: HttpRequest, short_id: str) -> HttpResponse:
    return redirect(get_object_or_404(Episode.objects.live().select_related("show"), item__short_id=short_id))


@require_safe
def media(request: HttpRequest, name: str) -> HttpResponse | StreamingHttpResponse:
    rendition = find_rendition(name)
    if not is_public(rendition.original if rendition else name):
        raise Http404
    try:
        file = open_rendition(rendition) if rendition else default_storage.open(name)
    except FileNotFoundError:
        raise Http404 from None
    response = serve_file(request, file, content_type_of(name), kept=FOR_GOOD if rendition else KEPT)
    response["Access-Control-Allow-Origin"] = "*"
    return response


def _parts(people: list[EpisodeGuest]) -> list[tuple[str, list[EpisodeGuest]]]:
    """Return who takes part under three headings, guests first; empty ones are left out."""
    hosts = [link for link in people if link.role in {Role.HOST, Role.CO_HOST}]
    guests = [link for link in people if link.role == Role.GUEST]
    others = [link for link in people if link not in hosts + guests]
    parts = [
        (ngettext("Guest", "Guests", len(guests)), guests),
        (ngettext("Host", "Hosts", len(hosts)), hosts),
        (_("Also taking part"), others),
    ]
    return [(heading, links) for heading, links in parts if links]
