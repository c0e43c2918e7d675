"""oEmbed for the pages that have an embed of their own: those of quotes and episodes."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from episodes import embed_pages as episode_pages
from episodes.models import Episode
from publishing.addresses import find_address
from publishing.embeds import Embed
from publishing.middleware import site_of
from publishing.models import Item, SiteSettings
from publishing.oembed import Refused, oembed_response, own_path, read_question, refusal

from . import embed_pages as quote_pages
from .clips.offers import offers_of
from .models import Quote

SHORT_LINKS = {"quotes:short": Quote.kind, "episodes:short": Episode.kind}


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """Answer how to show the page of a quote or an episode; 404 for all that readers of this site cannot see."""
    site = site_of(request)
    try:
        question = read_question(request.GET)
        embed = _embed_at(question.url, site)
    except Refused as refused:
        return refusal(refused)
    return oembed_response(request, site, embed, question)


def _embed_at(address: str, site: SiteSettings) -> Embed:
    """Return what there is at an address. Raises Refused where there is nothing."""
    path = own_path(address)
    item = _item_at(path) if path else None
    embed = _embed_of(item, site) if item else None
    if embed is None:
        raise Refused(HTTPStatus.NOT_FOUND, _("Give the address of a quote or an episode that is on this site."))
    return embed


def _item_at(path: str) -> Item | None:
    """Return the item that has or had its page there, with or without the slash, or whose short link it is. One query."""
    try:
        match = resolve(path)
    except Resolver404:
        match = None
    if match and match.view_name in SHORT_LINKS:
        return Item.objects.filter(kind=SHORT_LINKS[match.view_name], short_id=match.kwargs["short_id"]).first()
    found = find_address(path if path.endswith("/") else f"{path}/", depth=0)
    return found[0].item if found else None


def _embed_of(item: Item, site: SiteSettings) -> Embed | None:
    """Return what readers see of an item, if it is a quote or an episode that they do see."""
    if item.kind == Quote.kind:
        quote = Quote.objects.live().for_page().in_bulk([item.pk]).get(item.pk)
        return quote_pages.embed_of(quote, site, offers_of(quote, site, None)) if quote else None
    if item.kind == Episode.kind:
        episode = Episode.objects.live().for_page().in_bulk([item.pk]).get(item.pk)
        return episode_pages.embed_of(episode, site, episode_pages.first_quotes(episode)) if episode else None
    return None
