"""What a quote holds, declared once."""

from collections.abc import Sequence

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _, gettext_lazy

from episodes.fields import DayInput, TimecodeField, check_year
from episodes.forms import (
    TopicRow,
    note_transcript,
    origin_field,
    own_once_edited,
    prose,
    slug_field,
    transcript_field,
)
from publishing.content import Content, ContentForm, Objections
from publishing.fields import CardListField, ItemField, RowForm
from publishing.kinds import content_form
from publishing.models import Item, ItemLink, Publishable, Revision
from publishing.permissions import Actor

from .checking import check_revisions
from .clips.service import foresee, forget
from .finding import LONGEST_QUOTE
from .marks import HeardField, KeptField, heard_of, settle_heard, settle_speaker
from .models import Quote, QuoteTopic, RelatedQuote
from .proof import objections, waive


class RelatedRow(RowForm):
    related = ItemField("quote", narrow="speaker:speaker", label=gettext_lazy("Quote"))
    unique = ("related",)


class AssessmentRow(RowForm):
    verdict = forms.ChoiceField(
        label=gettext_lazy("Verdict"), choices=Quote.Verdict.choices, initial=Quote.Verdict.SUPPORTED
    )
    summary = forms.CharField(
        label=gettext_lazy("What the source says"), max_length=1_000, widget=forms.Textarea(attrs={"rows": 2})
    )
    checked_on = forms.DateField(label=gettext_lazy("Checked on"), widget=DayInput(), validators=[check_year])
    assessed_by = forms.CharField(label=gettext_lazy("Assessed by"), max_length=120, required=False)
    title = forms.CharField(label=gettext_lazy("Source"), max_length=200)
    url = forms.URLField(label=gettext_lazy("Its address"), max_length=2000, assume_scheme="https")
    publisher = forms.CharField(label=gettext_lazy("Publisher"), max_length=200, required=False)


