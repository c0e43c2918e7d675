"""What was said in an episode: the page to read and the files to take."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from publishing.documents import document_response
from publishing.middleware import site_of
from publishing.pages import Head

from .cards import episode_card
from .models import Episode
from .player import player_of
from .structured import transcript_data
from .transcripts.files import formats_of, write_file
from .transcripts.marks import QuoteMark
from .transcripts.naming import SpeakerNames
from .transcripts.page import make_page
from .transcripts.script import script_of
from .transcripts.shown import Shown, find_shown, transcripts_of

MOST_MARKED = 500  # quotes of one episode


@require_safe
def transcript(request: HttpRequest, show_slug: str, slug: str) -> HttpResponse:
    episodes = Episode.objects.live().with_media().with_people().select_related("show", "artwork", "show__artwork")
    episode = get_object_or_404(episodes.defer("notes", "chapters"), show__slug=show_slug, slug=slug)
    shown, chosen = _choose(episode, request)
    player = player_of(episode.media_links)
    artwork = episode.artwork or episode.show.artwork
    page = make_page(script_of(chosen.transcript), SpeakerNames(chosen.transcript), player, _marks(chosen))
    title = _("Transcript of %(title)s") % {"title": episode.title}
    context = {
        "head": Head(
            title,
            episode.summary,
            query=chosen.query,
            card=episode_card(site_of(request), episode),
            kind="article",
            data=transcript_data(episode, chosen, title),
        ),
        "episode": episode,
        "artwork": artwork,
        "player": player,
        "shown": shown,
        "chosen": chosen,
        "text": page,
    }
    return render(request, "episodes/transcript.html", context)


@require_safe
def transcript_file(request: HttpRequest, show_slug: str, slug: str, format: str) -> HttpResponse:
    episodes = Episode.objects.live().select_related("show").defer("notes", "chapters")
    episode = get_object_or_404(episodes, show__slug=show_slug, slug=slug)
    _shown, chosen = _choose(episode, request)
    form = formats_of(chosen.transcript).get(format)
    if form is None:
        raise Http404
    body = write_file(script_of(chosen.transcript), SpeakerNames(chosen.transcript), form)
    response = document_response(request, body, form.content_type)
    name = f"{episode.show.slug}-{episode.slug}.{chosen.language}.{format}"
    response["Content-Disposition"] = content_disposition_header(False, name) or "inline"
    return response


def _choose(episode: Episode, request: HttpRequest) -> tuple[list[Shown], Shown]:
    """Return the transcripts that hold, and the one in the language asked for. One query."""
    shown = transcripts_of(episode)
    chosen = find_shown(shown, request.GET.get("language", ""))
    if chosen is None:
        raise Http404
    return shown, chosen


def _marks(chosen: Shown) -> list[QuoteMark]:
    """Return the quotes that this transcript proves. One query; none for a translation, by which nothing is proved."""
    if not chosen.is_original:
        return []
    quotes = chosen.episode.quotes.live().proved_by(chosen.transcript).select_related("speaker")
    return [
        QuoteMark(quote.first_word, quote.last_word, quote.get_absolute_url(), quote.headline)
        for quote in quotes[:MOST_MARKED]
        if quote.first_word is not None and quote.last_word is not None
    ]
