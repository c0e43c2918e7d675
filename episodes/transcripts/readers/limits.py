"""How much of a file is read before it is refused or cut."""

MAX_BYTES = 20 * 1024 * 1024
MAX_LINES = 2_000_000
MAX_CUES = 100_000
MAX_WORDS = 400_000
MAX_LABEL_CHARS = 200
MAX_TIME_MS = 48 * 3_600_000
LONG_WORD_MS = 2_000  # a measured word beyond this swallowed a silence
