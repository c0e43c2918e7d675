import zoneinfo

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import get_language_info, gettext_lazy as _


def check_time_zone(name: str) -> None:
    if name not in zoneinfo.available_timezones():
        message = _("“%(name)s” is no time zone. Use a name such as Europe/Berlin.")
        raise ValidationError(message, code="time_zone", params={"name": name})


def check_locale(code: str) -> None:
    try:
        get_language_info(code.lower())
    except KeyError:
        message = _("“%(code)s” is no language that dates can be written in. Use a code such as en, en-gb or de.")
        raise ValidationError(message, code="locale", params={"code": code}) from None


class SiteSettings(models.Model):
    """What the whole site says of itself: one row."""

    name = models.CharField(
        _("name"), max_length=80, default="Pullquote", help_text=_("Stands on top of every page and in every feed.")
    )
    tagline = models.CharField(
        _("tagline"),
        max_length=200,
        blank=True,
        help_text=_("One sentence under the name on the home page, and the description of the site's feeds."),
    )
    logo = models.FileField(
        _("logo"), upload_to="site", blank=True, help_text=_("JPEG, PNG or WebP, up to 15 MB; shown beside the name.")
    )
    watermark_text = models.CharField(
        _("watermark text"),
        max_length=60,
        blank=True,
        help_text=_("Drawn over clips that people download. Empty: the site's name."),
    )
    watermark_image = models.FileField(
        _("watermark image"),
        upload_to="site",
        blank=True,
        help_text=_("A PNG with a clear background, in place of the text."),
    )
    time_zone = models.CharField(
        _("time zone"),
        max_length=60,
        default="UTC",
        validators=[check_time_zone],
        help_text=_("Readers see dates in this zone, such as Europe/Berlin."),
    )
    locale = models.CharField(
        _("locale"),
        max_length=10,
        default="en",
        validators=[check_locale],
        help_text=_("The language of buttons and dates, such as en, en-gb or de."),
    )
    contact = models.EmailField(_("contact"), blank=True, help_text=_("Public: shown in the footer and in feeds."))
    licence = models.CharField(
        _("licence"), max_length=200, blank=True, help_text=_("The copyright line of pages and feeds.")
    )
    footer_links = models.JSONField(_("footer links"), default=list, blank=True)
    feed_items = models.PositiveIntegerField(
        _("items in a feed"),
        default=100,
        validators=[MinValueValidator(1), MaxValueValidator(300)],
        help_text=_("On each page of a feed, newest first; 300 at most. Many podcast apps read the first page only."),
    )

    hearing_required = models.BooleanField(
        _("Quotes must be heard before they are published"),
        default=True,
        help_text=_("Somebody listens to each quote and ticks that they have; readers see who and when."),
    )

    correction_hours = models.PositiveSmallIntegerField(
        _("hours until a changed quote must be explained"),
        default=1,
        validators=[MaxValueValidator(720)],
        help_text=_(
            "Whoever publishes other words or another speaker for a quote that has been live for so long says whether it is an update, a typo or a correction. 0: always."
        ),
    )

    version = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        default_permissions = ("change",)
        verbose_name = verbose_name_plural = _("site settings")

    def __str__(self) -> str:
        return self.name

    @classmethod
    def current(cls) -> "SiteSettings":
        """Return the settings, or the defaults while nobody has saved any. One query."""
        return cls.objects.filter(pk=1).first() or cls(pk=1)


class ContentVersion(models.Model):
    """A number that every public act moves, so that whatever is kept can be told stale."""

    number = models.PositiveBigIntegerField(default=0)
    changed_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.number)
