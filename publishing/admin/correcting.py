"""What a publisher says of a change to what is live: the form beside the buttons, and the page of one note."""

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _, gettext_lazy

from ..acts import reword_correction
from ..content import ContentForm
from ..corrections import LONGEST_FINDER, LONGEST_NOTE, LONGEST_WORDS, Change, Choice, Words, proposed_words
from ..models import Correction, Item
from ..permissions import actor_of
from .rows import RowAdmin

MOST_LISTED = 50  # corrections in an item's history


class ChangeForm(forms.Form):
    """Asks what a change is; of a correction also what readers are told."""

    prefix = "change"

    choice = forms.ChoiceField(
        label=gettext_lazy("Is this a correction?"), choices=Choice.choices, widget=forms.RadioSelect, required=False
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("What was wrong"),
        choices=[("", gettext_lazy("choose")), *Correction.Kind.choices],
        required=False,
        help_text=gettext_lazy("A removal quotes nothing, and takes what was quoted out of earlier corrections too."),
    )
    severity = forms.ChoiceField(
        label=gettext_lazy("How grave"),
        choices=Correction.Severity.choices,
        initial=Correction.Severity.MINOR,
        required=False,
    )
    note = forms.CharField(
        label=gettext_lazy("Note to readers"),
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 3}),
        required=False,
        help_text=gettext_lazy("What was wrong, in a sentence."),
    )
    said = forms.CharField(
        label=gettext_lazy("It said"),
        max_length=LONGEST_WORDS,
        widget=forms.Textarea(attrs={"rows": 3}),
        required=False,
    )
    says = forms.CharField(
        label=gettext_lazy("It says now"),
        max_length=LONGEST_WORDS,
        widget=forms.Textarea(attrs={"rows": 3}),
        required=False,
        help_text=gettext_lazy("Left as they are, both are taken from the change when you publish."),
    )
    found_by = forms.CharField(
        label=gettext_lazy("Found by"),
        max_length=LONGEST_FINDER,
        required=False,
        help_text=gettext_lazy("Public. Empty: nobody is named."),
    )
    proposed = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args, **kwargs):
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)

    @property
    def problems(self) -> list[str]:
        """Return what is wrong with single fields, as sentences that name them."""
        return [f"{self.fields[name].label}: {message}" for name, found in self.errors.items() for message in found]

    def change(self) -> Change | None:
        """Return what was chosen, of a form that holds; None where nothing was."""
        said = self.cleaned_data
        if not said["choice"]:
            return None
        return Change(
            choice=Choice(said["choice"]),
            kind=said["kind"],
            severity=said["severity"] or Correction.Severity.MINOR,
            note=said["note"],
            words=Words(said["said"], said["says"]),
            proposed=said["proposed"],
            found_by=said["found_by"],
        )


def change_form(form: type[ContentForm], item: Item, data: QueryDict | None, *, has_looked: bool = False) -> ChangeForm:
    """Return the form for a live item, with what is proposed to be quoted and with all that was typed.

    Words that nobody touched follow the draft. Those that were typed keep the mark of what
    they were written over until the publisher ``has_looked`` at what is proposed now.
    """
    words = _proposed(form, item)
    if data is None:
        known = {"said": words.said, "says": words.says, "proposed": words.digest}
        return ChangeForm(initial=known | {"severity": Correction.Severity.MINOR})
    typed = data.copy()
    name = ChangeForm().add_prefix
    is_untouched = Words(typed.get(name("said"), ""), typed.get(name("says"), "")).digest == typed.get(
        name("proposed"), ""
    )
    if is_untouched:
        typed[name("said")], typed[name("says")] = words.said, words.says
    if is_untouched or has_looked:
        typed[name("proposed")] = words.digest
    return ChangeForm(typed)


def is_begun(data: QueryDict) -> bool:
    """Tell whether somebody has begun to say what a change is."""
    name = ChangeForm().add_prefix
    return any(data.get(name(field)) for field in ("choice", "note", "found_by"))


def _proposed(form: type[ContentForm], item: Item) -> Words:
    return proposed_words(form, item.live.content, item.newest.content) if item.live and item.has_draft else Words()


class CorrectionPages(RowAdmin):
    """The page on which a publisher mends the note of a correction; nothing of it is ever deleted."""

    def correction_urls(self, name: str, wrap) -> list[URLPattern]:
        view = wrap(self.correction_view)
        return [path("<int:pk>/corrections/<int:correction>/", view, name=f"{name}_correction")]

    def corrections_of(self, item: Item) -> list[Correction]:
        """Return the newest corrections of an item, shown or not. One query."""
        return list(item.corrections.select_related("created_by").newest_first()[:MOST_LISTED])

    def correction_view(self, request: HttpRequest, pk: int, correction: int) -> HttpResponse:
        row = self.get_row(request, pk, "publish")
        held = row.item.corrections.filter(pk=correction).first()
        if held is None:
            raise Http404(_("There is no such correction."))
        note, problem = held.note, ""
        if request.method == "POST":
            note = request.POST.get("note", "")
            try:
                reword_correction(held, note, seen=request.POST.get("seen", ""), actor=actor_of(request))
            except ValidationError as refused:
                problem = " ".join(refused.messages)
                held.refresh_from_db()
            else:
                self.message_user(request, _("Readers see the new note."), messages.SUCCESS)
                return HttpResponseRedirect(self.url("history", pk))
        context = self.page_context(
            request,
            row,
            title=_("Note of a correction of “%(item)s”") % {"item": row.item},
            correction=held,
            note=note,
            longest=LONGEST_NOTE,
            problem=problem,
        )
        return render(request, "admin/publishing/correction.html", context, status=422 if problem else 200)
