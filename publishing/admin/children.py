"""The lists of what hangs on an item, beside its form."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise

from ..badges import Badge, badge_of
from ..kinds import get_kind
from ..models import Item, ItemLink

MOST_SHOWN = 60  # children of one list


@dataclass(frozen=True)
class Child:
    item: Item
    badge: Badge


@dataclass(frozen=True)
class ShownChildren:
    role: str
    heading: str | Promise
    rows: list[Child]
    more: bool
    all_url: str
    add_url: str
    add_label: str | Promise


@dataclass(frozen=True)
class ChildList:
    """Items of one kind whose heads link here in a role; ``add_label`` offers to add one."""

    kind: str
    role: str
    heading: str | Promise
    add_label: str | Promise = ""

    def of(self, parent: Item) -> ShownChildren:
        """Return the newest children with their states; two queries."""
        model = get_kind(self.kind).model
        linking = ItemLink.objects.filter(target=parent, role=self.role).values("source")
        found = model.objects.filter(pk__in=linking).select_related("item").order_by("-pk")[: MOST_SHOWN + 1]
        rows = [Child(row.item, badge_of(row)) for row in found]
        admin_name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        return ShownChildren(
            self.role,
            self.heading,
            rows[:MOST_SHOWN],
            more=len(rows) > MOST_SHOWN,
            all_url=f"{reverse(f'{admin_name}_changelist')}?{self.role}=%28%23{parent.pk}%29",
            add_url=f"{reverse(f'{admin_name}_add')}?{self.role}={parent.pk}" if self.add_label else "",
            add_label=self.add_label,
        )
