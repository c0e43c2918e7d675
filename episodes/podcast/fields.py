"""Form fields that hold a show to what directories take."""

import re

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _, gettext_lazy

from ..fields import LinesField
from ..models import Image
from .categories import find_category, nearest_category
from .languages import is_language

SMALLEST_ARTWORK, LARGEST_ARTWORK = 1400, 3000  # pixels a side, Apple's limits
KNOWN_LICENCES = re.compile(r"cc0-1\.0|cc-by(?:-nc)?(?:-nd|-sa)?-(?:1\.0|2\.0|2\.5|3\.0|4\.0)")


class LanguageField(forms.CharField):
    """A language by its code, in lower case."""

    def __init__(self, **kwargs):
        super().__init__(max_length=20, initial="en", **kwargs)

    def to_python(self, value):
        return (super().to_python(value) or "").lower()

    def validate(self, value):
        super().validate(value)
        _check_language(value)

    def run_validators(self, value):
        """Checked here too for what an import brings, which is never typed."""
        super().run_validators(value)
        _check_language(value)


def _check_language(value: str) -> None:
    if value and not is_language(value):
        message = _("“%(code)s” is no language code. Use one such as en, en-gb or de.")
        raise ValidationError(message, "language", {"code": value})


class CategoriesField(LinesField):
    """Categories of podcast directories, one a line, in the directories' own spelling where they are known.

    What a feed brings is kept as it says; what an editor types is held to the list by the form.
    """

    def __init__(self, **kwargs):
        super().__init__(longest=100, most=10, **kwargs)

    def to_python(self, value):
        return list(dict.fromkeys(find_category(line) or line for line in super().to_python(value)))


def category_problem(line: str) -> str:
    """Return why directories do not take a category, and which may be meant, else nothing."""
    if find_category(line) == line:
        return ""
    meant = nearest_category(line)
    if meant is None:
        return _("“%(line)s” is no category of podcast directories. Take one of Apple's list.") % {"line": line}
    return _("“%(line)s” is no category of podcast directories. Did you mean “%(meant)s”?") % {
        "line": line,
        "meant": meant,
    }


def artwork_problem(pk: int) -> str:
    """Return why podcast directories refuse a picture, else nothing. One query."""
    image = Image.objects.get(pk=pk)
    size = {"width": image.width, "height": image.height}
    if image.width != image.height:
        return _("Podcast directories take a square picture, and this one is %(width)s × %(height)s. Crop it.") % size
    if image.width < SMALLEST_ARTWORK:
        return (
            _("Podcast directories take pictures of 1400 to 3000 pixels, and this one has %(width)s. Use a larger one.")
            % size
        )
    return ""


class MachineLicenceField(forms.CharField):
    """The name of a licence for machines: an identifier in lower case, or a name of one's own."""

    def __init__(self, **kwargs):
        super().__init__(max_length=128, **kwargs)

    def to_python(self, value):
        text = super().to_python(value) or ""
        return text.lower() if is_known_licence(text) else text


def is_known_licence(text: str) -> bool:
    """Tell whether the name alone says which licence it is (an SPDX identifier of Creative Commons)."""
    return KNOWN_LICENCES.fullmatch(text.lower()) is not None


GEO = re.compile(r"geo:-?\d{1,2}(?:\.\d+)?,-?\d{1,3}(?:\.\d+)?(?:,-?\d+(?:\.\d+)?)?(?:;[\w=.,;-]+)?", re.ASCII)
OSM = re.compile(r"[NWR]\d{1,15}(?:#\d{1,6})?", re.ASCII)
COUNTRY = re.compile(r"[A-Z]{2}", re.ASCII)


class PatternField(forms.CharField):
    """A short text of a given form."""

    def __init__(self, pattern: re.Pattern, example: str, **kwargs):
        super().__init__(required=False, max_length=100, help_text=gettext_lazy("Such as %s.") % example, **kwargs)
        self.pattern = pattern
        self.example = example

    def run_validators(self, value):
        super().run_validators(value)
        if value and not self.pattern.fullmatch(value):
            message = _("“%(text)s” is not of the form %(example)s.")
            raise ValidationError(message, "form", {"text": value, "example": self.example})
