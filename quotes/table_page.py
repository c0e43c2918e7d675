"""The admin page that imports a table, and its job."""

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods

from publishing.admin.importing import Preview, import_page
from publishing.jobs import GiveUp, Held, TryLater, job_kind, kept_alive
from publishing.permissions import Actor
from publishing.tables.importing import TableFaults, TableOptions, import_table, preview_table
from publishing.tables.reading import MOST_BYTES, TableUnreadable
from publishing.turns import Disturbed
from publishing.uploads import keep, take

from .tables import TABLES

TABLE_CHOICES = [
    ("shows", gettext_lazy("shows")),
    ("guests", gettext_lazy("guests")),
    ("topics", gettext_lazy("topics")),
    ("episodes", gettext_lazy("episodes")),
    ("quotes", gettext_lazy("quotes")),
]


class TableImportForm(forms.Form):
    table = forms.ChoiceField(label=gettext_lazy("What the lines are"), choices=TABLE_CHOICES)
    file = forms.FileField(
        label=gettext_lazy("CSV or JSON Lines file"),
        help_text=gettext_lazy("UTF-8; the first line of a CSV file names the columns."),
    )
    publish = forms.BooleanField(
        label=gettext_lazy("Publish at once"),
        required=False,
        help_text=gettext_lazy("What is new or was not edited here. Otherwise all come as drafts."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        required=False,
        max_length=300,
        help_text=gettext_lazy("Logged where a publisher must give one."),
    )
    keep_good = forms.BooleanField(
        label=gettext_lazy("Import the lines that are right though others are not"), required=False
    )

    def clean_file(self):
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(_("The file is larger than 20 MB. Split it."), code="too_large")
        return file


@require_http_methods(["GET", "HEAD", "POST"])
def import_table_page(request: HttpRequest) -> HttpResponse:
    return import_page(
        request, title=_("Import a table"), form_class=TableImportForm, job_kind="import-table", look=look
    )


def look(form: forms.Form, actor: Actor) -> Preview:
    """Read the table and tell what is right and what is not; nothing is written but the waiting file."""
    asked = form.cleaned_data
    data = asked["file"].read()
    try:
        found = preview_table(TABLES[asked["table"]], data)
    except TableUnreadable as refused:
        raise forms.ValidationError(str(refused), code="unreadable") from refused
    if found.faults and not asked["keep_good"]:
        raise forms.ValidationError(
            [*found.faults[:50], _("Nothing was imported. Mend these lines, or tick that the right ones be kept.")]
        )
    payload = {
        "table": asked["table"],
        "file": keep(data, by=actor),
        "publish": asked.get("publish", False),
        "reason": asked["reason"],
        "keep_good": asked["keep_good"],
    }
    return payload, {"table": found, "publish": payload["publish"]}


@job_kind("import-table")
def import_table_job(held: Held) -> dict:
    """Import the table that an editor looked at, as that editor; returns the report as JSON."""
    asked = held.payload
    actor, data = held.starter, take(held)
    try:
        with kept_alive(held) as alive:
            options = TableOptions(
                actor=actor,
                publish=asked["publish"],
                reason=asked["reason"],
                keep_good=asked["keep_good"],
                progress=alive.progress,
                before_commit=alive.settle,
            )
            report = import_table(TABLES[asked["table"]], data, options)
    except TableFaults as found:
        raise GiveUp("\n".join(found.faults)) from found
    except (TableUnreadable, PermissionDenied) as refused:
        raise GiveUp(str(refused)) from refused
    except Disturbed as disturbed:
        raise TryLater(str(disturbed)) from disturbed
    return report.as_dict()
