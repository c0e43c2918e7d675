"""Make the three groups with their permissions, and the table of the default cache."""

from django.contrib.auth.management import create_permissions
from django.core.management import call_command
from django.db import migrations

from publishing.groups import make_groups


def make_permissions_and_groups(apps, schema_editor):
    config = apps.get_app_config("publishing")
    config.models_module = True  # create_permissions() skips apps without one
    create_permissions(config, apps=apps, verbosity=0)
    config.models_module = None
    make_groups(apps)


def make_cache_table(apps, schema_editor):
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):
    dependencies = [
        ("publishing", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.RunPython(make_permissions_and_groups, migrations.RunPython.noop),
        migrations.RunPython(make_cache_table, migrations.RunPython.noop),
    ]
