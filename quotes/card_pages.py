"""What the card of a quote says: the words, who said them, and where."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from episodes.cards import picture_of
from publishing.card_files import Card, card_at, card_response, facts_of
from publishing.cards import CardFacts
from publishing.middleware import site_of
from publishing.models import SiteSettings
from publishing.templatetags.pullquote import day_in_words
from publishing.text import clean_line, shorten

from .models import Quote

ALT_CHARS = 400  # of the words, in the text that is read in place of the picture


def quote_card(site: SiteSettings, quote: Quote) -> Card | None:
    """Return the card of a quote that came with its speaker, episode and show, and their pictures."""
    alt = f"“{shorten(clean_line(quote.text), ALT_CHARS)}” – {quote.speaker_name}"
    return card_at(reverse("quotes:card", args=[quote.slug]), quote_facts(site, quote), alt)


@require_safe
def quote_png(request: HttpRequest, slug: str) -> HttpResponse:
    pictures = ("speaker__portrait", "episode__artwork", "episode__show__artwork")
    quote = get_object_or_404(Quote.objects.live().with_episode().select_related(*pictures), slug=slug)
    return card_response(request, quote_facts(site_of(request), quote), quote.pk)


def quote_facts(site: SiteSettings, quote: Quote) -> CardFacts:
    episode, speaker = quote.episode, quote.speaker
    line = [day_in_words(episode.aired_at), episode.title]  # what is cut, if anything, is the title
    return facts_of(
        site,
        language=episode.show.language,
        label=episode.show.title,
        title=quote.headline,
        quote=clean_line(quote.text),
        name=quote.speaker_name,
        line=" · ".join(part for part in line if part),
        portrait=picture_of(speaker.portrait) if speaker else None,
        artwork=picture_of(episode.artwork or episode.show.artwork),
    )
