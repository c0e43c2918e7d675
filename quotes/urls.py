from django.urls import path

from . import card_pages, clip_pages, views

app_name = "quotes"

urlpatterns = [
    path("quotes/", views.quote_list, name="list"),
    path("quotes/feed.<feed_format:format>", views.quotes_feed, name="feed"),
    path("quotes/<uslug:slug>/", views.quote_detail, name="detail"),
    path("quotes/<uslug:slug>/card.png", card_pages.quote_png, name="card"),
    path("quotes/<uslug:slug>/clip/", clip_pages.clip, name="clip"),
    path("quotes/<uslug:slug>/clip.mp4", clip_pages.clip_file, {"extension": "mp4"}, name="clip-mp4"),
    path("quotes/<uslug:slug>/clip.m4a", clip_pages.clip_file, {"extension": "m4a"}, name="clip-m4a"),
    path("q/<slug:short_id>", views.short_link, name="short"),
    path("how/", views.how, name="how"),
]
