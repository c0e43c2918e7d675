from allauth.account.decorators import secure_admin_login
from django.contrib.admin import AdminSite
from django.utils.translation import gettext_lazy


class NewsroomAdminSite(AdminSite):
    """The newsroom: the stock admin with a log-in that counts its failures."""

    site_header = gettext_lazy("Newsroom")
    site_title = gettext_lazy("Newsroom")
    index_title = gettext_lazy("Desk")
    enable_nav_sidebar = True

    def login(self, request, extra_context=None):
        return secure_admin_login(super().login)(request, extra_context)
