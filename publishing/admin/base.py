"""The admin of everything publishable: lists, and the pages of one item."""

from typing import ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _, gettext_lazy

from ..acts import PublishRefused, publish, publish_many, retire
from ..badges import badge_of
from ..content import ContentForm
from ..models import Item, Publishable
from ..permissions import can
from ..revisions import create_item, fixed_parents, lock_item, remove
from .adding import adding_form
from .changing import ChangePage, Outcome
from .history import HistoryPages


class PublishableAdmin(HistoryPages, admin.ModelAdmin):
    """Lists read the index of heads; one item's page shows its head and saves drafts of it."""

    content_form: ClassVar[type[ContentForm]]
    list_display = ("title", "badge", "touched")
    search_fields = ("item__working_title", "item__working_text")
    list_select_related = ("item",)
    list_per_page = 50
    show_full_result_count = False
    ordering = ("-pk",)
    actions = None
    change_template = "admin/publishing/change.html"

    class Media:
        css: ClassVar = {"all": ["css/newsroom.css"]}
        js: ClassVar = ["js/card-list.js", "js/item-picker.js", "js/word-count.js"]

    # Lists

    def get_queryset(self, request):
        rows = super().get_queryset(request)
        if request.user.has_perm("publishing.edit_others_item"):
            return rows
        return rows.filter(item__owner=request.user)

    @admin.display(description=gettext_lazy("title"), ordering="item__working_title")
    def title(self, row: Publishable) -> str:
        return str(row.item)

    @admin.display(description=gettext_lazy("state"))
    def badge(self, row: Publishable) -> str:
        badge = badge_of(row)
        return format_html('<span class="badge badge-{}">{}</span>', badge.name, badge.label)

    @admin.display(description=gettext_lazy("date"), ordering="item__working_date")
    def dated(self, row: Publishable):
        return row.item.working_date

    @admin.display(description=gettext_lazy("edited"), ordering="item__touched_at")
    def touched(self, row: Publishable):
        return row.item.touched_at

    def linked(self, row: Publishable, role: str) -> str:
        """Return the titles that the head links to in a role; the list loads them with ``with_links``."""
        return ", ".join(str(link.target) for link in row.item.links.all() if link.role == role)

    # Permissions

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

    # Pages

    def get_urls(self):
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        wrap = self.admin_site.admin_view
        own = [
            path("<int:pk>/retire/", wrap(self.retire_view), name=f"{name}_retire"),
            *self.history_urls(name, wrap),
        ]
        return own + super().get_urls()

    def url(self, page: str, *args) -> str:
        return reverse(
            f"admin:{self.opts.app_label}_{self.opts.model_name}_{page}", args=args, current_app=self.admin_site.name
        )

    def get_row(self, request: HttpRequest, pk: int | str, move: str = "view") -> Publishable:
        """Return a row with its item, or 404; 403 where the person may not make the move."""
        row = (
            self.get_queryset(request).select_related("item__head", "item__live").filter(pk=pk).first()
            if str(pk).isdigit()
            else None
        )
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
            "urls": {page: self.url(page, row.pk) for page in ("change", "retire", "history", "compare", "delete")}
            if row
            else {},
            **context,
        }

    def changeform_view(self, request, object_id=None, form_url="", extra_context=None):
        if object_id is None:
            return self.add_page(request)
        return self.change_page(request, object_id)

    def add_page(self, request: HttpRequest) -> HttpResponse:
        """Ask for identity only; saving makes the item and goes on to its page."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form_class = adding_form(self.content_form)
        form = form_class(request.POST or None, initial=request.GET.dict())
        if request.method == "POST" and form.is_valid():
            content = self.content_form.blank() | form.content()
            item = create_item(self.content_form.model.kind, content, actor=request.user, parents=form.parents())
            self.message_user(
                request, _("“%(item)s” is a draft now. Readers see nothing of it.") % {"item": item}, messages.SUCCESS
            )
            return HttpResponseRedirect(self.url("change", item.pk))
        context = self.page_context(request, form=form, title=_("Add %(kind)s") % {"kind": self.opts.verbose_name})
        return render(request, "admin/publishing/add.html", context)

    def change_page(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self.get_row(request, object_id)
        page = ChangePage(self.content_form, row, request.user)
        if request.method != "POST":
            return self.show_change_page(request, row, page)
        self.require(request, "edit", row)
        outcome = page.save(request.POST, request.FILES)
        if not outcome.is_saved:
            return self.show_change_page(request, row, page, outcome)
        for message in outcome.messages:
            self.message_user(request, message, messages.SUCCESS)
        if "_publish" in request.POST or "_publish_with" in request.POST:
            return self.publish_saved(request, row.pk)
        return HttpResponseRedirect(self.url("change", row.pk))

    def show_change_page(
        self,
        request: HttpRequest,
        row: Publishable,
        page: ChangePage,
        outcome: Outcome | None = None,
        refused: PublishRefused | None = None,
    ) -> HttpResponse:
        context = self.page_context(request, row, title=str(row.item), refused=refused, **page.context(outcome))
        status = 200 if outcome is None or outcome.is_saved else 409 if outcome.clashed else 422
        return render(request, self.change_template, context | self.extra_change_context(request, row), status=status)

    def extra_change_context(self, request: HttpRequest, row: Publishable) -> dict:
        """Return what one type's page shows beyond the form."""
        return {"parents": [getattr(row, name) for name in fixed_parents(self.content_form)]}

    def publish_saved(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Publish the head; a refusal leaves the draft as saved and lists all that stands in the way."""
        item = Item.objects.get(pk=pk)
        self.require(request, "publish", self.get_row(request, pk))
        try:
            publish(item, actor=request.user)
        except PublishRefused as refused:
            if "_publish_with" not in request.POST or not refused.needs:
                row = self.get_row(request, pk)
                return self.show_change_page(
                    request, row, ChangePage(self.content_form, row, request.user), refused=refused
                )
            return self.publish_with(request, item, refused)
        return self.published(request, item)

    def publish_with(self, request: HttpRequest, item: Item, refused: PublishRefused) -> HttpResponse:
        try:
            publish_many([*Item.objects.filter(pk__in=refused.needs), item], actor=request.user)
        except PublishRefused as still_refused:
            row = self.get_row(request, item.pk)
            return self.show_change_page(
                request, row, ChangePage(self.content_form, row, request.user), refused=still_refused
            )
        return self.published(request, item)

    def published(self, request: HttpRequest, item: Item) -> HttpResponse:
        row = self.model.objects.get(pk=item.pk)
        message = format_html(
            _('“{}” is live: <a href="{}">{}</a>.'), str(item), row.get_absolute_url(), row.get_absolute_url()
        )
        self.message_user(request, message, messages.SUCCESS)
        return HttpResponseRedirect(self.url("change", item.pk))

    def retire_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        row = self.get_row(request, pk, "retire")
        problem = ""
        if request.method == "POST":
            try:
                retire(row.item, actor=request.user, reason=request.POST.get("reason", ""))
            except ValidationError as refused:
                problem = " ".join(refused.messages)
            else:
                self.message_user(
                    request,
                    _("“%(item)s” is retired; its address answers with your reason.") % {"item": row.item},
                    messages.SUCCESS,
                )
                return HttpResponseRedirect(self.url("change", pk))
        context = self.page_context(request, row, title=_("Retire “%(item)s”") % {"item": row.item}, problem=problem)
        return render(request, "admin/publishing/retire.html", context, status=422 if problem else 200)

    def delete_view(self, request, object_id, extra_context=None):
        row = self.get_row(request, object_id, "delete")
        problem = ""
        if request.method == "POST":
            try:
                with transaction.atomic():
                    item = lock_item(row.pk)
                    remove(item, actor=request.user)
            except ValidationError as refused:
                problem = " ".join(refused.messages)
            else:
                self.message_user(request, _("“%(item)s” is deleted.") % {"item": item}, messages.SUCCESS)
                return HttpResponseRedirect(self.url("changelist"))
        context = self.page_context(request, row, title=_("Delete “%(item)s”") % {"item": row.item}, problem=problem)
        return render(request, "admin/publishing/delete.html", context, status=422 if problem else 200)
