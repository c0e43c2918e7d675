import secrets
import string
import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from ..kinds import get_kind
from .revision import Revision

if TYPE_CHECKING:
    from .correction import Correction

SHORT_ID_LETTERS = string.ascii_lowercase + string.digits


def new_short_id() -> str:
    """Return eight random letters and digits for a permanent short link."""
    return "".join(secrets.choice(SHORT_ID_LETTERS) for _ in range(8))


class ItemQuerySet(models.QuerySet):
    def locked(self) -> "ItemQuerySet":
        """Lock the rows, ascending by key so that two acts never wait for each other."""
        return self.select_for_update().order_by("pk")

    def of_kind(self, kind: str) -> "ItemQuerySet":
        return self.filter(kind=kind)


class Item(models.Model):
    """One publishable thing: what readers see of it, what editors are drafting.

    Two axes that never mix. Public: ``live`` (a revision, or null) and ``retired_at``.
    Draft: ``head`` (the newest revision) and ``draft_state``, which is about ``head`` only.
    Where ``head`` is ``live`` there is no draft.
    """

    class DraftState(models.TextChoices):
        EDITING = "editing", _("draft")
        IN_REVIEW = "in_review", _("in review")
        APPROVED = "approved", _("approved")

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    short_id = models.CharField(max_length=8, default=new_short_id, unique=True, editable=False)
    kind = models.CharField(max_length=20)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="owned_items"
    )

    live = models.ForeignKey("Revision", null=True, on_delete=models.PROTECT, related_name="+")
    first_published_at = models.DateTimeField(null=True)
    published_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField(null=True, help_text="When readers last saw a change; moved by public acts only.")
    retired_at = models.DateTimeField(null=True)
    retired_reason = models.TextField(blank=True)

    head = models.ForeignKey("Revision", null=True, on_delete=models.PROTECT, related_name="+")
    draft_state = models.CharField(max_length=20, choices=DraftState.choices, default=DraftState.EDITING)
    touched_at = models.DateTimeField(default=timezone.now)

    # An index of the head, rewritten by save_revision(); admin lists read only these.
    working_title = models.CharField(max_length=300, blank=True)
    working_slug = models.CharField(max_length=120, blank=True)
    working_date = models.DateTimeField(null=True)
    working_text = models.TextField(blank=True)

    told_corrections: "list[Correction]"  # loaded by the rows' with_corrections()

    objects = ItemQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        permissions = [
            ("write_item", "Can write and edit own drafts"),
            ("edit_others_item", "Can edit the drafts of others"),
            ("submit_item", "Can submit a draft for review"),
            ("approve_item", "Can approve or send back a draft"),
            ("publish_item", "Can publish"),
            ("retire_item", "Can retire what is live"),
            ("readdress_item", "Can change a live address or take a retired one"),
            ("delete_item", "Can delete for good"),
        ]
        indexes = [
            models.Index(fields=["kind", "-id"], name="item_newest"),
            models.Index(fields=["kind", "-touched_at", "-id"], name="item_touched"),
            models.Index(fields=["kind", "-working_date", "-id"], name="item_dated"),
            models.Index(fields=["kind", "working_slug"], name="item_working_slug"),
            models.Index(fields=["kind", "working_title"], name="item_working_title"),
            models.Index(fields=["kind", "-changed_at"], condition=Q(changed_at__isnull=False), name="item_changed"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(live__isnull=True) | Q(retired_at__isnull=True), name="item_live_or_retired"
            ),
        ]

    def __str__(self) -> str:
        return self.working_title or str(pgettext_lazy("an item without a title", "Untitled"))

    @property
    def admin_path(self) -> str:
        """Return the address of the item's page in the newsroom."""
        app = get_kind(self.kind).model._meta.app_label
        return reverse(f"admin:{app}_{self.kind}_change", args=[self.pk])

    @property
    def newest(self) -> Revision:
        """Return the head, which every item has once it is made."""
        if self.head is None:
            raise Revision.DoesNotExist(f"Item {self.pk} has no revision.")
        return self.head

    @property
    def is_live(self) -> bool:
        return self.live_id is not None

    @property
    def has_draft(self) -> bool:
        return self.head_id != self.live_id


class ItemLink(models.Model):
    """A link that an item's head makes, so that “used on” and filters need not read JSON."""

    source = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="links")
    target = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="linked_from")
    role = models.CharField(max_length=20)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["target", "role", "-source"], name="itemlink_used_on")]
        constraints = [
            models.UniqueConstraint(fields=["source", "role", "position"], name="itemlink_one_place"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id} {self.role} {self.target_id}"
