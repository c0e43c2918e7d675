from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from episodes.admin import with_links
from publishing.admin import DateFilter, ItemFilter, PublishableAdmin, StateFilter

from .forms import QuoteContentForm
from .models import Quote


@admin.register(Quote)
class QuoteAdmin(PublishableAdmin):
    content_form = QuoteContentForm
    list_display = ("title", "badge", "speaker_name", "episode_title", "touched")
    list_filter = (
        StateFilter,
        ItemFilter.of("show", "show", _("show")),
        ItemFilter.of("episode", "episode", _("episode")),
        ItemFilter.of("guest", "speaker", _("speaker")),
        DateFilter,
    )

    def get_queryset(self, request):
        return with_links(super().get_queryset(request), "speaker", "episode")

    @admin.display(description=_("speaker"))
    def speaker_name(self, quote: Quote) -> str:
        return self.linked(quote, "speaker")

    @admin.display(description=_("episode"))
    def episode_title(self, quote: Quote) -> str:
        return self.linked(quote, "episode")
