from django.urls import path

from . import views

app_name = "quotes"

urlpatterns = [
    path("quotes/", views.quote_list, name="list"),
    path("quotes/feed.<feed_format:format>", views.quotes_feed, name="feed"),
    path("quotes/<uslug:slug>/", views.quote_detail, name="detail"),
    path("q/<slug:short_id>", views.short_link, name="short"),
    path("how/", views.how, name="how"),
]
