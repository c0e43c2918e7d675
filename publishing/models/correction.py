import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .item import Item
from .publishable import PublishableQuerySet
from .revision import Revision


class CorrectionQuerySet(PublishableQuerySet):
    def with_items(self):
        """Load ``item``, without what editors search in it."""
        return self.select_related("item").defer("item__working_text")

    def newest_first(self):
        return self.order_by("-published_at", "-pk")


class Correction(models.Model):
    """What readers are told was wrong and was put right; written by public acts only, like all that is public.

    It shows while its item does. One whose item was taken out of public by the same act
    has no ``to_revision`` and shows until another act moves the item. A removal quotes nothing.
    """

    class Kind(models.TextChoices):
        MISQUOTE = "misquote", _("misquote")
        SPEAKER = "speaker", _("wrong speaker")
        TIME = "time", _("wrong timestamp")
        FACTUAL = "factual", _("factual")
        CLARIFICATION = "clarification", _("clarification")
        REMOVAL = "removal", _("removal")

    class Severity(models.TextChoices):
        MINOR = "minor", _("minor")
        SIGNIFICANT = "significant", _("significant")

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="corrections")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    severity = models.CharField(max_length=20, choices=Severity.choices, default=Severity.MINOR)
    note = models.TextField()
    said = models.TextField(blank=True)
    says = models.TextField(blank=True)
    found_by = models.CharField(max_length=120, blank=True)
    from_revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="+")
    to_revision = models.ForeignKey(Revision, null=True, on_delete=models.CASCADE, related_name="+")
    published_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    visible = models.BooleanField()

    objects: ClassVar = CorrectionQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        indexes = [
            # With "visible", so that the page is counted in the index alone.
            models.Index(
                fields=["-published_at", "-id", "visible"], condition=Q(visible=True), name="correction_live_newest"
            ),
            models.Index(
                fields=["item", "-published_at", "-id"], condition=Q(visible=True), name="correction_live_of_item"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~Q(kind="removal") | Q(said="", says=""), name="correction_removal_quotes_nothing"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item_id} {self.kind} {self.published_at:%Y-%m-%d}"

    @property
    def is_removal(self) -> bool:
        return self.kind == self.Kind.REMOVAL
