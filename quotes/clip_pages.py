"""The clip of a quote: asked for by POST, its state for people and as JSON, and the files."""

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from publishing.middleware import site_of, takes_post
from publishing.models import Job
from publishing.pages import Head
from publishing.ranges import serve_file

from .clips import Kind
from .clips.offers import Offer
from .clips.service import QueueFull, clip_of, job_of, offers_for, start, use
from .models import Clip, Quote

HOUR = 60 * 60
LOOK_AGAIN = 2  # seconds, where no script looks
SALT = "quotes.clip"
DOWNLOADS = {Kind.VIDEO, Kind.AUDIOGRAM}


def token_of(quote: Quote) -> str:
    """Return what the button sends: a page of ours was open, which no crawler's POST can say."""
    return signing.Signer(salt=SALT).signature(quote.item.short_id)


@takes_post
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def clip(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer with the state of a quote's video; POST has it made."""
    quote = get_object_or_404(Quote.objects.live().for_page(), slug=slug)
    offer = _download_of(request, quote)
    if request.method == "POST":
        return _start(request, quote, offer)
    state = _state(offer)
    if "application/json" in request.headers.get("Accept", "") or request.GET.get("format") == "json":
        return JsonResponse(state, headers={"Cache-Control": "no-store"})
    return _page(request, quote, state)


def _download_of(request: HttpRequest, quote: Quote) -> Offer:
    offers = offers_for(quote, site_of(request))
    offer = offers.get(Kind.VIDEO) or offers.get(Kind.AUDIOGRAM)
    if offer is None:
        raise Http404
    return offer


def _start(request: HttpRequest, quote: Quote, offer: Offer) -> HttpResponse:
    if request.POST.get("token") != token_of(quote):
        return _page(request, quote, {"state": "none"}, 403, _("Open the quote's page and press the button there."))
    if clip_of(offer) is None:
        if _asks_too_often(request):
            sentence = _("You have asked for many clips this hour. Wait a little, then ask again.")
            return _page(request, quote, {"state": "none"}, 429, sentence)
        try:
            start(offer)
        except QueueFull:
            sentence = _("Many clips are waiting to be made. Try again in a few minutes.")
            response = _page(request, quote, {"state": "none"}, 503, sentence)
            response["Retry-After"] = "120"
            return response
    return HttpResponseRedirect(reverse("quotes:clip", args=[quote.slug]))


def _asks_too_often(request: HttpRequest) -> bool:
    """Count the wish, and tell whether its address has made too many this hour; the address is that of log-in limits."""
    key = f"clip-starts:{get_adapter(request).get_client_ip(request)}"
    cache.add(key, 0, HOUR)
    try:
        count = cache.incr(key)
    except ValueError:  # it ran out between the two
        return False
    return count > settings.CLIP_STARTS_AN_HOUR


def _state(offer: Offer) -> dict:
    """Return ``{"state", "percent", "url", "bytes", "message"}``; states are those of jobs, and none and ready."""
    made = clip_of(offer)
    if made:
        url = file_url(offer)
        return {"state": "ready", "percent": 100, "url": f"{url}?download", "bytes": made.bytes}
    job = job_of(offer)
    if job is None or job.state == Job.State.DONE:
        return {"state": "none", "percent": 0}
    if job.state == Job.State.FAILED:
        return {"state": "failed", "percent": 0, "message": job.last_error}
    percent = min(99, 100 * job.progress // job.progress_of) if job.progress_of else 0
    return {"state": "running" if job.state == Job.State.RUNNING else "waiting", "percent": percent}


def _page(request: HttpRequest, quote: Quote, state: dict, status: int = 200, sentence: str = "") -> HttpResponse:
    context = {
        "head": Head(_("Clip: %(quote)s") % {"quote": quote.headline}, quote.context),
        "quote": quote,
        "state": state,
        "sentence": sentence,
        "token": token_of(quote),
        "look_again": LOOK_AGAIN if state["state"] in ("waiting", "running") else 0,
    }
    response = render(request, "quotes/clip.html", context, status=status)
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def clip_file(request: HttpRequest, slug: str, extension: str) -> HttpResponse | StreamingHttpResponse:
    """Answer with the made clip, or a range of it; 404 until it is made."""
    quote, made = _made_of(request, slug, {Kind.AUDIO} if extension == "m4a" else DOWNLOADS)
    use(made)
    response = serve_file(request, made.file.open(), Kind(made.kind).mime)
    name = f"{quote.slug}.{extension}"
    is_download = "download" in request.GET
    response["Content-Disposition"] = content_disposition_header(is_download, name) or "inline"
    return response


@require_safe
def clip_poster(request: HttpRequest, slug: str) -> HttpResponse | StreamingHttpResponse:
    """Answer with the first frame of the made video clip; 404 until it is made."""
    _quote, made = _made_of(request, slug, {Kind.VIDEO})
    return serve_file(request, made.poster.open(), "image/jpeg")


def _made_of(request: HttpRequest, slug: str, kinds: set[Kind]) -> tuple[Quote, Clip]:
    """Return a live quote and its made clip of one of the kinds. Raises Http404 where there is none."""
    quote = get_object_or_404(Quote.objects.live().for_page(), slug=slug)
    offers = offers_for(quote, site_of(request))
    made = next((found for kind in kinds if kind in offers and (found := clip_of(offers[kind]))), None)
    if made is None:
        raise Http404
    return quote, made


def file_url(offer: Offer) -> str:
    return reverse(f"quotes:clip-{offer.kind.extension}", args=[offer.quote.slug])


def ready_among(offers: dict[Kind, Offer]) -> dict[Kind, Clip]:
    """Return those clips that are made. One query, none where there is no offer."""
    if not offers:
        return {}
    made = {one.tag: one for one in Clip.objects.filter(tag__in=[offer.tag for offer in offers.values()])}
    return {kind: made[offer.tag] for kind, offer in offers.items() if offer.tag in made}
