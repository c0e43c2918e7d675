"""People as far as content refers to them: names and groups, nothing that anybody could log in with."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, Permission, User
from django.db.models import Field
from django.utils import timezone
from django.utils.translation import gettext as _

from .lines import Row
from .refusals import RowRefused, shown
from .tables import Table

CARRIED = ("id", "username", "first_name", "last_name", "is_active", "is_staff")


def _field(name: str) -> Field:
    return User._meta.get_field(name)  # type: ignore[return-value]  # a column, no relation


class GroupTable(Table):
    """Groups by name, with their permissions; they take the place of those that migrations made."""

    is_numbered = False

    def __init__(self) -> None:
        super().__init__(Group, ["name"])
        self.names = {"name", "permissions"}

    def rows(self) -> Iterator[Row]:
        held: dict[str, list[str]] = defaultdict(list)
        for group, app, code in Group.objects.values_list(
            "name", "permissions__content_type__app_label", "permissions__codename"
        ):
            held[group] += [f"{app}.{code}"] if code else []
        for name, permissions in sorted(held.items()):
            yield {"name": name, "permissions": sorted(permissions)}

    def load(self, row: Row) -> tuple[str, list[Permission]]:
        if row.keys() != self.names:
            raise RowRefused(self._other_columns(row))
        return self.columns[0].load(row["name"]), [_find_permission(label) for label in _texts(row, "permissions")]

    def make_room(self) -> None:
        Group.objects.all().delete()

    def write(self, rows: Sequence[Any]) -> None:
        for name, permissions in rows:
            Group.objects.create(name=name).permissions.set(permissions)


class UserTable(Table):
    """Accounts with their numbers, which the log names. On the new site each has a password that nothing matches."""

    def __init__(self, *, with_emails: bool):
        super().__init__(User, (*CARRIED, "email") if with_emails else CARRIED)
        self.names |= {"groups"}
        self.given = [
            (_field("password"), lambda: make_password(None)),
            (_field("is_superuser"), lambda: False),
            (_field("last_login"), lambda: None),
            (_field("date_joined"), timezone.now),
            *([] if with_emails else [(_field("email"), lambda: "")]),
        ]

    def rows(self) -> Iterator[Row]:
        held: dict[int, list[str]] = defaultdict(list)
        for user, group in User.groups.through.objects.values_list("user", "group__name"):
            held[user].append(group)
        for row in super().rows():
            yield row | {"groups": sorted(held[row["id"]])}

    def load(self, row: Row) -> tuple[tuple, list[str]]:
        if row.keys() != self.names:
            raise RowRefused(self._other_columns(row))
        return tuple(column.load(row[column.name]) for column in self.columns), _texts(row, "groups")

    def files_of(self, loaded: Any) -> list[str]:
        return []

    def write(self, rows: Sequence[Any]) -> None:
        super().write([values for values, _groups in rows])
        numbers = dict(Group.objects.values_list("name", "pk"))
        members = [(values[0], group) for values, groups in rows for group in groups]
        unknown = sorted({group for _user, group in members} - numbers.keys())
        if unknown:
            raise RowRefused(_("The archive has no group %(names)s.") % {"names": shown(", ".join(unknown))})
        through = User.groups.through
        through.objects.bulk_create([through(user_id=user, group_id=numbers[group]) for user, group in members])


def _texts(row: Row, name: str) -> list[str]:
    value = row[name]
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise RowRefused(_("“%(name)s” must be a list of texts.") % {"name": name})
    return value


def _find_permission(label: str) -> Permission:
    app, _dot, code = label.partition(".")
    found = Permission.objects.filter(content_type__app_label=app, codename=code).first()
    if found is None:
        raise RowRefused(_("This site has no permission %(name)s.") % {"name": shown(label)})
    return found
