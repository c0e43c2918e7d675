from allauth.account.decorators import secure_admin_login
from django.contrib.admin import AdminSite
from django.db.models import Model
from django.urls import path
from django.utils.translation import gettext_lazy


class NewsroomAdminSite(AdminSite):
    """The newsroom: the stock admin with a log-in that counts its failures."""

    site_header = gettext_lazy("Newsroom")
    site_title = gettext_lazy("Newsroom")
    index_title = gettext_lazy("Desk")

    hidden_apps = {"account", "django_tasks_db"}  # tables of libraries that no editor needs

    def register(self, model_or_iterable, admin_class=None, **options):
        models: list[type[Model]] = [model_or_iterable] if isinstance(model_or_iterable, type) else [*model_or_iterable]
        shown = [model for model in models if model._meta.app_label not in self.hidden_apps]
        super().register(shown, admin_class, **options)

    def login(self, request, extra_context=None):
        return secure_admin_login(super().login)(request, extra_context)

    def index(self, request, extra_context=None):
        from publishing.admin.desk import desk_context

        return super().index(request, desk_context(request.user) | (extra_context or {}))

    def get_urls(self):
        from episodes.admin_views import image
        from episodes.importing.admin import import_feed_page
        from publishing.admin.exporting import export_file, export_page
        from publishing.admin.jobs import job_page
        from publishing.admin.lookup import lookup
        from quotes.table_page import import_table_page

        return [
            path("lookup/<slug:kind>/", self.admin_view(lookup), name="lookup"),
            path("image/<int:pk>/", self.admin_view(image), name="image"),
            path("import/feed/", self.admin_view(import_feed_page), name="import-feed"),
            path("import/table/", self.admin_view(import_table_page), name="import-table"),
            path("jobs/<int:pk>/", self.admin_view(job_page), name="job"),
            path("exports/<int:pk>/", self.admin_view(export_page), name="export"),
            path("exports/<int:pk>/file/", self.admin_view(export_file), name="export-file"),
            # “View on site” would tell addresses of what is hidden; pages link to what is live themselves.
            *(pattern for pattern in super().get_urls() if getattr(pattern, "name", "") != "view_on_site"),
        ]
