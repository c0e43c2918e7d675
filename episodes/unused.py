"""Pictures and files that were brought in and that nothing names any more."""

from collections.abc import Iterator
from datetime import timedelta

from django import forms
from django.db import models
from django.db.models import Exists, OuterRef
from django.utils import timezone

from publishing.fields import CardListField
from publishing.housekeeping import chore
from publishing.kinds import all_kinds
from publishing.models import Revision

from .fields import ImageField
from .media_forms import MediaIdField
from .models import Image, MediaFile

KEEP = timedelta(days=7)  # an upload that no save has named yet, as of a form that is still open


@chore
def sweep_unused() -> None:
    """Delete the rows of more than a week ago that neither readers see nor any revision names.

    The files follow when files are swept. Rows of addresses stay: they take no room, and
    the next import of a feed looks for them.
    """
    _sweep(Image.objects.all(), ImageField)
    _sweep(MediaFile.objects.exclude(file=""), MediaIdField)


def _sweep(rows: models.QuerySet, field: type) -> None:
    old = rows.filter(created_at__lt=timezone.now() - KEEP)
    unseen = set(_unseen(old).values_list("pk", flat=True))
    unused = unseen - set(_named_in_revisions(field)) if unseen else set()
    for pk in unused:
        _unseen(old).filter(pk=pk).delete()  # asked again: readers may see it by now


def _unseen(rows: models.QuerySet) -> models.QuerySet:
    """Leave out what a column of another row names: what readers see, or have seen."""
    relations = (one for one in rows.model._meta.get_fields(include_hidden=True) if one.one_to_many)
    for relation in relations:
        named = relation.related_model._base_manager.filter(**{relation.field.name: OuterRef("pk")})
        rows = rows.filter(~Exists(named))
    return rows


def _named_in_revisions(wanted: type) -> Iterator[int]:
    """Yield the ids that fields of one class hold in any revision, lists of rows included."""
    for kind in all_kinds():
        revisions = Revision.objects.filter(item__kind=kind.name).order_by()
        for name, field in kind.form.base_fields.items():
            values = revisions.values_list(f"content__{name}", flat=True)
            if isinstance(field, wanted):
                yield from filter(None, values.iterator())
            for key in _keys_of(field, wanted):
                yield from (row[key] for rows in values.iterator() for row in rows or [] if row.get(key))


def _keys_of(field: forms.Field, wanted: type) -> list[str]:
    """Return the names of a list's fields that are of a class; none where it is no list."""
    inner = field.row_form.base_fields if isinstance(field, CardListField) else {}
    return [key for key, found in inner.items() if isinstance(found, wanted)]
