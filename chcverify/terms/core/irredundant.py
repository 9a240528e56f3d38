"""Implications between formulas, and conjunctions without conjuncts that the others imply."""

import time
from collections.abc import Iterable, Sequence

import z3

from chcverify.effort import GLANCE_S, MAX_FORMULAS, QUESTION_RESOURCES
from chcverify.terms.core.traversal import conjunction, conjuncts, disjunction, subterms


def follows(premise: z3.BoolRef, conclusion: z3.BoolRef) -> bool:
    """Does the conclusion follow? False, too, where the solver does not decide it within QUESTION_RESOURCES."""
    solver = z3.SimpleSolver()
    solver.set("rlimit", QUESTION_RESOURCES)
    # exists variables. premise & not conclusion
    solver.add(premise, z3.Not(conclusion))
    return bool(solver.check() == z3.unsat)


def irredundant(
    parts: Sequence[z3.BoolRef], given: Iterable[z3.BoolRef] = (), seconds: float = 1.0
) -> list[z3.BoolRef]:
    """The parts, in their order, without those that the rest and what is given imply; large ones are dropped first.

    What the solver does not decide in time stays. seconds: for all of it.
    """
    if seconds <= 0:
        return list(parts)
    deadline = time.monotonic() + seconds
    solver = z3.SimpleSolver()
    solver.set("timeout", int(1000 * GLANCE_S))
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


def irredundant_cases(
    parts: Sequence[z3.BoolRef], given: Iterable[z3.BoolRef] = (), seconds: float = 1.0
) -> list[z3.BoolRef]:
    """As `irredundant`; of disjunctions, what is in all cases stands once, and cases lose what other parts imply.

    Cases that the other parts exclude are left out, and a case does not say that the other cases do not hold.
    """
    deadline = time.monotonic() + seconds
    assumed = list(given)
    kept = irredundant([piece for part in parts for piece in _factored(part)], assumed, seconds / 2)
    for i, part in enumerate(kept):
        if z3.is_or(part) and part.num_args() <= MAX_FORMULAS:
            others = [*assumed, *kept[:i], *kept[i + 1 :]]
            cases = _possible(part.children(), others, deadline)
            for k, case in enumerate(cases):  # matters where no other case holds
                left = (deadline - time.monotonic()) / (len(cases) - k)
                if left <= 0:
                    break
                elsewhere = [z3.Not(other) for other in [*cases[:k], *cases[k + 1 :]]]
                cases[k] = conjunction(irredundant(_opened(case), [*others, *elsewhere], left))
            kept[i] = disjunction(cases)
    return kept


def _possible(cases: Sequence[z3.BoolRef], others: Iterable[z3.BoolRef], deadline: float) -> list[z3.BoolRef]:
    """The cases that the others do not exclude; all, should none be left."""
    solver = z3.SimpleSolver()
    solver.set("timeout", int(1000 * GLANCE_S))
    solver.add(*others)
    # others & case
    found = [case for case in cases if time.monotonic() > deadline or solver.check(case) != z3.unsat]
    return found or list(cases)


def _opened(part: z3.BoolRef) -> list[z3.BoolRef]:
    """The conjuncts, those of negated disjunctions as well."""
    found: list[z3.BoolRef] = []
    stack = [part]
    while stack:
        for piece in conjuncts(stack.pop()):
            if z3.is_not(piece) and z3.is_or(piece.arg(0)):
                stack.extend(map(z3.Not, reversed(piece.arg(0).children())))
            else:
                found.append(piece.arg(0).arg(0) if z3.is_not(piece) and z3.is_not(piece.arg(0)) else piece)
    return found


def _factored(part: z3.BoolRef) -> list[z3.BoolRef]:
    """a & b | a & c as a and b | c."""
    if not z3.is_or(part):
        return [part]
    cases = [{piece.get_id(): piece for piece in _opened(case)} for case in part.children()]
    common = set(cases[0]).intersection(*cases[1:])
    if not common:
        return [part]
    rest = [conjunction([piece for key, piece in case.items() if key not in common]) for case in cases]
    return [*(cases[0][key] for key in sorted(common)), z3.Or(rest)]


def _size(part: z3.BoolRef) -> tuple[int, int]:
    """The number of distinct subterms, and of digits in them."""
    terms = list(subterms(part))
    numerals = [term for term in terms if z3.is_int_value(term) or z3.is_rational_value(term) or z3.is_bv_value(term)]
    return len(terms), sum(len(str(numeral)) for numeral in numerals)
