"""Make the three groups with their permissions, and the table of the default cache."""

from django.contrib.auth.management import create_permissions
from django.core.management import call_command
from django.db import migrations

from publishing.permissions import GROUP_PERMISSIONS


def make_groups(apps, schema_editor):
    config = apps.get_app_config("publishing")
    config.models_module = True  # create_permissions() skips apps without one
    create_permissions(config, apps=apps, verbosity=0)
    config.models_module = None
    permission_model = apps.get_model("auth", "Permission")
    for name, codenames in GROUP_PERMISSIONS.items():
        group, _made = apps.get_model("auth", "Group").objects.get_or_create(name=name)
        held = permission_model.objects.filter(content_type__app_label="publishing", codename__in=codenames)
        group.permissions.add(*held)
    settings = permission_model.objects.filter(content_type__app_label="publishing", codename="change_sitesettings")
    apps.get_model("auth", "Group").objects.get(name="Publisher").permissions.add(*settings)


def make_cache_table(apps, schema_editor):
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):
    dependencies = [
        ("publishing", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.RunPython(make_groups, migrations.RunPython.noop),
        migrations.RunPython(make_cache_table, migrations.RunPython.noop),
    ]
