"""What an editor says of a transcript file."""

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _, gettext_lazy

from ..fields import DayInput, check_year
from .readers.limits import MAX_BYTES

AS_THE_FILE_SAYS, YES, NO = "", "yes", "no"
MEGABYTE = 1024 * 1024


class TranscriptForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("File"),
        allow_empty_file=True,
        help_text=gettext_lazy(
            "WebVTT, SRT, the podcast namespace's JSON or HTML, what Whisper, YouTube, Deepgram, AssemblyAI, Amazon, Google, Rev or Otter make, TTML, or plain text with names. 20 MB at most. What it is, is told by what it holds."
        ),
    )
    language = forms.CharField(
        label=gettext_lazy("Language"),
        max_length=20,
        required=False,
        validators=[
            RegexValidator(
                r"^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$",
                gettext_lazy("Use a code such as en, en-gb or de."),
                code="language",
            )
        ],
        help_text=gettext_lazy("The one that is spoken in this transcript, such as en or de. Empty: as the file says."),
    )
    engine = forms.CharField(
        label=gettext_lazy("Made with"),
        max_length=100,
        required=False,
        help_text=gettext_lazy("The program or the people, such as Whisper large-v3. Readers are told."),
    )
    made_on = forms.DateField(label=gettext_lazy("Made on"), required=False, widget=DayInput(), validators=[check_year])
    automated = forms.ChoiceField(
        label=gettext_lazy("Made by a machine"),
        required=False,
        choices=[
            (AS_THE_FILE_SAYS, gettext_lazy("as the file says")),
            (YES, gettext_lazy("yes")),
            (NO, gettext_lazy("no, by people")),
        ],
        help_text=gettext_lazy("Readers are told that a transcript is automated, and that names can be misheard."),
    )

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **{"label_suffix": "", **kwargs})

    def clean_file(self):
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            message = _("The file has %(size)s MB; a transcript may have %(most)s MB at most.")
            sizes = {"size": round(file.size / MEGABYTE), "most": MAX_BYTES // MEGABYTE}
            raise forms.ValidationError(message, "large", sizes)
        return file

    def is_automated(self) -> bool | None:
        """Return what was said of the maker; None where the file shall say it."""
        return {YES: True, NO: False}.get(self.cleaned_data["automated"])
