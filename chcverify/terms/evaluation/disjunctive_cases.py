"""Conjunctions made ready to be computed: cases in which equations define variables, and the order of subterms."""

from collections.abc import Sequence

import z3

from chcverify.effort import MAX_COMPARED
from chcverify.terms.arithmetic.equations import Rank, solve_equations
from chcverify.terms.native.arena import Arena, ArenaTerm

Case = tuple[dict[ArenaTerm, ArenaTerm], list[ArenaTerm]]
"""Definitions of variables, and the other conjuncts."""


def disjunctive_cases(
    arena: Arena, parts: list[ArenaTerm], rank: Rank, known: frozenset[ArenaTerm], most: int = MAX_COMPARED
) -> list[Case]:
    """The conjunction as cases. rank: which definitions to prefer, see equations.

    Disjunctions over variables that are not known are split, so that equations within them define these; those that are
    left when there are `most` cases stay.
    """
    done: list[Case] = []
    open_ = [(dict[ArenaTerm, ArenaTerm](), parts)]
    while open_:
        definitions, current = open_.pop()
        solved = solve_equations(current, rank, arena)
        merged = {v: arena.substitute(t, solved.definitions) for v, t in definitions.items()} | solved.definitions
        rest = [conjunct for part in solved.rest for conjunct in arena.conjuncts(part)]
        if arena.false in rest:
            continue
        split = next((p for p in rest if arena.kind(p) == z3.Z3_OP_OR and not arena.variables(p) <= known), None)
        if split is None or len(open_) + len(done) >= most:
            done.append((merged, rest))
            continue
        others = [part for part in rest if part != split]
        open_.extend((merged, [*arena.conjuncts(case), *others]) for case in reversed(arena.children(split)))
    return done


def bottom_up(arena: Arena, roots: Sequence[ArenaTerm]) -> list[ArenaTerm]:
    """The distinct subterms, arguments first."""
    out: list[ArenaTerm] = []
    seen: set[ArenaTerm] = set()
    stack = list(reversed(roots))
    while stack:
        term = stack[-1]
        if term in seen:
            stack.pop()
            continue
        missing = [child for child in arena.children(term) if child not in seen]
        if missing:
            stack.extend(missing)
            continue
        seen.add(stack.pop())
        out.append(term)
    return out
