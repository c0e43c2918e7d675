"""The paths of items: given at publication, kept for good, one redirect away at most."""

from collections.abc import Sequence
from urllib.parse import unquote

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from .events import log
from .models import Address, Item, Publishable
from .permissions import Actor, can


class AddressTaken(Exception):
    """Raised when somebody else took a path between the look and the write."""


def path_of(row: Publishable) -> str:
    """Return the row's public path, unquoted."""
    return unquote(row.get_absolute_url())


def address_problems(rows: Sequence[Publishable], actor: Actor) -> dict[int, list[str]]:
    """Return, by item id, sentences on paths that these rows may not have. One query."""
    problems: dict[int, list[str]] = {}
    paths = {row.pk: path_of(row) for row in rows}
    held = Address.objects.filter(path__in=paths.values()).select_related("item")
    holders = {address.path: address for address in held}
    wanted: dict[str, int] = {}
    for pk, path in paths.items():
        holder = holders.get(path)
        if holder and holder.item_id != pk and not _may_take(holder, actor):
            problems.setdefault(pk, []).append(_taken_message(path, str(holder.item)))
        elif path in wanted:
            problems.setdefault(pk, []).append(
                _("The address %(path)s is wanted twice at once. Change one slug.") % {"path": path}
            )
        wanted[path] = pk
    return problems


def _may_take(holder: Address, actor: Actor) -> bool:
    is_free = holder.retired_at is not None or holder.item.retired_at is not None
    return is_free and (actor is None or can(actor, "readdress"))


def _taken_message(path: str, title: str) -> str:
    return _("The address %(path)s belongs to “%(title)s”. Choose another slug.") % {"path": path, "title": title}


def write_addresses(rows: Sequence[Publishable], actor: Actor) -> None:
    """Give each row its present path and retire the one it had.

    A fixed number of queries. Raises AddressTaken when another transaction won the path.
    """
    now = timezone.now()
    paths = {row.pk: path_of(row) for row in rows}
    present = dict(Address.objects.filter(item__in=paths, retired_at__isnull=True).values_list("item", "path"))
    moving = {pk: path for pk, path in paths.items() if present.get(pk) != path}
    if not moving:
        return
    Address.objects.filter(item__in=moving, retired_at__isnull=True).update(retired_at=now)
    wanted = Address.objects.filter(path__in=moving.values()).select_related("item").order_by("pk")
    held = {address.path: address for address in wanted.select_for_update(of=("self",))}
    new = []
    for pk, path in moving.items():
        if path in held:
            if held[path].item_id != pk and not _may_take(held[path], actor):
                raise AddressTaken(path)
            _take(held[path], pk, actor)
        else:
            new.append(Address(path=path, item_id=pk, first_public_at=now))
    try:
        with transaction.atomic():
            Address.objects.bulk_create(new)
    except IntegrityError as clash:
        raise AddressTaken(", ".join(address.path for address in new)) from clash


def _take(address: Address, pk: int, actor: Actor) -> None:
    if address.item_id != pk:
        log(actor, "address.take", address.item, path=address.path, taken_by=str(Item.objects.get(pk=pk).uid))
    address.item_id = pk
    address.retired_at = None
    address.save(update_fields=["item", "retired_at"])


def find_address(path: str, depth: int = 3) -> tuple[Address, str] | None:
    """Return the address that the path or one of its folders once was, and what follows it.

    ``/shows/old/feed.rss`` finds ``/shows/old/`` and ``feed.rss``. One query.
    """
    candidates = [path]
    head = path
    for _step in range(depth):
        head = head.rstrip("/").rpartition("/")[0] + "/"
        if head == "/":
            break
        candidates.append(head)
    found = {row.path: row for row in Address.objects.filter(path__in=candidates).select_related("item")}
    for candidate in candidates:
        if candidate in found:
            return found[candidate], path[len(candidate) :]
    return None
