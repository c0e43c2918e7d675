from django.urls import path

from . import cards, chapter_files, embed_pages, opml, transcript_views, views

app_name = "episodes"

urlpatterns = [
    path("shows/", views.show_list, name="show-list"),
    path("shows.opml", opml.shows, name="opml"),
    path("shows/<uslug:show_slug>/", views.show_detail, name="show"),
    path("shows/<uslug:show_slug>/feed.<feed_format:format>", views.show_feed, name="show-feed"),
    path("shows/<uslug:show_slug>/card.png", cards.show_png, name="show-card"),
    path("shows/<uslug:show_slug>/<uslug:slug>/", views.episode_detail, name="detail"),
    path("shows/<uslug:show_slug>/<uslug:slug>/card.png", cards.episode_png, name="card"),
    path("shows/<uslug:show_slug>/<uslug:slug>/embed/", embed_pages.episode_embed, name="embed"),
    path("shows/<uslug:show_slug>/<uslug:slug>/chapters.json", chapter_files.chapters, name="chapters"),
    path("shows/<uslug:show_slug>/<uslug:slug>/transcript/", transcript_views.transcript, name="transcript"),
    path(
        "shows/<uslug:show_slug>/<uslug:slug>/transcript.<slug:format>",
        transcript_views.transcript_file,
        name="transcript-file",
    ),
    path("episodes/", views.episode_list, name="list"),
    path("episodes/feed.<feed_format:format>", views.episodes_feed, name="feed"),
    path("guests/", views.guest_list, name="guest-list"),
    path("guests/<uslug:slug>/", views.guest_detail, name="guest"),
    path("guests/<uslug:slug>/quotes/", views.guest_quotes, name="guest-quotes"),
    path("guests/<uslug:slug>/feed.<feed_format:format>", views.guest_feed, name="guest-feed"),
    path("guests/<uslug:slug>/card.png", cards.guest_png, name="guest-card"),
    path("topics/", views.topic_list, name="topic-list"),
    path("topics/<uslug:slug>/", views.topic_detail, name="topic"),
    path("topics/<uslug:slug>/quotes/", views.topic_quotes, name="topic-quotes"),
    path("topics/<uslug:slug>/feed.<feed_format:format>", views.topic_feed, name="topic-feed"),
    path("topics/<uslug:slug>/card.png", cards.topic_png, name="topic-card"),
    path("feeds/", views.feed_list, name="feeds"),
    path("e/<slug:short_id>", views.short_link, name="short"),
    path("media/<path:name>", views.media, name="media"),
]
