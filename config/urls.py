"""Every address of the site."""

from allauth.account import views as account_views
from django.contrib import admin
from django.urls import include, path, register_converter

from publishing.converters import FeedFormatConverter, PartNumberConverter, UnicodeSlugConverter
from publishing.views import not_found
from quotes.oembed import oembed
from quotes.sitemaps import robots, sitemap, sitemap_part
from quotes.views import home

register_converter(UnicodeSlugConverter, "uslug")
register_converter(FeedFormatConverter, "feed_format")
register_converter(PartNumberConverter, "part")

urlpatterns = [
    path("", home, name="home"),
    path("sitemap.xml", sitemap, name="sitemap"),
    path("sitemaps/<slug:kind>-<part:number>.xml", sitemap_part, name="sitemap-part"),
    path("robots.txt", robots, name="robots"),
    path("oembed", oembed, name="oembed"),
    path("admin/", admin.site.urls),
    path("accounts/login/", account_views.login, name="account_login"),
    path("accounts/logout/", account_views.logout, name="account_logout"),
    path("accounts/reauthenticate/", account_views.reauthenticate, name="account_reauthenticate"),
    path("accounts/inactive/", account_views.account_inactive, name="account_inactive"),
    path("", include("quotes.urls")),
    path("", include("episodes.urls")),
    path("", include("publishing.urls")),
]

handler404 = not_found
