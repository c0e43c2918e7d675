"""Filters of the newsroom's lists; they read the index of the head and nothing else."""

from datetime import datetime, time
from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import F, Q
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext_lazy as _

from ..models import Item, ItemLink
from ..references import resolve_references, write_references

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LIVE = Q(item__live__isnull=False)
STATES = {
    "draft": (_("draft"), Q(item__live__isnull=True, item__retired_at__isnull=True)),
    "live": (_("live"), LIVE),
    "differs": (_("live, with a newer draft"), LIVE & ~Q(item__head=F("item__live"))),
    "hidden": (_("live but hidden"), LIVE & Q(visible=False)),
    "retired": (_("retired"), Q(item__retired_at__isnull=False)),
}


class StateFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request, model_admin):
        return [(name, label) for name, (label, _condition) in STATES.items()]

    def queryset(self, request, queryset):
        state = self.value()
        return queryset.filter(STATES[state][1]) if state in STATES else queryset


class TypedFilter(admin.ListFilter):
    """A filter that people type into; a plain GET form that works without JavaScript."""

    parameters: tuple[str, ...]

    def __init__(self, request, params, model, model_admin):
        super().__init__(request, params, model, model_admin)
        for name in self.parameters:
            if name in params:
                self.used_parameters[name] = params.pop(name)[-1]
        self.request = request

    def has_output(self):
        return True

    def expected_parameters(self):
        return list(self.parameters)

    def value(self, name: str) -> str:
        return str(self.used_parameters.get(name) or "").strip()

    def choices(self, changelist):
        kept = [(key, value) for key, value in self.request.GET.items() if key not in (*self.parameters, "p")]
        yield {
            "kept": kept,
            "inputs": self.inputs(),
            "clear": changelist.get_query_string(remove=list(self.parameters)),
            "is_used": any(self.value(name) for name in self.parameters),
            "selected": False,
        }

    def inputs(self) -> list[dict]:
        raise NotImplementedError


class ItemFilter(TypedFilter):
    """Narrow a list to what links to one item; made for a role by ``ItemFilter.of``."""

    template = "admin/publishing/typed_filter.html"
    kind: str
    role: str

    through = ""  # the role of a parent that makes the link, where the listed thing does not itself

    @classmethod
    def of(cls, kind: str, role: str, title: "StrOrPromise", *, through: str = "") -> type["ItemFilter"]:
        members = {"kind": kind, "role": role, "title": title, "parameters": (role,), "through": through}
        return type(f"{role.title()}Filter", (cls,), members)

    def __init__(self, request, params, model, model_admin):
        super().__init__(request, params, model, model_admin)
        text = self.value(self.role)
        self.found = resolve_references(self.kind, [text])[text] if text else None

    def queryset(self, request, queryset):
        if self.found is None:
            return queryset
        if self.found.item_id is None:
            return queryset.none()
        linking = ItemLink.objects.filter(role=self.role, target=self.found.item_id).values("source")
        if self.through:
            linking = ItemLink.objects.filter(role=self.through, target__in=linking).values("source")
        return queryset.filter(pk__in=linking)

    def inputs(self):
        text = self.value(self.role)
        if self.found and self.found.item_id:
            text = write_references([self.found.item_id])[self.found.item_id]
        problem = self.found.problem if self.found else ""
        return [
            {
                "name": self.role,
                "value": text,
                "kind": self.kind,
                "label": self.title,
                "type": "text",
                "problem": problem,
            }
        ]


class DateFilter(TypedFilter):
    """Narrow a list to a span of days, in the site's time zone."""

    template = "admin/publishing/typed_filter.html"
    title = _("date")
    parameters = ("from", "to")
    through = ""  # the role of the parent whose date counts, where the listed thing has none

    @classmethod
    def of(cls, through: str) -> type["DateFilter"]:
        return type(f"{through.title()}DateFilter", (cls,), {"through": through})

    def queryset(self, request, queryset):
        span = {
            f"working_date__{comparison}": _moment(day, at)
            for comparison, day, at in (
                ("gte", parse_day(self.value("from")), time.min),
                ("lte", parse_day(self.value("to")), time.max),
            )
            if day
        }
        if not span:
            return queryset
        dated = Item.objects.filter(**span).values("pk")
        if self.through:
            below = ItemLink.objects.filter(role=self.through, target__in=dated)
            return queryset.filter(pk__in=below.values("source"))
        return queryset.filter(pk__in=dated)

    def inputs(self):
        labels = {"from": _("from"), "to": _("to")}
        return [
            {"name": name, "value": self.value(name), "label": labels[name], "type": "date"} for name in self.parameters
        ]


def parse_day(text: str):
    """Return the day that a text names, or None where it names none."""
    try:
        day = parse_date(text)
    except ValueError:
        return None
    return day if day and 1 < day.year < 9999 else None  # the ends of the calendar have no moment in every zone


def _moment(day, at: time) -> datetime:
    return timezone.make_aware(datetime.combine(day, at))
