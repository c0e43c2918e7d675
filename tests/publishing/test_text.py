import re
import time
from html.parser import HTMLParser

import pytest
from django.utils.safestring import SafeString
from hypothesis import given, settings, strategies as st

from publishing.text import (
    MAX_MARKDOWN_CHARS,
    clean_html,
    clean_line,
    clean_text,
    first_paragraph,
    html_to_markdown,
    html_to_text,
    render_markdown,
    shorten,
)

BASE = "https://example.org/show/one"
ALLOWED = {
    *("a", "b", "blockquote", "br", "code", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr"),
    *("i", "li", "ol", "p", "pre", "strong", "ul"),
}
REL = ("rel", "nofollow noopener ugc")

XSS = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//canary.example/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<img src=//canary.example/p.gif>",
    "<img/src=x/onerror=alert(1)//",
    '<img src="x` `<script>alert(1)</script>"` `>',
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><a xlink:href='javascript:alert(1)'><text y=20>x</text></a></svg>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<style><img src='</style><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>",
    "<xmp><p title='</xmp><img src=x onerror=alert(1)>'>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=javascript:alert(1)></object>",
    "<embed src=//canary.example/x.swf>",
    "<video><source onerror=alert(1)></video>",
    "<audio src=x onerror=alert(1)>",
    "<body onload=alert(1)>",
    "<base href=//canary.example/>",
    "<link rel=stylesheet href=//canary.example/x.css>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<details open ontoggle=alert(1)>x</details>",
    "<p onclick=alert(1) style='background:url(//canary.example/)'>x</p>",
    "<p id=cookie name=body class=admin>clobber</p>",
    "<form action=javascript:alert(1)><button>x</button></form>",
    "<input autofocus onfocus=alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "<a href='JaVaScRiPt:alert(1)'>x</a>",
    "<a href=' javascript:alert(1)'>x</a>",
    "<a href='java\tscript:alert(1)'>x</a>",
    "<a href='java\nscript:alert(1)'>x</a>",
    "<a href='&#106;avascript&colon;alert(1)'>x</a>",
    "<a href='\x01javascript:alert(1)'>x</a>",
    "<a href='vbscript:msgbox(1)'>x</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "<a href='file:///etc/passwd'>x</a>",
    "<a href='feed:javascript:alert(1)'>x</a>",
    "<a href='https://example.org' onclick=alert(1) target=_blank>x</a>",
    "<a href='https://example.org/\" onmouseover=alert(1) x=\"'>x</a>",
    "<!--><script>alert(1)</script>-->",
    "<!-- --!><img src=x onerror=alert(1)>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version='1.0'?><script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "[x](JAVASCRIPT:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x]( javascript:alert(1))",
    "[x](java\\\nscript:alert(1))",
    "[x](//canary.example)",
    '[x](https://example.org/"onmouseover="alert(1))',
    "[x](https://example.org 'y\" onclick=alert(1) z=\"')",
    "[x]\n\n[x]: javascript:alert(1)",
    "![x](https://canary.example/p.gif)",
    "![x](javascript:alert(1))",
    "![x][y]\n\n[y]: https://canary.example/p.gif",
    "<javascript:alert(1)>",
    "<https://example.org/<script>alert(1)</script>>",
    "`<script>alert(1)</script>`",
    "```html onload=alert(1)\n<script>alert(1)</script>\n```",
    "    <script>alert(1)</script>",
    "{{ 7*7 }}{% debug %}${7*7}#{7*7}",
    "\u202e<script>alert(1)</script>",
    "\x00<scr\x00ipt>alert(1)</script>",
    "＜script＞alert(1)＜/script＞",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&amp;lt;script&amp;gt;alert(1)",
]


