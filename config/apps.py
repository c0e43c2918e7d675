from django.contrib.admin.apps import AdminConfig


class NewsroomAdminConfig(AdminConfig):
    """Put Pullquote's own admin site in the place of Django's."""

    default_site = "config.admin_site.NewsroomAdminSite"
