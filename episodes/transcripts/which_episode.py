"""Which episode somebody means on the command line."""

from urllib.parse import unquote, urlsplit

from publishing.models import Address, Item, ItemLink
from publishing.references import read_id

from ..models import Episode


class NoEpisode(LookupError):
    """Why a name means no episode, as a sentence."""


def find_episode(name: str) -> Episode:
    """Return the episode of an item's number, a short id, a public path or address, or ``show-slug/episode-slug``.

    Raises NoEpisode.
    """
    items = Item.objects.of_kind("episode")
    path = unquote(urlsplit(name).path)
    found = items.filter(pk=read_id(name)).first() or items.filter(short_id=name).first()
    if found is None and path.startswith("/"):
        held = Address.objects.filter(path=path if path.endswith("/") else f"{path}/", item__kind="episode")
        found = next((address.item for address in held.select_related("item")), None)
    if found is None and path.count("/") == 1 and not path.startswith("/"):
        found = _by_slugs(*path.split("/"))
    if found is None:
        raise NoEpisode(
            f"No episode is called “{name}”. Give its number, its short id, its public path, or show-slug/episode-slug."
        )
    return Episode.objects.select_related("item").get(pk=found.pk)


def _by_slugs(show: str, slug: str) -> Item | None:
    """Return the one episode of a show whose head has the slug. Raises NoEpisode where several have."""
    shows = ItemLink.objects.filter(role="show", target__working_slug=show).values("source")
    found = list(Item.objects.of_kind("episode").filter(working_slug=slug, pk__in=shows).order_by("pk")[:2])
    if len(found) > 1:
        raise NoEpisode(
            f"More than one draft is called “{show}/{slug}”. Give the number: {found[0].pk} or {found[1].pk}."
        )
    return found[0] if found else None
