"""The three groups that a new site has."""

from .permissions import GROUP_PERMISSIONS


def make_groups(apps) -> None:
    """Make Author, Editor and Publisher with their permissions; ``apps`` is a migration's or the real registry."""
    permissions = apps.get_model("auth", "Permission").objects.filter(content_type__app_label="publishing")
    groups = apps.get_model("auth", "Group").objects
    for name, codenames in GROUP_PERMISSIONS.items():
        group, _made = groups.get_or_create(name=name)
        group.permissions.add(*permissions.filter(codename__in=codenames))
    groups.get(name="Publisher").permissions.add(*permissions.filter(codename="change_sitesettings"))
