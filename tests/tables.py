"""The content of tables, to compare before and after."""

from django.apps import apps

OURS = ("publishing", "episodes", "quotes")
PUBLIC = [
    "episodes.Show",
    "episodes.Episode",
    "episodes.EpisodeGuest",
    "episodes.EpisodeTopic",
    "episodes.EpisodeMedia",
    "episodes.Guest",
    "episodes.GuestQuote",
    "episodes.Topic",
    "quotes.Quote",
    "quotes.QuoteTopic",
    "quotes.RelatedQuote",
    "publishing.Address",
    "publishing.ContentVersion",
    "publishing.Correction",
]


def dump_tables(*labels: str) -> dict[str, list[tuple]]:
    """Return every row of these models (of all of ours by default), by key."""
    models = [apps.get_model(label) for label in labels] or [
        model for app in OURS for model in apps.get_app_config(app).get_models()
    ]
    return {
        model._meta.label: [tuple(row.items()) for row in model.objects.order_by("pk").values()] for model in models
    }
