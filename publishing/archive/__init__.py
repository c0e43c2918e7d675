"""The whole publication as one archive, and back: JSON Lines and files; see docs/archive-format.md."""
