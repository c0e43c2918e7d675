"""Cards: pictures that stand for a page where others link to it. Plain facts in, PNG bytes out; no Django in here."""

from .card import VERSION, draw_card
from .facts import CardFacts, Picture
from .fonts import FontSet, find_fonts

__all__ = ["VERSION", "CardFacts", "FontSet", "Picture", "draw_card", "find_fonts"]
