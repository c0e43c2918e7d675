"""Small feeds for tests, of our own making."""

ADDRESS = "https://feeds.example.org/signal.xml"


def item_xml(
    title: str,
    *,
    guid: str | None = None,
    enclosure: str | None = None,
    description: str = "Grid engineer Ada Okafor explains city storage.",
    date: str = "Thu, 14 May 2026 10:00:00 +0000",
    person: str = "",
    image: str = "",
    link: str = "",
    extra: str = "",
) -> str:
    """Return an ``<item>``; without a guid it is made from the title's first word."""
    guid = guid or title.split()[0].strip(",")
    enclosure = enclosure or f"https://media.example.org/{guid}.mp3"
    parts = [
        f"<title>{title}</title><guid isPermaLink='false'>{guid}</guid>",
        f"<enclosure url='{enclosure}' type='audio/mpeg' length='1234'/>",
        f"<description>{description}</description>",
        f"<pubDate>{date}</pubDate>" if date else "",
        _person_xml(person) if person else "",
        f"<itunes:image href='{image}'/>" if image else "",
        f"<link>{link}</link>" if link else "",
        "<itunes:duration>1:41:22</itunes:duration>",
        extra,
    ]
    return f"<item>{''.join(parts)}</item>"


def _person_xml(person: str) -> str:
    """``Ada" role="Host`` is Ada with a role: what follows the quote are attributes."""
    name, quote, attributes = person.partition('"')
    return f"<podcast:person{attributes}{quote}>{name}</podcast:person>"


def feed_xml(*items: str, channel: str = "", title: str = "The Long Signal") -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0">'
        f"<channel><title>{title}</title>{channel}{''.join(items)}</channel></rss>"
    )
