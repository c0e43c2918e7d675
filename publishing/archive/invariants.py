"""What must hold between rows, and the database cannot hold by itself: looked at after an import, before it counts."""

from collections.abc import Iterator

from django.db.models import Exists, F, ForeignKey, Model, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from publishing.kinds import all_kinds
from publishing.models import Item

from .tables import Table

Fault = tuple[int | str, str]  # the key of a row, and a sentence about it


def dangling(table: Table) -> Fault | None:
    """Return the first row that names a row which is not there. One query for each foreign key."""
    for column in table.columns:
        field = column.field
        if isinstance(field, ForeignKey):
            there = Exists(_rows(field.related_model).filter(pk=OuterRef(field.attname)))
            rows = _rows(table.model).filter(**{f"{field.name}__isnull": False}).exclude(there)
            found = rows.order_by("pk").values_list("pk", field.attname).first()
            if found:
                target = field.related_model._meta.label
                message = _("“%(name)s” is %(key)s, and there is no such row of %(table)s.")
                return found[0], message % {"name": column.name, "key": found[1], "table": target}
    return None


def broken() -> Iterator[tuple[type[Model], Fault]]:
    """Yield a row of each kind that breaks a rule of publishing. A few queries."""
    for rows, sentence in _rules():
        key = rows.order_by("pk").values_list("pk", flat=True).first()
        if key is not None:
            yield rows.model, (key, sentence)


def _rules() -> Iterator[tuple[QuerySet, str]]:
    items = Item.objects.all()
    yield items.exclude(kind__in=[kind.name for kind in all_kinds()]), _("Its kind is none that this program knows.")
    yield items.filter(live__isnull=False).exclude(live__item=F("pk")), _("Another item's revision is live.")
    yield items.filter(head__isnull=False).exclude(head__item=F("pk")), _("Another item's revision is its head.")
    for kind in all_kinds():
        row = Exists(kind.model.objects.filter(pk=OuterRef("pk")))
        yield items.filter(kind=kind.name).exclude(row), _("It has no row of its kind.")
        yield kind.model.objects.exclude(item__kind=kind.name), _("Its item is of another kind.")
        allowed = Q(item__live__isnull=False) & kind.model.parents_visible()
        yield kind.model.objects.filter(visible=True).exclude(allowed), _("It is visible, and may not be.")


def _rows(model: type[Model]) -> QuerySet:
    return model._base_manager.all()
