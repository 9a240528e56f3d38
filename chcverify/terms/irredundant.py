"""Conjunctions without conjuncts that the others imply."""

import time
from collections.abc import Iterable, Sequence

import z3

from chcverify.terms.walk import subterms

CHECK_MS = 50


def irredundant(
    parts: Sequence[z3.BoolRef], given: Iterable[z3.BoolRef] = (), seconds: float = 1.0
) -> list[z3.BoolRef]:
    """The parts, in their order, without those that the rest and what is given imply; large ones are dropped first.

    What the solver does not decide in time stays. seconds: for all of it.
    """
    deadline = time.monotonic() + seconds
    solver = z3.SimpleSolver()
    solver.set("timeout", CHECK_MS)
    solver.add(*given)
    kept = dict(enumerate(parts))
    literals = [z3.Bool(f"part {i}") for i in kept]
    solver.add(*(z3.Implies(literal, part) for literal, part in zip(literals, parts, strict=True)))
    for i in sorted(kept, key=lambda i: (_size(parts[i]), i), reverse=True):
        if time.monotonic() > deadline:
            break
        # given & others & ~part
        if solver.check(*(literals[j] for j in kept if j != i), z3.Not(parts[i])) == z3.unsat:
            del kept[i]
    return list(kept.values())


def _size(part: z3.BoolRef) -> tuple[int, int]:
    """How many different subterms, and digits in them."""
    terms = list(subterms(part))
    numerals = [term for term in terms if z3.is_int_value(term) or z3.is_rational_value(term) or z3.is_bv_value(term)]
    return len(terms), sum(len(str(numeral)) for numeral in numerals)
