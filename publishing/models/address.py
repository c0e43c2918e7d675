from django.db import models
from django.db.models import Q


class Address(models.Model):
    """A path that an item has had in public; the present one has no ``retired_at``.

    Old paths point at the item and not at another path, so a redirect is always one hop.
    ``path`` is stored unquoted, as ``request.path`` gives it.
    """

    path = models.CharField(max_length=400, unique=True)
    item = models.ForeignKey("Item", on_delete=models.CASCADE, related_name="addresses")
    first_public_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        verbose_name_plural = "addresses"
        constraints = [
            models.UniqueConstraint(fields=["item"], condition=Q(retired_at__isnull=True), name="address_one_present"),
        ]

    def __str__(self) -> str:
        return self.path