@content_form
class QuoteContentForm(ContentForm):
    model = Quote
    title_field = "claim"
    required_to_publish = ("claim", "slug", "text", "speaker", "context")
    search_fields = ("text", "context")
    links = {"topics": QuoteTopic, "related": RelatedQuote}
    quotable = ("claim", "text", "speaker", "context", "start_ms", "end_ms")
    owed_a_word = ("text", "speaker")
    sections = (
        (gettext_lazy("The quote"), ("claim", "speaker", "text", "start_ms", "end_ms", "heard", "context", "slug")),
        (gettext_lazy("Topics"), ("topics",)),
        (gettext_lazy("Whose headline"), ("claim_by", "claim_edited_by", "claim_origin", "claim_transcript")),
        (gettext_lazy("More from this speaker"), ("related",)),
        (gettext_lazy("What outside sources say"), ("assessments",)),
    )

    claim = forms.CharField(
        label=gettext_lazy("Claim"),
        max_length=200,
        help_text=gettext_lazy(
            "The headline without the speaker: what they say, in one line. Readers see “Speaker: claim”."
        ),
    )
    claim_by = forms.CharField(label=gettext_lazy("Headline by"), max_length=120)
    claim_edited_by = forms.CharField(label=gettext_lazy("Headline edited by"), max_length=120)
    claim_origin = origin_field(gettext_lazy("Where the headline comes from"))
    claim_transcript = transcript_field()
    slug = slug_field("a-battery-the-size-of-a-bus-depot")
    text = prose(
        6,
        label=gettext_lazy("Quote"),
        max_length=LONGEST_QUOTE,
        help_text=gettext_lazy(
            "The words as said. Leave out sounds and stutters if you like; change nothing. Put words of yours in [brackets]."
        ),
    )
    speaker = ItemField("guest", label=gettext_lazy("Speaker"))
    start_ms = TimecodeField(
        label=gettext_lazy("Starts at"), help_text=gettext_lazy("On the episode's timeline, such as 1:41:50.2.")
    )
    end_ms = TimecodeField(label=gettext_lazy("Ends at"))
    heard = HeardField(
        label=gettext_lazy("I have heard this quote"),
        help_text=gettext_lazy(
            "Readers see who and when. The mark goes when the words, the speaker or the times change."
        ),
    )
    speaker_named = KeptField(label=gettext_lazy("Speaker named by"))
    context = forms.CharField(
        label=gettext_lazy("Context"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2, "class": "prose"}),
        help_text=gettext_lazy(
            "One sentence: who speaks, as of then, and about what. Stands directly below the headline."
        ),
    )
    topics = CardListField(TopicRow, label=gettext_lazy("Topics"), add_label=gettext_lazy("Add a topic"))
    related = CardListField(
        RelatedRow,
        label=gettext_lazy("More from this speaker"),
        add_label=gettext_lazy("Add a quote"),
        help_text=gettext_lazy(
            "Quotes of the same speaker, in the order readers see them; the list then fills up to six."
        ),
    )
    assessments = CardListField(
        AssessmentRow,
        label=gettext_lazy("Assessments"),
        add_label=gettext_lazy("Add a source"),
        help_text=gettext_lazy("One source each. Readers see the verdict and the source."),
    )

    def clean(self):
        super().clean()
        cleaned = self.cleaned_data
        start, end = cleaned.get("start_ms"), cleaned.get("end_ms")
        if start is not None and end is not None and end <= start:
            self.add_error("end_ms", ValidationError(_("The quote must end after it starts."), code="backwards"))
        self._refuse_other_speakers(cleaned)
        return cleaned

    def _refuse_other_speakers(self, cleaned: dict) -> None:
        found = others_quotes({0: {"speaker": cleaned.get("speaker"), "related": cleaned.get("related") or []}})
        for message in found.get(0, []):
            self.add_error("related", ValidationError(message, code="other_speaker"))

    @classmethod
    def settle(cls, content: Content, before: Content, *, item: Item, actor: Actor) -> Content:
        episode = Quote.objects.values_list("episode", flat=True).get(pk=item.pk)
        return cls.settled(content, before, episode, actor)

    @classmethod
    def settled(cls, content: Content, before: Content, episode: int, actor: Actor) -> Content:
        """Return what somebody's save comes to; ``before`` is blank for a new quote."""
        noted = note_transcript(own_once_edited(content, before, "claim"), before, "claim", episode)
        return settle_heard(settle_speaker(noted, before, actor), before, actor)

    @classmethod
    def write_columns(cls, row: Publishable, content: Content) -> None:
        super().write_columns(row, content | {"heard": heard_of(content)})

    @classmethod
    def saved(cls, revisions: dict[int, Revision]) -> None:
        check_revisions(revisions)

    @classmethod
    def shown(cls, pks: Sequence[int]) -> None:
        foresee(pks)

    @classmethod
    def hidden(cls, pks: Sequence[int]) -> None:
        super().hidden(pks)
        forget(pks)

    @classmethod
    def objections(cls, revisions: dict[int, Revision]) -> Objections:
        return objections(revisions)

    @classmethod
    def waive(cls, revisions: dict[int, Revision], *, reason: str, actor: Actor) -> None:
        waive(revisions, reason=reason, actor=actor)

    @classmethod
    def problems_together(cls, contents: dict[int, Content]) -> dict[int, list[str]]:
        return others_quotes(contents)

    @classmethod
    def problems(cls, row: Publishable, content: Content) -> list[str]:
        found = []
        if any(link["related"] == row.pk for link in content.get("related") or []):
            found.append(_("A quote cannot be more from the speaker beside itself."))
        start, end = content.get("start_ms"), content.get("end_ms")
        if start is not None and end is not None and end <= start:
            found.append(_("The quote must end after it starts."))
        return found


def others_quotes(contents: dict[int, Content]) -> dict[int, list[str]]:
    """Return, by key, a sentence for each related quote whose head names another speaker. One query."""
    wanted = {row["related"] for content in contents.values() for row in content.get("related") or []}
    links = ItemLink.objects.filter(source__in=wanted, role="speaker").select_related("source") if wanted else []
    speakers = {link.source_id: link for link in links}
    message = _("“%(quote)s” is by another speaker. Only quotes of the same speaker can follow.")
    found: dict[int, list[str]] = {}
    for key, content in contents.items():
        for row in content.get("related") or []:
            link = speakers.get(row["related"])
            if link and content.get("speaker") and link.target_id != content["speaker"]:
                found.setdefault(key, []).append(message % {"quote": link.source})
    return found