class Tags(HTMLParser):
    """The tags of a piece of HTML with their attributes."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, attrs))


def unsafe_parts(html):
    """Return the tags, attributes and schemes that are none of ours."""
    unsafe = []
    for tag, attrs in Tags(html).found:
        names = {"a": {"href", "rel"}, "ol": {"start"}}.get(tag, set())
        unsafe += [tag] if tag not in ALLOWED else []
        unsafe += [attr for attr in attrs if attr[0] not in names]
        hrefs = [value for name, value in attrs if name == "href"]
        unsafe += [href for href in hrefs if not re.match(r"(?:https?://|mailto:)", href)]
        unsafe += ["rel"] if tag == "a" and REL not in attrs else []
    return unsafe


@pytest.mark.parametrize("vector", XSS)
@pytest.mark.parametrize(
    "road",
    [
        render_markdown,
        lambda text: clean_html(text, BASE),
        lambda text: render_markdown(html_to_markdown(text, BASE)),
        lambda text: render_markdown(html_to_text(text)),
    ],
    ids=["markdown", "html", "html to markdown", "html to text"],
)
def test_nothing_hostile_becomes_active(road, vector):
    for text in (vector, f"before {vector} after", f"<p>{vector}</p>", f"- **{vector}**"):
        assert unsafe_parts(road(text)) == []


def test_the_table_of_vectors_keeps_its_size():
    assert len(set(XSS)) >= 78


@given(st.lists(st.sampled_from([*XSS, "<", ">", '"', "'", "`", "\n", "](", "&", "*", "text"]), max_size=8))
def test_no_mixture_of_vectors_becomes_active(parts):
    text = "".join(parts)

    assert unsafe_parts(render_markdown(text)) == []
    assert unsafe_parts(clean_html(text, BASE)) == []
    assert unsafe_parts(render_markdown(html_to_markdown(text, BASE))) == []


FORBIDDEN = [*range(9), 11, 12, *range(14, 32), 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFFFE, 0xFFFF]


@pytest.mark.parametrize("code", FORBIDDEN)
def test_drops_characters_that_xml_forbids(code):
    assert clean_text(f"a{chr(code)}b") == "ab"
    assert clean_line(f"a{chr(code)}b") == "ab"


def test_keeps_every_other_character():
    text = "\t é\x85 \u200f\ufeff\ufffd 😀 \U0010ffff end"

    assert clean_text(f"x{text}") == f"x{text}"


def test_normalises_newlines_and_strips():
    assert clean_text(" a\r\nb\rc\n\n") == "a\nb\nc"
    assert clean_line(" a\r\n b\t c\u2028d\n\n") == "a b c d"


@given(st.text())
def test_cleaning_twice_changes_nothing(text):
    assert clean_text(clean_text(text)) == clean_text(text)
    assert clean_line(clean_line(text)) == clean_line(text)


def test_renders_markdown():
    source = "# Title\n\nA *b* **c** `d` [e](https://example.org/?a=1&b=2)\\\nf\n\n> g\n\n3. h\n4. i\n\n---"

    html = render_markdown(source)

    assert isinstance(html, SafeString)
    assert html == (
        "<h1>Title</h1>\n<p>A <em>b</em> <strong>c</strong> <code>d</code> "
        '<a href="https://example.org/?a=1&amp;b=2" rel="nofollow noopener ugc">e</a><br>\nf</p>\n'
        '<blockquote>\n<p>g</p>\n</blockquote>\n<ol start="3">\n<li>h</li>\n<li>i</li>\n</ol>\n<hr>\n'
    )


def test_renders_no_image_and_asks_no_other_host():
    assert "canary" not in render_markdown("a ![alt](https://canary.example/p.gif) b")


def test_cuts_a_text_that_is_too_long():
    html = render_markdown("a" * (MAX_MARKDOWN_CHARS + 1))

    assert html == f"<p>{'a' * MAX_MARKDOWN_CHARS}</p>\n"


PATHOLOGICAL = [
    *("![", "[", "]", "*a ", "_a ", "**a", "a**b", "`", "` `` ", "<", "[](", "[a](", '[a](b "'),
    *("&", "&#", "\\*", "> ", ">\n", "- ", "-\n", "* x\n", "1.\n", "[a]: ", "[a]: b\n", "*_a", "~~~\n"),
    *("# a\n", "<https://a", "\t", "a\n", "***"),
]


@pytest.mark.parametrize("shape", PATHOLOGICAL)
def test_renders_a_pathological_text_within_a_second(shape):
    started = time.process_time()

    html = render_markdown((shape * MAX_MARKDOWN_CHARS)[:MAX_MARKDOWN_CHARS])

    assert time.process_time() - started < 20  # seconds of the processor; quadratic work takes minutes
    assert unsafe_parts(html) == []


NESTING = [
    *("<div>", "<b>", "<ul>", "<ul><li>", "<blockquote>", "<table><tr><td>", "<a href=x>", "<p>a"),
    *("<font>", "<b>a<i>b</b>c</i>", "<svg>", "<ul><table></ul></table>", "<!--", "<", "&", "a\n", "<br>"),
]


@pytest.mark.parametrize("shape", NESTING)
def test_converts_hostile_html_in_reasonable_time(shape):
    started = time.process_time()

    markdown = html_to_markdown((shape * 200_000)[:200_000], BASE)

    assert time.process_time() - started < 30
    assert unsafe_parts(render_markdown(markdown)) == []


def test_deep_nesting_leaves_the_text():
    assert html_to_text("<div>" * 1000 + "deep" + "</div>" * 1000) == "deep"


@pytest.mark.parametrize(
    ("href", "base", "expected"),
    [
        ("/a?b=1", BASE, "https://example.org/a?b=1"),
        ("two", BASE, "https://example.org/show/two"),
        ("#note-1", BASE, "https://example.org/show/one#note-1"),
        ("//other.example/x", BASE, "https://other.example/x"),
        ("https://other.example/x", BASE, "https://other.example/x"),
        ("mailto:ada@example.org", BASE, "mailto:ada@example.org"),
        ("two", ["", None, "not absolute", "http://feed.example/rss"], "http://feed.example/two"),
        ("two", [], None),
        ("two", "", None),
        ("http://[", BASE, None),
        ("tel:123", BASE, None),
    ],
)
def test_resolves_links_against_the_first_absolute_base(href, base, expected):
    attributes = dict(Tags(clean_html(f'<a href="{href}">x</a>', base)).found[0][1])

    assert attributes.get("href") == expected


def test_turns_other_blocks_into_paragraphs():
    html = "<div>a</div><div>b</div><section><h2>c</h2></section><table><tr><td>d</td><td>e</td></tr></table>"

    assert clean_html(html, BASE) == "<p>a</p><p>b</p><h2>c</h2><p> d  e </p>"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("One<br>two<br/>three", "One\\\ntwo\\\nthree"),
        ("<p>a <b>b </b>c<i> d</i></p>", "a **b** c _d_"),
        ("<b>a</b><strong>b</strong>", "**ab**"),
        ("<b><b>a</b></b> <i></i><b> </b>b", "**a** b"),
        ('<a href="/x?a=1&amp;b=(2)">go</a>', "[go](https://example.org/x?a=1&b=%282%29)"),
        ('wow!<a href="/x">go</a>', "wow\\![go](https://example.org/x)"),
        ('<a href="/x"></a><a>none</a>', "none"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n\n- b\n\n  - c"),
        ("<ul><li>a<li>b</ul><ul><li>c</ul>", "- a\n- b\n\n* c"),
        ('<ol start="9"><li>a</li><li><p>b</p></li></ol>', "9. a\n10. b"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
        ("<h2>A #</h2>", "## A \\#"),
        ("<pre>a\n  b</pre>", "```\na\n  b\n```"),
        ("<code>a`b</code>", "``a`b``"),
        ("<hr>", "___"),
        ("<p>1. a</p><p># b</p><p>- c</p><p>+ d</p><p>&gt; e</p>", "1\\. a\n\n\\# b\n\n\\- c\n\n\\+ d\n\n\\> e"),
        ("<p>*a* [b](c) `d` snake_case &lt;e&gt; &amp;lt;</p>", "\\*a\\* \\[b\\](c) \\`d\\` snake_case \\<e> \\&lt;"),
        ("Line one\nLine two\n\nLine & three", "Line one\n\nLine two\n\nLine & three"),
        ("<p>&nbsp;</p><p></p>", ""),
        ("", ""),
    ],
)
def test_writes_html_as_markdown(html, markdown):
    assert html_to_markdown(html, BASE) == markdown


class Shape(HTMLParser):
    """Every visible character with the marks it stands in: what a reader sees."""

    NAMES = {"b": "strong", "i": "em"}
    MARKS = {"blockquote", "code", "em", "h1", "h2", "pre", "strong"}

    def __init__(self, html):
        super().__init__()
        self.open = []
        self.characters = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag not in {"br", "hr"}:
            self.open.append(dict(attrs).get("href") or self.NAMES.get(tag, tag))

    def handle_endtag(self, tag):
        if tag not in {"br", "hr"}:
            self.open.pop()

    def handle_data(self, data):
        marks = {mark for mark in self.open if mark in self.MARKS or "/" in mark}
        verbatim = marks & {"pre"} or marks & {"code"}
        for character in data:
            if not character.isspace():
                self.characters.append((character, frozenset(verbatim or marks)))


PIECES = [
    *("a", "b c", " ", "!", "*", "_", "**", "`", "``", "[", "]", "(x)", "&amp;", "&lt;b&gt;", "&amp;lt;"),
    *("1. ", "- ", "#", "# ", "> ", "=", "---", "\\", "\n", "\u00a0", "é", "“", "😀", "~~~", "+ ", "x_y"),
    *("snake_", "<br>", ":", "|", "\t", "語"),
]
INLINE = ["b", "i", "strong", "em", 'a href="https://example.org/p?a=1&amp;b=2"']
BLOCKS = ["p", "div", "blockquote", "ul", "ol"]


def wrap(tags):
    def build(children):
        return st.tuples(st.sampled_from(tags), st.lists(children, max_size=4)).map(
            lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0].split()[0]}>"
        )

    return build


def wrap_block(children):
    return wrap(BLOCKS)(children.map(lambda html: f"<li>{html}</li>") | children)


code = st.lists(st.sampled_from(["a", "`", "b c", "*", "&lt;"]), max_size=4).map(
    lambda parts: f"<code>{''.join(parts)}</code>"
)
inline = st.recursive(st.sampled_from(PIECES) | code, wrap(INLINE), max_leaves=12)
headings = st.lists(inline, max_size=3).map(lambda parts: f"<h1>{''.join(parts)}</h1>")
documents = st.lists(st.recursive(inline | headings, wrap_block, max_leaves=10), max_size=4).map("".join)


@settings(deadline=None, max_examples=150)
@given(documents)
def test_markdown_shows_what_the_html_showed(html):
    html = f"<p></p>{html}"

    shown = render_markdown(html_to_markdown(html, BASE))

    assert Shape(shown).characters == Shape(clean_html(html, BASE)).characters


@settings(deadline=None)
@given(st.text(alphabet="ab &<>*_[]`#-+.1\n\\!\u00a0😀", max_size=60))
def test_plain_text_comes_back_as_text(text):
    lines = [clean_line(line) for line in clean_text(text).split("\n")]
    plain = [line for line in lines if line]
    if re.search(r"</?[a-zA-Z]|<!--", text) or "&" in text:
        return

    shown = html_to_text(render_markdown(html_to_markdown(text, BASE)))

    assert [clean_line(line) for line in shown.split("\n\n") if line] == plain


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One <b>two</b></p><p>three<br>four</p>", "One two\n\nthree\nfour"),
        ("<ul><li>a</li><li>b</li></ul>c", "a\n\nb\n\nc"),
        ("<div>a</div><div>b</div>", "a\n\nb"),
        ("a &amp; b &lt;c&gt;", "a & b <c>"),
        ("a < b & c", "a < b & c"),
        ("one\ntwo", "one\n\ntwo"),
        ("<style>p{}</style><script>x</script>y", "y"),
        ("", ""),
    ],
)
def test_writes_html_as_text(html, text):
    assert html_to_text(html) == text


@pytest.mark.parametrize(
    ("html", "paragraph"),
    [
        ("<p> </p><p>&nbsp;</p><p>First<br>line</p><p>Second</p>", "First line"),
        ("<div><img src=x></div>Text <b>here</b><ul><li>a</li></ul>", "Text here"),
        ("First\n\nSecond", "First"),
        ("<p></p>", ""),
    ],
)
def test_finds_the_first_paragraph(html, paragraph):
    assert first_paragraph(html) == paragraph


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("Short enough.", 13, "Short enough."),
        ("  Short enough.  ", 13, "Short enough."),
        ("One two three", 12, "One two…"),
        ("One two three", 8, "One two…"),
        ("One two three", 7, "One…"),
        ("One, two, three", 9, "One, two…"),
        ("One – two three", 7, "One…"),
        ("We should go but not today at all", 21, "We should go but not…"),
        ("We should go but not today at all", 20, "We should…"),
        ("Everyone is wrong but me and you", 18, "Everyone is…"),
        ("I agree, if it rains, with you", 8, "I…"),
        ("It is true – but nobody knows it", 13, "It is…"),
        ("We will pay unless they leave", 12, "We will…"),
        ("Go. But stay here", 5, "…"),
        ("It rose 50% in May alone", 12, "It rose 50%…"),
        ("Donaudampfschifffahrt", 10, "Donaudamp…"),
        ("But not if", 5, "…"),
        ("abc", 1, "…"),
        ("", 5, ""),
    ],
)
def test_shortens_without_losing_the_turn(text, limit, expected):
    assert shorten(text, limit) == expected


WORDS = st.lists(st.sampled_from(["but", "not", "if", "a", "word,", "–", "(so)", "50%", "“Oh”", "If:"]), max_size=20)


@given(WORDS.map(" ".join), st.integers(1, 60))
def test_a_shortened_text_keeps_its_promises(text, limit):
    short = shorten(text, limit)

    assert len(short) <= max(limit, 1)
    if short == text.strip():
        return
    kept = short.removesuffix("…")
    following = re.findall(r"[a-z0-9%]+", text.strip()[len(kept) :].casefold())
    assert short.endswith("…")
    assert text.strip().startswith(kept)
    assert not kept or kept[-1] not in " ,.;:–“(”)"
    assert not kept or following[:1] not in [["but"], ["except"], ["unless"], ["if"], ["not"]]
