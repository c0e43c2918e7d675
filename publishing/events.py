from .models import Event, Item
from .permissions import Actor


def make_event(
    actor: Actor, act: str, item: Item | None = None, *, revision_number: int | None = None, **data
) -> Event:
    """Return an unsaved log entry; ``what`` is the item's kind and the act."""
    return Event(
        actor_id=actor.pk if actor else None,
        actor_name=actor.get_username() if actor else "",
        what=f"{item.kind}.{act}" if item else act,
        item_uid=item.uid if item else None,
        item_title=item.working_title if item else "",
        revision_number=revision_number,
        data=data,
    )


def log(actor: Actor, act: str, item: Item | None = None, **data) -> None:
    """Write one entry to the log, in the caller's transaction."""
    make_event(actor, act, item, **data).save()
