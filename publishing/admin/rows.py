"""What all pages about publishable rows share: whose rows a person sees, who may what, addresses."""

from typing import ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from ..badges import badge_of
from ..content import ContentForm
from ..models import Publishable
from ..permissions import can
from ..references import read_id

PAGES = ("change", "preview", "retire", "history", "compare", "delete")


class RowAdmin(admin.ModelAdmin):
    content_form: ClassVar[type[ContentForm]]

    def get_queryset(self, request):
        rows = super().get_queryset(request)
        if request.user.has_perm("publishing.edit_others_item"):
            return rows
        return rows.filter(item__owner=request.user)

    def has_view_permission(self, request, obj=None):
        return can(request.user, "view", obj.item if obj else None)

    def has_add_permission(self, request):
        return can(request.user, "add")

    def has_change_permission(self, request, obj=None):
        return can(request.user, "edit", obj.item if obj else None)

    def has_delete_permission(self, request, obj=None):
        return can(request.user, "delete", obj.item if obj else None)

    def has_module_permission(self, request):
        return can(request.user, "view")

    def require(self, request: HttpRequest, move: str, row: Publishable) -> None:
        if not can(request.user, move, row.item):
            raise PermissionDenied

    def url(self, page: str, *args) -> str:
        return reverse(
            f"admin:{self.opts.app_label}_{self.opts.model_name}_{page}", args=args, current_app=self.admin_site.name
        )

    def get_row(self, request: HttpRequest, pk: int | str, move: str = "view") -> Publishable:
        """Return a row with its item, or 404; 403 where the person may not make the move."""
        rows = self.get_queryset(request).select_related("item__head", "item__live")
        row = rows.filter(pk=read_id(pk)).first()
        if row is None:
            raise Http404(_("There is nothing here under that number."))
        self.require(request, move, row)
        return row

    def page_context(self, request: HttpRequest, row: Publishable | None = None, **context) -> dict:
        item = row.item if row else None
        return {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "media": self.media,
            "row": row,
            "item": item,
            "badge": badge_of(row) if row else None,
            "may": {move: can(request.user, move, item) for move in ("edit", "publish", "retire", "delete")},
            "urls": {page: self.url(page, row.pk) for page in PAGES} if row else {},
            **context,
        }
