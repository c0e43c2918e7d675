"""The categories of Apple's directory, which the others took over (as of November 2026)."""

from difflib import get_close_matches

SEPARATOR = " > "

CATEGORIES: dict[str, tuple[str, ...]] = {
    "Arts": ("Books", "Design", "Fashion & Beauty", "Food", "Performing Arts", "Visual Arts"),
    "Business": ("Careers", "Entrepreneurship", "Investing", "Management", "Marketing", "Non-Profit"),
    "Comedy": ("Comedy Interviews", "Improv", "Stand-Up"),
    "Education": ("Courses", "How To", "Language Learning", "Self-Improvement"),
    "Fiction": ("Comedy Fiction", "Drama", "Science Fiction"),
    "Government": (),
    "History": (),
    "Health & Fitness": ("Alternative Health", "Fitness", "Medicine", "Mental Health", "Nutrition", "Sexuality"),
    "Kids & Family": ("Education for Kids", "Parenting", "Pets & Animals", "Stories for Kids"),
    "Leisure": (
        *("Animation & Manga", "Automotive", "Aviation", "Crafts", "Games", "Hobbies", "Home & Garden"),
        "Video Games",
    ),
    "Music": ("Music Commentary", "Music History", "Music Interviews"),
    "News": (
        *("Business News", "Daily News", "Entertainment News", "News Commentary", "Politics", "Sports News"),
        "Tech News",
    ),
    "Religion & Spirituality": (
        *("Buddhism", "Christianity", "Hinduism", "Islam", "Judaism", "Religion"),
        "Spirituality",
    ),
    "Science": (
        *("Astronomy", "Chemistry", "Earth Sciences", "Life Sciences", "Mathematics", "Natural Sciences"),
        *("Nature", "Physics", "Social Sciences"),
    ),
    "Society & Culture": ("Documentary", "Personal Journals", "Philosophy", "Places & Travel", "Relationships"),
    "Sports": (
        *("Baseball", "Basketball", "Cricket", "Fantasy Sports", "Football", "Golf", "Hockey", "Rugby"),
        *("Running", "Soccer", "Swimming", "Tennis", "Volleyball", "Wilderness", "Wrestling"),
    ),
    "Technology": (),
    "True Crime": (),
    "TV & Film": ("After Shows", "Film History", "Film Interviews", "Film Reviews", "TV Reviews"),
}
NAMES = [
    name for top, below in CATEGORIES.items() for name in (top, *(f"{top}{SEPARATOR}{category}" for category in below))
]
_BY_FOLDED = {name.casefold(): name for name in NAMES}
_BY_LAST_PART = {name.rpartition(SEPARATOR)[2].casefold(): name for name in reversed(NAMES)}


def find_category(text: str) -> str | None:
    """Return a category as directories write it, whatever the case and the spaces; None where there is no such."""
    parts = [" ".join(part.split()) for part in text.split(">")]
    return _BY_FOLDED.get(SEPARATOR.join(parts).casefold())


def nearest_category(text: str) -> str | None:
    """Return the category that somebody may have meant."""
    last = " ".join(text.rpartition(">")[2].split()).casefold()
    close = get_close_matches(last, list(_BY_LAST_PART), n=1)
    return _BY_LAST_PART[close[0]] if close else None
