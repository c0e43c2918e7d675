"""Who may do what: one table, one reader."""

from typing import TYPE_CHECKING, TypeAlias

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext as _

from .models import Item

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

Actor: TypeAlias = "User | None"  # who makes a move; None is the system itself

AUTHOR_PERMISSIONS = ("write_item", "submit_item")
EDITOR_PERMISSIONS = (*AUTHOR_PERMISSIONS, "edit_others_item", "approve_item")
PUBLISHER_PERMISSIONS = (*EDITOR_PERMISSIONS, "publish_item", "retire_item", "readdress_item")
GROUP_PERMISSIONS = {
    "Author": AUTHOR_PERMISSIONS,
    "Editor": EDITOR_PERMISSIONS,
    "Publisher": PUBLISHER_PERMISSIONS,
}

ANY_OF = {
    "view": PUBLISHER_PERMISSIONS,
    "add": ("write_item",),
    "edit": ("write_item",),
    "submit": ("submit_item",),
    "approve": ("approve_item",),
    "publish": ("publish_item",),
    "retire": ("retire_item",),
    "readdress": ("readdress_item",),
    "delete": ("write_item", "delete_item"),
    "import": ("edit_others_item",),
}


def can(user: "User | AnonymousUser", move: str, item: Item | None = None) -> bool:
    """Tell whether a person may make a move, on one item or (``item=None``) at all.

    Authors touch their own things only; what has ever been public is deleted by
    those who hold ``delete_item`` and by nobody else.
    """
    if not user.is_active or not user.is_staff:
        return False
    held = {name for name in ANY_OF[move] if user.has_perm(f"publishing.{name}")}
    if not held:
        return False
    if item is None:
        return True
    is_own = item.owner_id == user.pk or user.has_perm("publishing.edit_others_item")
    if move == "delete":
        is_unseen_own = item.owner_id == user.pk and item.first_published_at is None
        return is_unseen_own or user.has_perm("publishing.delete_item")
    if move in {"edit", "submit"}:
        return is_own
    return True


def actor_of(request: HttpRequest) -> "User":
    """Return who makes the request. Raises PermissionDenied where nobody is logged in."""
    if not request.user.is_authenticated:
        raise PermissionDenied
    return request.user


def require(actor: Actor, move: str, item: Item | None = None) -> None:
    """Refuse a move that the person may not make; the system may make any.

    Raises PermissionDenied with a sentence.
    """
    if actor is not None and not can(actor, move, item):
        message = (
            _("You may not %(move)s “%(item)s”. Ask a publisher.")
            if item
            else _("You may not %(move)s here. Ask a publisher.")
        )
        raise PermissionDenied(message % {"move": _(move), "item": item})
