"""Form fields for times and pictures."""

from collections.abc import Sequence
from datetime import date

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _, gettext_lazy

from publishing.images import read_image
from publishing.made_files import RENDITIONS, forget
from publishing.permissions import Actor
from publishing.references import read_id
from publishing.text import clean_line

from .images import store_image, with_focus
from .models import Image
from .timecodes import format_timecode_exact, parse_timecode

EARLIEST_YEAR, LATEST_YEAR = 1900, 2200


class TimecodeField(forms.CharField):
    """Take ``1:12:05.5`` from the editor and hand on 4325500, in milliseconds."""

    def __init__(self, **kwargs):
        kwargs.setdefault("widget", TimecodeInput())
        super().__init__(empty_value=None, **kwargs)

    def to_python(self, value):
        if isinstance(value, int):
            return value
        text = super().to_python(value)
        if text is None:
            return None
        try:
            return parse_timecode(text)
        except ValueError:
            message = _("“%(text)s” is not a timecode. Use H:MM:SS or MM:SS, such as 1:12:05.")
            raise ValidationError(message, "timecode", {"text": text}) from None

    def run_validators(self, value):
        """A parsed time needs no check of its text."""

    def dump(self, value: int | None) -> int | None:
        return value

    def load(self, stored: int | None) -> int | None:
        return stored

    def display(self, stored: int | None, labels: dict[int, str]) -> str:
        return "" if stored is None else format_timecode_exact(stored)


class TimecodeInput(forms.TextInput):
    def __init__(self, attrs: dict | None = None):
        super().__init__({"class": "timecode", "placeholder": "0:00:00", **(attrs or {})})

    def format_value(self, value):
        return format_timecode_exact(value) if isinstance(value, int) else value


class DayInput(forms.DateInput):
    """A day as browsers' own date field wants it, whatever the site's language writes."""

    def __init__(self):
        super().__init__(attrs={"type": "date"}, format="%Y-%m-%d")


def check_year(moment: date) -> None:
    """Refuse years that no show was aired in; the far ends of the calendar break time zones."""
    if not EARLIEST_YEAR <= moment.year <= LATEST_YEAR:
        message = _("The year %(year)s is too far away. Use one from %(first)s to %(last)s.")
        raise ValidationError(message, "year", {"year": moment.year, "first": EARLIEST_YEAR, "last": LATEST_YEAR})


class MomentField(forms.DateTimeField):
    """A moment in the site's time zone, with a plain word where the clocks change."""

    def __init__(self, **kwargs):
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M:%S")
        super().__init__(widget=widget, validators=[check_year], **kwargs)

    def to_python(self, value):
        try:
            return super().to_python(value)
        except ValidationError as refused:
            if getattr(refused, "code", "") != "ambiguous_timezone":
                raise
            message = _("The clocks change then, so %(time)s is no moment or two. Choose one an hour apart.")
            raise ValidationError(message, "clock_change", {"time": value}) from refused


NOTHING_SENT = (None, None, False, None, None)  # file, id, clear, and the place to look at


def read_percent(text: str | None, before: int) -> int:
    """Return a whole number from 0 to 100 as typed, or what was there before where nothing is."""
    typed = (text or "").strip().removesuffix("%").strip()
    if not typed:
        return before
    if not typed.isdecimal() or len(typed) > 3 or int(typed) > 100:
        message = _("“%(text)s” is no place in the picture. Use whole numbers from 0 to 100.")
        raise ValidationError(message, "percent", {"text": typed[:20]})
    return int(typed)


class ImageWidget(forms.MultiWidget):
    """A file to upload, beside the picture that is there already and the place in it to look at."""

    template_name = "episodes/widgets/image.html"

    def __init__(self):
        percent = {"min": 0, "max": 100, "step": 1}
        super().__init__(
            {
                "file": forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
                "id": forms.HiddenInput(),
                "clear": forms.CheckboxInput(),
                "x": forms.NumberInput(attrs=percent),
                "y": forms.NumberInput(attrs=percent),
            }
        )

    def id_for_label(self, id_):
        return f"{id_}_0" if id_ else id_

    def decompress(self, value):
        return [None, value, False, None, None]

    def get_context(self, name, value, attrs):
        stored = value[1] if isinstance(value, list) else value
        image = Image.objects.filter(pk=read_id(stored)).first() if stored else None
        if image and not isinstance(value, list):
            value = [None, image.pk, False, image.focal_x, image.focal_y]
        return super().get_context(name, value, attrs) | {"image": image}


