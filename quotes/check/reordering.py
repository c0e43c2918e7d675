"""Find words that were said, but elsewhere; ``shared/verbatim.md`` §11."""

from collections.abc import Sequence

from .findings import Fault, Findings
from .folding import Folding
from .quotation import Quotation
from .result import ProblemKind, Why
from .speech import Speech
from .why import why_of
from .words import RawPiece


def reorder(found: Findings, quotation: Quotation, speech: Speech, folding: Folding) -> None:
    """Turn an inserted run that was said elsewhere into a reordered one; its deletion goes with it."""
    raw = speech.pieces
    for fault in list(found.faults):
        if fault.kind is not ProblemKind.INSERTED or fault.places:
            continue
        keys = [folding.key(piece.text) for piece in quotation.pieces[fault.first : fault.end]]
        deleted = next((other for other in found.faults if _is_deletion_of(other, keys, raw)), None)
        places = deleted.places if deleted else _unmatched(keys, raw, found.kept)
        if not places:
            continue
        if deleted:
            found.faults.remove(deleted)
        place = found.faults.index(fault)
        why = why_of([raw[part].text for part in places], speech.language)
        found.faults[place] = Fault(ProblemKind.REORDERED, fault.first, fault.end, places, why)


def _is_deletion_of(fault: Fault, keys: Sequence[str], raw: Sequence[RawPiece]) -> bool:
    is_deletion = fault.kind is ProblemKind.MEANINGFUL_DELETION and fault.why is not Why.HIDDEN
    return is_deletion and [raw[place].key for place in fault.places] == keys


def _unmatched(keys: Sequence[str], raw: Sequence[RawPiece], kept: Sequence[bool]) -> tuple[int, ...]:
    """Return where a run of two words or more stands among the words that the quote does not have."""
    size = len(keys)
    for start in range(len(raw) - size + 1) if size > 1 else ():
        run = range(start, start + size)
        if all(not kept[place] and not raw[place].is_other and raw[place].key == keys[place - start] for place in run):
            return tuple(run)
    return ()
