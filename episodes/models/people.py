from django.db import models
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    """As what somebody takes part."""

    HOST = "host", _("host")
    CO_HOST = "co-host", _("co-host")
    GUEST = "guest", _("guest")
    REPORTER = "reporter", _("reporter")
    NARRATOR = "narrator", _("narrator")
    PRODUCER = "producer", _("producer")
    OTHER = "other", _("other")
