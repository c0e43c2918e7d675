from django.urls import path

from . import corrections_page

app_name = "publishing"

urlpatterns = [
    path("corrections/", corrections_page.corrections, name="corrections"),
    path("corrections/feed.<feed_format:format>", corrections_page.corrections_feed, name="corrections-feed"),
]