class ImageField(forms.MultiValueField):
    """A picture; the value is the id of an Image row.

    An upload is stored at once, even if another field of the form is refused, and
    comes back as a hidden id: nobody chooses a file twice. The place to look at is
    asked for once there is a picture; another place is another row.
    """

    widget = ImageWidget
    uploader: Actor = None  # set by the form
    uploaded: int | None = None

    def __init__(self, **kwargs):
        fields = (
            forms.FileField(required=False),
            forms.IntegerField(required=False),
            forms.BooleanField(required=False),
            forms.IntegerField(required=False),
            forms.IntegerField(required=False),
        )
        super().__init__(fields, require_all_fields=False, **kwargs)
        self.empty_value = None

    def clean(self, value):
        upload, stored, clear, x, y = value or NOTHING_SENT
        if upload:
            self.uploaded = store_image(read_image(upload), by=self.uploader).pk
            return self.uploaded
        if clear or not stored:
            return None
        image = Image.objects.filter(pk=read_id(stored)).first()
        if image is None:
            raise ValidationError(_("That picture is no longer here. Upload it again."), code="gone")
        focus = read_percent(x, image.focal_x), read_percent(y, image.focal_y)
        return image.pk if focus == (image.focal_x, image.focal_y) else with_focus(image, *focus).pk

    def bound_data(self, data, initial):
        return self.uploaded or data

    def has_changed(self, initial, data):
        upload, stored, clear, *_focus = data or NOTHING_SENT
        return bool(upload) or bool(clear) or str(stored or "") != str(initial or "")

    def hidden(self, model: type[models.Model], name: str, pks: Sequence[int]) -> None:
        """Delete the sizes of the pictures that rows show which readers no longer see."""
        shown = Image.objects.filter(pk__in=model._base_manager.filter(pk__in=pks).values(name))
        forget(f"{RENDITIONS}/{file}" for file in shown.values_list("file", flat=True))

    def run_validators(self, value):
        """The picture was checked when it was read."""

    def dump(self, value: int | None) -> int | None:
        return value

    def load(self, stored: int | None) -> int | None:
        return stored

    def display(self, stored: int | None, labels: dict[int, str]) -> str:
        return _("picture %(number)s") % {"number": stored} if stored else ""


class LinesField(forms.Field):
    """A list of short texts, one a line; the value is a list of strings."""

    def __init__(self, *, longest: int = 120, most: int = 100, **kwargs):
        kwargs.setdefault("widget", forms.Textarea(attrs={"rows": 3, "class": "lines"}))
        super().__init__(**kwargs)
        self.longest = longest
        self.most = most
        self.empty_value: list[str] = []

    def to_python(self, value):
        if isinstance(value, list):
            return value
        lines = [clean_line(line) for line in str(value or "").splitlines()]
        return list(dict.fromkeys(line for line in lines if line))

    def prepare_value(self, value):
        return "\n".join(value) if isinstance(value, list) else value

    def run_validators(self, value):
        if len(value or []) > self.most:
            raise ValidationError(
                _("At most %(most)s lines; there are %(count)s."), "many", {"most": self.most, "count": len(value)}
            )
        for line in value or []:
            if len(line) > self.longest:
                raise ValidationError(
                    _("“%(line)s…” is longer than %(longest)s characters."),
                    "long",
                    {"line": line[:40], "longest": self.longest},
                )

    def has_changed(self, initial, data):
        return self.to_python(data) != (initial or [])

    def dump(self, value: list[str] | None) -> list[str]:
        return list(value or [])

    def load(self, stored: list[str] | None) -> list[str]:
        return list(stored or [])

    def display(self, stored: list[str] | None, labels: dict[int, str]) -> str:
        return "\n".join(stored or [])


AS_TYPED = gettext_lazy("Markdown: *emphasis*, **strong**, [a link](https://example.org), lists and quotations.")
