"""What is in an archive is decided for every model, and said in its documentation."""

from pathlib import Path

import pytest
from django.apps import apps
from django.db import models

from episodes.media import MIME_OF
from publishing.archive.accounts import CARRIED
from publishing.archive.contents import ACCOUNTS, EXPORTED, LEFT_OUT, exported_models
from publishing.archive.file_rules import EXTENSIONS_OF, PLAYED
from publishing.archive.versions import VERSION

DOCUMENT = (Path(__file__).resolve().parents[3] / "docs/archive-format.md").read_text()


def test_each_model_is_exported_or_left_out_with_a_reason():
    labels = {model._meta.label for model in apps.get_models(include_auto_created=True)}
    decided = {*EXPORTED, *ACCOUNTS, *LEFT_OUT}

    undecided = {label for label in labels if label not in decided and label.partition(".")[0] not in LEFT_OUT}
    assert undecided == set(), "Name each in publishing/archive/contents.py, and in docs/archive-format.md."


def test_none_is_named_twice_and_none_that_is_not_there():
    labels = {model._meta.label for model in apps.get_models(include_auto_created=True)}
    named = [*EXPORTED, *ACCOUNTS, *LEFT_OUT]

    assert len(named) == len(set(named))
    assert set(named) <= labels | {config.label for config in apps.get_app_configs()}


def test_what_is_exported_names_nothing_that_is_left_out():
    keys = [field for model in exported_models() for field in model._meta.concrete_fields if field.is_relation]

    targets = {field.related_model._meta.label for field in keys}
    assert targets <= {*EXPORTED, "auth.User"}


def test_no_model_of_ours_hides_rows_in_links_without_a_model():
    links = [field for model in exported_models() for field in model._meta.local_many_to_many]

    assert [field for field in links if field.remote_field.through._meta.auto_created] == []


@pytest.mark.parametrize("model", exported_models(), ids=lambda model: model._meta.label)
def test_the_document_names_every_column(model):
    line = next((line for line in DOCUMENT.splitlines() if line.startswith(f"| `{model._meta.label}` |")), "")

    missing = [field.name for field in model._meta.concrete_fields if f"`{field.name}`" not in line]
    assert missing == [], f"docs/archive-format.md: add to the line of {model._meta.label}, and see “Versions” there."


def test_the_document_says_which_columns_of_people_there_are_and_which_version_it_is_of():
    line = next(line for line in DOCUMENT.splitlines() if line.startswith("| `auth.User` |"))

    assert [name for name in (*CARRIED, "email", "groups") if f"`{name}`" not in line] == []
    assert f"version {VERSION}" in DOCUMENT


@pytest.mark.parametrize("label", LEFT_OUT)
def test_the_document_says_what_is_left_out(label):
    assert f"`{label}`" in DOCUMENT


def test_files_are_what_uploads_may_be():
    columns = {
        f"{model._meta.label}.{field.name}"
        for model in exported_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.FileField)
    }

    assert columns == set(EXTENSIONS_OF)
    assert set(MIME_OF) == PLAYED
