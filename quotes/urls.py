from django.urls import path

from . import card_pages, cite_pages, clip_pages, embed_pages, exports_page, views

app_name = "quotes"

urlpatterns = [
    path("quotes/", views.quote_list, name="list"),
    path("quotes/feed.<feed_format:format>", views.quotes_feed, name="feed"),
    path("feed.<feed_format:format>", views.site_feed, name="site-feed"),
    path("guests/<uslug:slug>/quotes/feed.<feed_format:format>", views.guest_quotes_feed, name="guest-feed"),
    path("topics/<uslug:slug>/quotes/feed.<feed_format:format>", views.topic_quotes_feed, name="topic-feed"),
    path("quotes/<uslug:slug>/", views.quote_detail, name="detail"),
    path("quotes/<uslug:slug>/card.png", card_pages.quote_png, name="card"),
    path("quotes/<uslug:slug>/embed/", embed_pages.quote_embed, name="embed"),
    path("quotes/<uslug:slug>/cite.<slug:format>", cite_pages.cite, name="cite"),
    path("quotes/<uslug:slug>/clip/", clip_pages.clip, name="clip"),
    path("quotes/<uslug:slug>/clip.mp4", clip_pages.clip_file, {"extension": "mp4"}, name="clip-mp4"),
    path("quotes/<uslug:slug>/clip.m4a", clip_pages.clip_file, {"extension": "m4a"}, name="clip-m4a"),
    path("quotes/<uslug:slug>/clip.jpg", clip_pages.clip_poster, name="clip-jpg"),
    path("q/<slug:short_id>", views.short_link, name="short"),
    path("how/", views.how, name="how"),
    path("exports/", exports_page.exports, name="exports"),
    path("exports/index.json", exports_page.index, name="export-index"),
    path("exports/<str:name>", exports_page.export_file, name="export-file"),
]
