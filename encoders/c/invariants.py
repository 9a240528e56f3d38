"""Models as invariants in C syntax, per source line."""

from typing import TYPE_CHECKING

import z3

from chcverify.certificate.model import Model
from chcverify.source import SourceInvariant
from encoders.c.encoding.printer import c_text

if TYPE_CHECKING:
    from encoders.c.encode import Encoding


def source_invariants(encoding: "Encoding", model: Model) -> list[SourceInvariant]:
    """What the model says at each location that it knows something about: loop heads first, then by line.

    Locations of inlined instances keep their own invariants; equal texts at one place are given once.
    """
    found: dict[tuple[str, int, int, str, str], SourceInvariant] = {}
    for predicate, place in encoding.locations.items():
        formula = model.interpretations.get(predicate)
        if formula is None or predicate.origin is None:
            continue
        names = [z3.Const(name, sort) for name, sort in zip(predicate.names, predicate.sorts, strict=True)]
        text = c_text(formula, dict(zip(predicate.formals, predicate.names, strict=True)) if names else {})
        if text in ("1", ""):
            continue
        origin, location = predicate.origin, place.location
        key = (origin.file, origin.line, origin.column, location.function, text)
        found.setdefault(key, SourceInvariant(origin, location.function, location.is_loop_head, text))
    return sorted(
        found.values(), key=lambda inv: (not inv.is_loop_head, inv.origin.file, inv.origin.line, inv.origin.column)
    )
