from allauth.account.decorators import secure_admin_login
from django.contrib.admin import AdminSite
from django.urls import path
from django.utils.translation import gettext_lazy


class NewsroomAdminSite(AdminSite):
    """The newsroom: the stock admin with a log-in that counts its failures."""

    site_header = gettext_lazy("Newsroom")
    site_title = gettext_lazy("Newsroom")
    index_title = gettext_lazy("Desk")

    def login(self, request, extra_context=None):
        return secure_admin_login(super().login)(request, extra_context)

    def get_urls(self):
        from episodes.admin_views import image  # noqa: PLC0415 - models are not loaded when this module is
        from publishing.admin.lookup import lookup  # noqa: PLC0415

        return [
            path("lookup/<slug:kind>/", self.admin_view(lookup), name="lookup"),
            path("image/<int:pk>/", self.admin_view(image), name="image"),
            *super().get_urls(),
        ]
