"""What shows, episodes, guests and topics hold, declared once."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _, gettext_lazy
from django_stubs_ext import StrOrPromise

from publishing.content import Content, ContentForm
from publishing.fields import CardListField, ItemField, RowForm
from publishing.kinds import content_form
from publishing.models import Item, Publishable
from publishing.permissions import Actor

from .fields import AS_TYPED, DayInput, ImageField, LinesField, MomentField, TimecodeField, check_year
from .media_forms import MediaRow
from .models import (
    Episode,
    EpisodeGuest,
    EpisodeMedia,
    EpisodeTopic,
    Guest,
    GuestQuote,
    Origin,
    Role,
    Show,
    ShowPerson,
    Topic,
    Transcript,
)
from .podcast.fields import (
    CategoriesField,
    LanguageField,
    MachineLicenceField,
    artwork_problem,
    category_problem,
    is_known_licence,
)
from .podcast.rows import CastRow, FundingRow, LocationRow, SeasonRow, SocialRow, TxtRow


def slug_field(example: str) -> forms.SlugField:
    return forms.SlugField(
        label=gettext_lazy("Address"),
        max_length=120,
        allow_unicode=True,
        help_text=gettext_lazy(
            "The last part of the page's address, such as %s. Left empty, it is made from the title. Changing it after publication keeps the old address as a redirect."
        )
        % example,
    )


def prose(rows: int, **kwargs) -> forms.CharField:
    return forms.CharField(widget=forms.Textarea(attrs={"rows": rows, "class": "prose"}), **kwargs)


def origin_field(label: StrOrPromise) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label,
        choices=Origin.choices,
        initial=Origin.EDITOR,
        help_text=gettext_lazy("Readers are told. It counts as written here once you have edited it."),
    )


def transcript_field() -> forms.IntegerField:
    return forms.IntegerField(
        label=gettext_lazy("From transcript"),
        min_value=1,
        max_value=10_000,
        help_text=gettext_lazy(
            "The number of the transcript it was written from; filled in when the text changes. Set it to the newest once you have seen that the text still fits."
        ),
    )


class LinkRow(RowForm):
    label = forms.CharField(label=gettext_lazy("Label"), max_length=80)
    url = forms.URLField(label=gettext_lazy("Address"), max_length=2000, assume_scheme="https")
    unique = ("url",)


class MishearingRow(RowForm):
    heard = forms.CharField(label=gettext_lazy("Heard"), max_length=120)
    name = forms.CharField(label=gettext_lazy("Is"), max_length=120)
    unique = ("heard",)


def locations_field(help_text: StrOrPromise) -> CardListField:
    return CardListField(
        LocationRow, label=gettext_lazy("Places"), add_label=gettext_lazy("Add a place"), help_text=help_text
    )


def social_field(help_text: StrOrPromise) -> CardListField:
    return CardListField(
        SocialRow, label=gettext_lazy("Comments"), add_label=gettext_lazy("Add a post"), help_text=help_text
    )


def mishearings_field() -> CardListField:
    return CardListField(
        MishearingRow,
        label=gettext_lazy("Mishearings"),
        add_label=gettext_lazy("Add a mishearing"),
        help_text=gettext_lazy(
            "How transcripts get the name wrong. Used to propose corrections; nothing is ever corrected by itself."
        ),
    )


@content_form
class ShowContentForm(ContentForm):
    model = Show
    required_to_publish = ("title", "slug")
    links = {"people": ShowPerson}
    search_fields = ("tagline", "author", "description")
    quotable = ("title", "tagline", "description", "author")
    sections = (
        (gettext_lazy("The show"), ("title", "slug", "tagline", "description", "artwork", "artwork_alt")),
        (gettext_lazy("Facts"), ("author", "language", "website", "youtube", "categories", "explicit")),
        (gettext_lazy("Who makes it"), ("people",)),
        (gettext_lazy("Rights"), ("clips_allowed", "longest_clip_ms", "licence", "rights_contact")),
        (
            gettext_lazy("Feed"),
            ("feed_identity", "order", "medium", "locked", "owner_email", "owner_email_public", "seasons", "funding"),
        ),
        (
            gettext_lazy("Feed: for podcast apps and directories"),
            ("machine_licence", "machine_licence_url", "locations", "social", "txts"),
        ),
    )

    title = forms.CharField(label=gettext_lazy("Title"), max_length=200)
    slug = slug_field("signal-path")
    tagline = forms.CharField(
        label=gettext_lazy("Tagline"),
        max_length=200,
        help_text=gettext_lazy("One line under the title, in lists and on the show's page."),
    )
    description = prose(8, label=gettext_lazy("Description"), max_length=50_000, help_text=AS_TYPED)
    artwork = ImageField(
        label=gettext_lazy("Artwork"),
        help_text=gettext_lazy("Square; 1400 to 3000 pixels, so that podcast directories take it."),
    )
    artwork_alt = forms.CharField(
        label=gettext_lazy("What the artwork shows"),
        max_length=300,
        help_text=gettext_lazy("For those who cannot see it."),
    )
    website = forms.URLField(label=gettext_lazy("Website"), max_length=2000, assume_scheme="https")
    language = LanguageField(label=gettext_lazy("Language"), help_text=gettext_lazy("A code such as en, en-gb or de."))
    author = forms.CharField(label=gettext_lazy("Made by"), max_length=200)
    owner_email = forms.EmailField(
        label=gettext_lazy("Owner's e-mail"),
        max_length=254,
        help_text=gettext_lazy("For our own use; readers see it only where you put it into the feed below."),
    )
    owner_email_public = forms.BooleanField(
        label=gettext_lazy("Put the owner's e-mail into the feed"),
        initial=False,
        help_text=gettext_lazy("Some directories ask for it to prove ownership."),
    )
    categories = CategoriesField(
        label=gettext_lazy("Categories"),
        help_text=gettext_lazy(
            "One a line, as podcast directories name them: Science, or Society & Culture > Documentary. The first counts most."
        ),
    )
    explicit = forms.BooleanField(label=gettext_lazy("Explicit"), initial=False)
    youtube = forms.URLField(label=gettext_lazy("YouTube channel"), max_length=2000, assume_scheme="https")
    clips_allowed = forms.BooleanField(
        label=gettext_lazy("Clips may be hosted here"),
        initial=False,
        help_text=gettext_lazy("Only with the owner's consent: readers can then download clips of quotes."),
    )
    longest_clip_ms = TimecodeField(
        label=gettext_lazy("Longest clip"), help_text=gettext_lazy("Such as 1:30. Empty: no limit but the program's.")
    )
    licence = forms.CharField(
        label=gettext_lazy("Licence line"),
        max_length=200,
        help_text=gettext_lazy("Shown with quotes and clips of this show."),
    )
    rights_contact = forms.EmailField(label=gettext_lazy("Contact for rights"), max_length=254)
    feed_identity = forms.ChoiceField(
        label=gettext_lazy("Whose feed"),
        choices=Show.FeedIdentity.choices,
        initial=Show.FeedIdentity.ABOUT,
        help_text=gettext_lazy(
            "On the show's own site our feed carries the show's identity; about somebody's show it must not."
        ),
    )
    people = CardListField(
        CastRow,
        label=gettext_lazy("Hosts and makers"),
        add_label=gettext_lazy("Add a person"),
        help_text=gettext_lazy("The regular ones. Podcast apps show them with every episode that names no host."),
    )
    order = forms.ChoiceField(
        label=gettext_lazy("Order"),
        choices=Show.Order.choices,
        initial=Show.Order.EPISODIC,
        help_text=gettext_lazy("A serial numbers its episodes; apps then play them from the first."),
    )
    medium = forms.ChoiceField(label=gettext_lazy("Medium"), choices=Show.Medium.choices, initial=Show.Medium.PODCAST)
    locked = forms.BooleanField(
        label=gettext_lazy("Other hosts must not import this feed"),
        initial=False,
        help_text=gettext_lazy("Untick it while the show moves elsewhere."),
    )
    machine_licence = MachineLicenceField(
        label=gettext_lazy("Licence for machines"),
        help_text=gettext_lazy("An identifier such as cc-by-4.0, or a name of your own with its address below."),
    )
    machine_licence_url = forms.URLField(
        label=gettext_lazy("Address of the licence"), max_length=2000, assume_scheme="https"
    )
    funding = CardListField(
        FundingRow,
        label=gettext_lazy("Support"),
        add_label=gettext_lazy("Add an address"),
        help_text=gettext_lazy("Where listeners can give money; apps show a button."),
    )
    locations = locations_field(gettext_lazy("What the show is about, or where it is made."))
    social = social_field(gettext_lazy("Where people talk about the show as a whole."))
    txts = CardListField(
        TxtRow,
        label=gettext_lazy("Words to machines"),
        add_label=gettext_lazy("Add a text"),
        help_text=gettext_lazy("A directory that wants proof of ownership gives you a text to put here."),
    )
    seasons = CardListField(SeasonRow, label=gettext_lazy("Names of seasons"), add_label=gettext_lazy("Add a season"))

    def clean(self):
        cleaned = super().clean()
        if cleaned.get("owner_email_public") and not cleaned.get("owner_email") and "owner_email" not in self.errors:
            self.add_error("owner_email", ValidationError(_("Type the address that the feed is to show."), "no_email"))
        name, address = cleaned.get("machine_licence"), cleaned.get("machine_licence_url")
        if name and not address and not is_known_licence(name):
            message = _("“%(name)s” is no identifier that machines know. Give its address, or one such as cc-by-4.0.")
            self.add_error("machine_licence", ValidationError(message, "licence", {"name": name}))
        for line in cleaned.get("categories") or []:
            problem = "" if line in (self.initial.get("categories") or []) else category_problem(line)
            if problem:
                self.add_error("categories", ValidationError(problem, "category"))
        if cleaned.get("feed_identity") == Show.FeedIdentity.OWN and cleaned.get("artwork"):
            self._check_artwork(cleaned["artwork"])
        return cleaned

    def _check_artwork(self, pk: int) -> None:
        """Refuse what directories do not take, when it is chosen; a picture that was there does not stand in the way."""
        is_new = pk != self.initial.get("artwork") or self.initial.get("feed_identity") != Show.FeedIdentity.OWN
        problem = artwork_problem(pk) if is_new else ""
        if problem:
            self.add_error("artwork", ValidationError(problem, "artwork"))

    @classmethod
    def problems(cls, row: Publishable, content: Content) -> list[str]:
        if content.get("artwork") and not content.get("artwork_alt"):
            return [_("Say what the artwork shows, for those who cannot see it.")]
        return []


@content_form
class GuestContentForm(ContentForm):
    model = Guest
    title_field = "name"
    required_to_publish = ("name", "slug")
    search_fields = ("bio",)
    quotable = ("name", "bio")
    links = {"quotes": GuestQuote}
    sections = (
        (gettext_lazy("The person"), ("name", "slug", "sort_name", "bio", "portrait", "portrait_alt", "website_links")),
        (gettext_lazy("Other spellings"), ("aliases", "mishearings")),
        (gettext_lazy("More from this speaker"), ("quotes",)),
    )

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=120,
        help_text=gettext_lazy("As the person writes it; the headline of every quote begins with it."),
    )
    slug = slug_field("ada-okafor")
    sort_name = forms.CharField(
        label=gettext_lazy("Sort name"),
        max_length=120,
        help_text=gettext_lazy("Such as Okafor, Ada. Empty: the name as it is."),
    )
    bio = prose(
        5,
        label=gettext_lazy("Bio"),
        max_length=5_000,
        help_text=gettext_lazy("Who this is now. Who they were at the time of an episode stands with the episode."),
    )
    portrait = ImageField(label=gettext_lazy("Portrait"))
    portrait_alt = forms.CharField(
        label=gettext_lazy("What the portrait shows"),
        max_length=300,
        help_text=gettext_lazy("For those who cannot see it."),
    )
    website_links = CardListField(
        LinkRow,
        label=gettext_lazy("Links"),
        add_label=gettext_lazy("Add a link"),
        help_text=gettext_lazy("Their own pages and profiles: also told to search engines as the same person."),
    )
    aliases = LinesField(
        label=gettext_lazy("Also known as"),
        help_text=gettext_lazy("One a line. Feeds and transcripts that use such a name are matched to this person."),
    )
    mishearings = mishearings_field()

    class _QuoteRow(RowForm):
        quote = ItemField("quote", narrow="speaker:self", label=gettext_lazy("Quote"))
        unique = ("quote",)

    quotes = CardListField(
        _QuoteRow,
        label=gettext_lazy("Quotes to show first"),
        add_label=gettext_lazy("Add a quote"),
        help_text=gettext_lazy("“More from this speaker” on their quotes takes these first, then the newest."),
    )

    @classmethod
    def text_of(cls, content: Content) -> str:
        """Add other names and links: an import finds the guest by them."""
        links = [link["url"] for link in content.get("website_links") or []]
        return "\n".join([super().text_of(content), *(content.get("aliases") or []), *links])

    @classmethod
    def write_columns(cls, row: Publishable, content: Content) -> None:
        sort_name = content.get("sort_name") or content.get("name")
        super().write_columns(row, content | {"sort_name": sort_name})

    @classmethod
    def problems(cls, row: Publishable, content: Content) -> list[str]:
        if content.get("portrait") and not content.get("portrait_alt"):
            return [_("Say what the portrait shows, for those who cannot see it.")]
        return []


@content_form
class TopicContentForm(ContentForm):
    model = Topic
    title_field = "name"
    required_to_publish = ("name", "slug")
    search_fields = ("description",)
    quotable = ("name", "description")
    sections = (
        (gettext_lazy("The topic"), ("name", "slug", "description", "parent")),
        (gettext_lazy("Other spellings"), ("aliases", "mishearings")),
    )

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    slug = slug_field("grid-storage")
    description = prose(
        4,
        label=gettext_lazy("Description"),
        max_length=5_000,
        help_text=gettext_lazy("What belongs here, in a sentence or two."),
    )
    parent = ItemField(
        "topic", label=gettext_lazy("Part of"), help_text=gettext_lazy("A wider topic, if there is one.")
    )
    aliases = LinesField(
        label=gettext_lazy("Also called"), help_text=gettext_lazy("One a line; shown on the topic's page.")
    )
    mishearings = mishearings_field()

    @classmethod
    def problems(cls, row: Publishable, content: Content) -> list[str]:
        if content.get("parent") == row.pk:
            return [_("A topic cannot be part of itself.")]
        return []


class GuestRow(RowForm):
    guest = ItemField("guest", label=gettext_lazy("Guest"))
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices, initial=Role.GUEST)
    credit = forms.CharField(
        label=gettext_lazy("Credit"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("Who they were then: Grid engineer, Northern Interconnect."),
    )
    unique = ("guest", "role")


class TopicRow(RowForm):
    topic = ItemField("topic", label=gettext_lazy("Topic"))
    unique = ("topic",)


class ChapterRow(RowForm):
    start_ms = TimecodeField(label=gettext_lazy("Starts at"))
    title = forms.CharField(label=gettext_lazy("Title"), max_length=200)
    url = forms.URLField(label=gettext_lazy("Link"), max_length=2000, required=False, assume_scheme="https")
    image = forms.URLField(
        label=gettext_lazy("Picture's address"), max_length=2000, required=False, assume_scheme="https"
    )
    unique = ("start_ms",)


@content_form
class EpisodeContentForm(ContentForm):
    model = Episode
    date_field = "aired_at"
    required_to_publish = ("title", "slug", "summary", "aired_at")
    search_fields = ("summary",)
    quotable = ("title", "summary", "notes")
    links = {"guests": EpisodeGuest, "topics": EpisodeTopic, "media": EpisodeMedia}
    sections = (
        (
            gettext_lazy("The episode"),
            (
                *("title", "slug", "summary", "summary_by", "summary_edited_by", "summary_on", "summary_origin"),
                "summary_transcript",
            ),
        ),
        (gettext_lazy("Who and what"), ("guests", "topics")),
        (gettext_lazy("Facts"), ("aired_at", "duration_ms", "season", "number", "episode_kind", "explicit", "website")),
        (gettext_lazy("Listen and watch"), ("media", "chapters", "artwork", "artwork_alt")),
        (gettext_lazy("Notes"), ("notes",)),
        (gettext_lazy("For podcast apps"), ("number_label", "locations", "social")),
    )

    title = forms.CharField(label=gettext_lazy("Title"), max_length=300)
    slug = slug_field("the-grid-nobody-sees")
    summary = prose(
        9,
        label=gettext_lazy("Summary"),
        max_length=50_000,
        help_text=gettext_lazy(
            "One paragraph, 120 to 160 words as a rule: who speaks, about what, and what a listener takes away. Shown whole on topic pages."
        ),
    )
    summary_by = forms.CharField(
        label=gettext_lazy("Summary by"), max_length=120, help_text=gettext_lazy("The byline readers see.")
    )
    summary_edited_by = forms.CharField(
        label=gettext_lazy("Edited by"),
        max_length=120,
        help_text=gettext_lazy("Who went over it, if somebody else did. Readers see it."),
    )
    summary_on = forms.DateField(label=gettext_lazy("Summary dated"), widget=DayInput(), validators=[check_year])
    summary_origin = origin_field(gettext_lazy("Where the summary comes from"))
    summary_transcript = transcript_field()
    guests = CardListField(
        GuestRow,
        label=gettext_lazy("Guests and hosts"),
        add_label=gettext_lazy("Add a person"),
        help_text=gettext_lazy("In the order of the page. Who is not live yet stays hidden until they are."),
    )
    topics = CardListField(TopicRow, label=gettext_lazy("Topics"), add_label=gettext_lazy("Add a topic"))
    aired_at = MomentField(label=gettext_lazy("Aired"), help_text=gettext_lazy("In the site's time zone."))
    duration_ms = TimecodeField(label=gettext_lazy("Length"))
    season = forms.IntegerField(label=gettext_lazy("Season"), min_value=1, max_value=100_000)
    number = forms.IntegerField(label=gettext_lazy("Number"), min_value=1, max_value=1_000_000)
    episode_kind = forms.ChoiceField(
        label=gettext_lazy("Kind"), choices=Episode.Kind.choices, initial=Episode.Kind.FULL
    )
    explicit = forms.BooleanField(label=gettext_lazy("Explicit"), initial=False)
    website = forms.URLField(label=gettext_lazy("Page elsewhere"), max_length=2000, assume_scheme="https")
    media = CardListField(  # type: ignore[assignment]  # no clash: the metaclass takes fields off the class
        MediaRow,
        label=gettext_lazy("Sound and video"),
        add_label=gettext_lazy("Add a file or an address"),
        help_text=gettext_lazy("The first sound or video is played; a YouTube address becomes the link to watch."),
    )
    chapters = CardListField(ChapterRow, label=gettext_lazy("Chapters"), add_label=gettext_lazy("Add a chapter"))
    artwork = ImageField(label=gettext_lazy("Artwork"), help_text=gettext_lazy("Empty: the show's."))
    artwork_alt = forms.CharField(
        label=gettext_lazy("What the artwork shows"),
        max_length=300,
        help_text=gettext_lazy("For those who cannot see it."),
    )
    number_label = forms.CharField(
        label=gettext_lazy("Number as shown"),
        max_length=32,
        help_text=gettext_lazy(
            "What apps show in place of the number, such as Christmas special. Only an episode with a number has it."
        ),
    )
    locations = locations_field(gettext_lazy("What the episode is about, or where it was made."))
    social = social_field(gettext_lazy("The post that announces the episode; apps show the answers to it as comments."))
    notes = prose(10, label=gettext_lazy("Show notes"), max_length=50_000, help_text=AS_TYPED)

    def clean_chapters(self):
        return sorted(self.cleaned_data["chapters"], key=lambda chapter: chapter["start_ms"] or 0)

    @classmethod
    def problems_together(cls, contents: dict[int, Content]) -> dict[int, list[str]]:
        """Refuse a full episode of a serial without its number: apps would not know when to play it."""
        bare = [
            pk
            for pk, content in contents.items()
            if content.get("episode_kind") == Episode.Kind.FULL and not content.get("number")
        ]
        serial = Episode.objects.filter(pk__in=bare, show__order=Show.Order.SERIAL).values_list("pk", flat=True)
        sentence = _("The show is a serial, so its episodes need their numbers. Fill in “Number”.")
        return {pk: [sentence] for pk in serial} if bare else {}

    @classmethod
    def settle(cls, content: Content, before: Content, *, item: Item, actor: Actor) -> Content:
        settled = own_once_edited(content, before, "summary")
        return note_transcript(settled, before, "summary", item.pk)

    @classmethod
    def problems(cls, row: Publishable, content: Content) -> list[str]:
        found = []
        if content.get("artwork") and not content.get("artwork_alt"):
            found.append(_("Say what the artwork shows, for those who cannot see it."))
        return found


def own_once_edited(content: Content, before: Content, name: str) -> Content:
    """Return content whose text counts as written here, where an editor changed what came from elsewhere."""
    origin = f"{name}_origin"
    is_edited = content[name] != before.get(name)
    if is_edited and content[origin] == before.get(origin) != Origin.EDITOR:
        return content | {origin: Origin.EDITOR.value}
    return content


def note_transcript(content: Content, before: Content, name: str, episode: int) -> Content:
    """Return content that says from which transcript a text is, where an editor changed the text."""
    origin = f"{name}_transcript"
    is_edited = content[name] != before.get(name)
    if not is_edited or content.get(origin) != before.get(origin):
        return content
    original = Transcript.objects.original().filter(episode=episode).values_list("number", flat=True).first()
    return content | {origin: original}
