"""The admin of everything publishable: lists, and the pages of one item."""

from datetime import datetime
from typing import ClassVar

from csp.constants import SELF
from csp.decorators import csp_replace
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_safe

from ..acts import PublishRefused, publish, publish_many, retire
from ..badges import badge_of
from ..corrections import Change
from ..models import Item, Publishable, Revision
from ..permissions import actor_of
from ..revisions import create_item, fixed_parents, lock_item, remove
from .adding import adding_form
from .changing import ChangePage, Outcome
from .children import ChildList
from .correcting import ChangeForm, change_form, is_begun
from .exporting import TableExports
from .history import HistoryPages
from .previewing import may_be_framed, preview

LONGEST_SEARCH = 200  # characters
MOST_WORDS = 16


class PublishableAdmin(TableExports, HistoryPages):
    """Lists read the index of heads; one item's page shows its head and saves drafts of it."""

    list_display: tuple[str, ...] = ("title", "badge", "touched")
    search_fields = ("item__working_title", "item__working_text")
    list_select_related = ("item",)
    list_per_page = 50
    list_max_show_all = 0  # never a whole table on one page
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER  # counting each choice scans the table
    ordering = ("-pk",)
    change_template = "admin/publishing/change.html"
    children: tuple[ChildList, ...] = ()

    class Media:
        css: ClassVar = {"all": ["css/newsroom.css"]}
        js: ClassVar = [
            "js/card-list.js",
            "js/item-picker.js",
            "js/preview-frame.js",
            "js/stays-open.js",
            "js/word-count.js",
        ]

    # Lists

    @admin.display(description=gettext_lazy("title"), ordering="item__working_title")
    def title(self, row: Publishable) -> str:
        return str(row.item)

    @admin.display(description=gettext_lazy("state"))
    def badge(self, row: Publishable) -> str:
        badge = badge_of(row)
        return format_html('<span class="badge badge-{}">{}</span>', badge.name, badge.label)

    @admin.display(description=gettext_lazy("date"), ordering="item__working_date")
    def dated(self, row: Publishable):
        return shown_day(row.item.working_date)

    @admin.display(description=gettext_lazy("edited"), ordering="item__touched_at")
    def touched(self, row: Publishable):
        return shown_day(row.item.touched_at)

    def linked(self, row: Publishable, role: str) -> str:
        """Return the titles that the head links to in a role; the list loads them with ``with_links``."""
        return ", ".join(str(link.target) for link in row.item.links.all() if link.role == role)

    def changelist_view(self, request, extra_context=None):
        title = capfirst(self.opts.verbose_name_plural)
        return super().changelist_view(request, {"title": title} | (extra_context or {}))

    def get_search_results(self, request, queryset, search_term):
        """Search for what a person types; longer terms only slow the database."""
        term = " ".join(search_term[:LONGEST_SEARCH].split()[:MOST_WORDS])
        return super().get_search_results(request, queryset, term)

    def lookup_allowed(self, lookup, value, request=None):
        """Refuse look-ups through columns, such as ``slug__regex``; the list's own filters need none."""
        return "__" not in lookup

    # Pages

    def get_urls(self):
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        wrap = self.admin_site.admin_view
        preview_view = may_be_framed(require_safe(self.preview_view))
        own = [
            path("<int:pk>/retire/", wrap(self.retire_view), name=f"{name}_retire"),
            path("<int:pk>/preview/", wrap(preview_view), name=f"{name}_preview"),
            *self.history_urls(name, wrap),
            *self.correction_urls(name, wrap),
        ]
        return own + super().get_urls()

    @method_decorator(csp_replace({"frame-src": [SELF]}))  # the preview beside the form
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
            item = create_item(self.content_form.model.kind, content, actor=actor_of(request), parents=form.parents())
            self.message_user(
                request, _("“%(item)s” is a draft now. Readers see nothing of it.") % {"item": item}, messages.SUCCESS
            )
            return HttpResponseRedirect(self.url("change", item.pk))
        context = self.page_context(request, form=form, title=_("Add %(kind)s") % {"kind": self.opts.verbose_name})
        return render(request, "admin/publishing/add.html", context)

    def change_page(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self.get_row(request, object_id)
        page = ChangePage(self.content_form, row, actor_of(request))
        if request.method != "POST":
            return self.show_change_page(request, row, page)
        self.require(request, "edit", row)
        outcome = page.save(request.POST, request.FILES)
        if not outcome.is_saved:
            return self.show_change_page(request, row, page, outcome)
        for message in outcome.messages:
            self.message_user(request, message, messages.SUCCESS)
        if "_publish" in request.POST or "_publish_with" in request.POST:
            if outcome.saved and outcome.saved.merged:
                message = _("Not published: the draft now holds somebody else's change too. Look at it, then publish.")
                self.message_user(request, message, messages.WARNING)
                return self.show_saved(request, row.pk)
            return self.publish_saved(request, row.pk, outcome.saved.revision if outcome.saved else None)
        if is_begun(request.POST):
            return self.show_saved(request, row.pk)
        return HttpResponseRedirect(self.url("change", row.pk))

    def show_saved(
        self, request: HttpRequest, pk: int, refused: PublishRefused | None = None, *, has_looked: bool = False
    ) -> HttpResponse:
        """Show what was just saved, beside all that was typed of its publication."""
        row = self.get_row(request, pk)
        page = ChangePage(self.content_form, row, actor_of(request))
        return self.show_change_page(request, row, page, refused=refused, has_looked=has_looked)

    def show_change_page(
        self,
        request: HttpRequest,
        row: Publishable,
        page: ChangePage,
        outcome: Outcome | None = None,
        refused: PublishRefused | None = None,
        *,
        has_looked: bool = False,
    ) -> HttpResponse:
        context = self.page_context(request, row, title=str(row.item), refused=refused, **page.context(outcome))
        context["publish_reason"] = request.POST.get("publish_reason", "")
        if row.item.is_live and context["may"]["edit"] and context["may"]["publish"]:
            typed = request.POST if request.method == "POST" else None
            context["changing"] = change_form(self.content_form, row.item, typed, has_looked=has_looked)
        status = 200 if outcome is None or outcome.is_saved else 409 if outcome.clashed else 422
        return render(request, self.change_template, context | self.extra_change_context(request, row), status=status)

    def extra_change_context(self, request: HttpRequest, row: Publishable) -> dict:
        """Return what one type's page shows beyond the form."""
        return {
            "parents": [getattr(row, name) for name in fixed_parents(self.content_form)],
            "children": [listed.of(row.item) for listed in self.children],
        }

    def publish_saved(self, request: HttpRequest, pk: int, revision: Revision | None) -> HttpResponse:
        """Publish just what was saved, whatever others save meanwhile.

        A refusal leaves the draft as saved and lists all that stands in the way.
        """
        item = Item.objects.get(pk=pk)
        self.require(request, "publish", self.get_row(request, pk))
        form = ChangeForm(request.POST)
        if not form.is_valid():
            return self.show_saved(request, pk, PublishRefused(form.problems))
        change, reason = form.change(), request.POST.get("publish_reason", "")
        try:
            publish(item, actor=actor_of(request), revision=revision, reason=reason, change=change)
        except PublishRefused as refused:
            if "_publish_with" not in request.POST or not refused.needs:
                return self.show_saved(request, pk, refused, has_looked=True)
            return self.publish_with(request, item, revision, change, refused)
        return self.published(request, item, change)

    def publish_with(
        self,
        request: HttpRequest,
        item: Item,
        revision: Revision | None,
        change: Change | None,
        refused: PublishRefused,
    ) -> HttpResponse:
        try:
            publish_many(
                [*Item.objects.filter(pk__in=refused.needs), item],
                actor=actor_of(request),
                revisions={item.pk: revision} if revision else None,
                reason=request.POST.get("publish_reason", ""),
                changes={item.pk: change} if change else None,
            )
        except PublishRefused as still_refused:
            return self.show_saved(request, item.pk, still_refused, has_looked=True)
        return self.published(request, item, change)

    def published(self, request: HttpRequest, item: Item, change: Change | None) -> HttpResponse:
        row = self.model.objects.get(pk=item.pk)
        message = format_html(
            _('“{}” is live: <a href="{}">{}</a>.'), str(item), row.get_absolute_url(), row.get_absolute_url()
        )
        self.message_user(request, message, messages.SUCCESS)
        if change and change.is_correction:
            self.message_user(request, _("Readers are told of the correction."), messages.SUCCESS)
        return HttpResponseRedirect(self.url("change", item.pk))

    def preview_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the draft as the live page would be; nothing is written and nobody else sees it."""
        row = self.get_row(request, pk)
        try:
            return preview(request, row.item)
        except ValidationError as refused:
            title = _("No preview of “%(item)s” yet") % {"item": row.item}
            context = self.page_context(request, row, title=title, problem=" ".join(refused.messages), is_popup=True)
            return render(request, "admin/publishing/no_preview.html", context, status=422)

    def retire_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Retire with a reason; “now” is a rights holder's demand, logged as such."""
        row = self.get_row(request, pk, "retire")
        is_take_down = "now" in request.GET or "now" in request.POST
        proposed = _("Taken down at the request of the rights holder.") if is_take_down else ""
        reason, is_told, problem = request.POST.get("reason", proposed), "told" in request.POST, ""
        if request.method == "POST":
            act = "takedown" if is_take_down else "retire"
            try:
                retire(row.item, actor=actor_of(request), reason=reason, act=act, is_told=is_told)
            except ValidationError as refused:
                problem = " ".join(refused.messages)
            else:
                message = _("“%(item)s” is retired; its address answers with your reason.") % {"item": row.item}
                self.message_user(request, message, messages.SUCCESS)
                return HttpResponseRedirect(self.url("change", pk))
        heading = _("Take down “%(item)s” now") if is_take_down else _("Retire “%(item)s”")
        context = self.page_context(
            request,
            row,
            title=heading % {"item": row.item},
            problem=problem,
            is_take_down=is_take_down,
            reason=reason,
            is_told=is_told,
            when_removed=self.model.when_removed,
        )
        return render(request, "admin/publishing/retire.html", context, status=422 if problem else 200)

    def delete_view(self, request, object_id, extra_context=None):
        row = self.get_row(request, object_id, "delete")
        problem = ""
        if request.method == "POST":
            try:
                with transaction.atomic():
                    item = lock_item(row.pk)
                    remove(item, actor=actor_of(request))
            except ValidationError as refused:
                problem = " ".join(refused.messages)
            else:
                self.message_user(request, _("“%(item)s” is deleted.") % {"item": item}, messages.SUCCESS)
                return HttpResponseRedirect(self.url("changelist"))
        context = self.page_context(request, row, title=_("Delete “%(item)s”") % {"item": row.item}, problem=problem)
        return render(request, "admin/publishing/delete.html", context, status=422 if problem else 200)


def shown_day(moment: datetime | None) -> str:
    """Return the day of a moment in the site's time zone, as people write it."""
    return date_format(timezone.localtime(moment), "DATE_FORMAT") if moment else ""
