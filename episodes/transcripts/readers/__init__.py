"""Read a transcript: bytes in, plain data out, whatever the bytes are."""

from .door import read_transcript

__all__ = ["read_transcript"]
