"""Value sets: the arguments and variables of clauses that take few values in all derivable facts.

A least fixpoint over the clauses in the domain of finite sets of numbers. Locations, modes, message kinds and indices
of processes are often written as numbers with a disjunction x = 1 or x = 2 or ... for their range.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product

import z3

from chcverify.effort import MAX_ALTERNATIVES, MAX_CASES
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjuncts, disjuncts, is_variable, kind_of
from chcverify.transforms.arena_clauses import PassContext

Values = frozenset[Fraction]
Shape = tuple[Values | None, ...]
"""Of each argument of a predicate its values, or None where these are not few."""


def number(term: z3.ExprRef) -> Fraction | None:
    """The value of an Int or Real numeral; None for other terms."""
    if z3.is_rational_value(term):
        return Fraction(term.numerator_as_long(), term.denominator_as_long())
    return Fraction(term.as_long()) if z3.is_int_value(term) else None


def value_sets(
    system: HornSystem, work: PassContext | None = None, ranges: bool = False
) -> dict[Predicate, Shape] | None:
    """For each derivable predicate the values of its arguments; None if time runs out.

    The clauses' arguments must be distinct variables. ranges: integers between two bounds have few values, too.
    """
    shapes: dict[Predicate, Shape] = {}
    pending = list(reversed(range(len(system.clauses))))
    while pending:
        if work is not None and work.late:
            return None
        index = pending.pop()
        clause = system.clauses[index]
        if clause.head is None or any(atom.predicate not in shapes for atom in clause.body):
            continue
        values = clause_values(clause, shapes, ranges)
        if values is None:
            continue
        derived = tuple(values.get(argument.get_id()) for argument in clause.head.arguments)
        predicate = clause.head.predicate
        old = shapes.get(predicate)
        new = derived if old is None else tuple(map(_join, old, derived))
        if new != old:
            shapes[predicate] = new
            pending.extend(user for user in system.using[predicate] if user not in pending)
    return shapes


def clause_values(clause: Clause, shapes: Mapping[Predicate, Shape], ranges: bool = False) -> dict[int, Values] | None:
    """By the id of a variable its values in the instances of the clause; None if there is no instance. ranges: as in
    value_sets."""
    known: dict[int, Values] = {}
    for atom in clause.body:
        for argument, values in zip(atom.arguments, shapes[atom.predicate], strict=True):
            if values is not None:
                known[argument.get_id()] = values
    parts = conjuncts(clause.constraint)
    if ranges:
        known = {**_between_bounds(parts), **known}
    for _ in range(MAX_ALTERNATIVES):
        before = dict(known)
        if not _refine(parts, known, MAX_ALTERNATIVES):
            return None
        if known == before:
            break
    return known


def _between_bounds(parts: Iterable[z3.BoolRef]) -> dict[int, Values]:
    """The values of integer variables that two of the conjuncts bound."""
    lower: dict[int, int] = {}
    upper: dict[int, int] = {}
    for part in parts:
        negated = z3.is_not(part)
        atom = part.arg(0) if negated else part
        if not (z3.is_le(atom) or z3.is_ge(atom)):
            continue
        left, right = atom.children()
        for variable, other, is_upper in ((left, right, z3.is_le(atom)), (right, left, z3.is_ge(atom))):
            if not (z3.is_int(variable) and is_variable(variable) and z3.is_int_value(other)):
                continue
            key, bound = variable.get_id(), other.as_long()
            if is_upper != negated:  # variable <= bound, or not variable >= bound
                upper[key] = min(upper.get(key, bound), bound - negated)
            else:
                lower[key] = max(lower.get(key, bound), bound + negated)
    few = {key: (low, upper[key]) for key, low in lower.items() if key in upper}
    return {
        key: frozenset(Fraction(n) for n in range(low, high + 1))
        for key, (low, high) in few.items()
        if low <= high < low + MAX_CASES
    }


def _join(left: Values | None, right: Values | None) -> Values | None:
    if left is None or right is None:
        return None
    both = left | right
    return both if len(both) <= MAX_CASES else None


def _refine(parts: Iterable[z3.BoolRef], known: dict[int, Values], nesting: int) -> bool:
    """Adds what the conjunction says about values of variables; False if it has no model."""
    for part in parts:
        if z3.is_false(part):
            return False
        if z3.is_eq(part):
            left, right = part.children()
            if not (_define(left, right, known) and _define(right, left, known)):
                return False
        elif z3.is_or(part) and nesting > 0 and not _refine_by_cases(disjuncts(part), known, nesting - 1):
            return False
    return True


def _define(variable: z3.ExprRef, term: z3.ExprRef, known: dict[int, Values]) -> bool:
    """Uses variable = term; False if no value is left."""
    if not z3.is_arith(variable) or not is_variable(variable):
        return True
    values = _term_values(term, known)
    if values is None:
        return True
    old = known.get(variable.get_id())
    known[variable.get_id()] = values if old is None else values & old
    return bool(known[variable.get_id()])


def _refine_by_cases(cases: Sequence[z3.BoolRef], known: dict[int, Values], nesting: int) -> bool:
    """Adds what all cases have in common."""
    joined: dict[int, Values | None] | None = None
    for case in cases:
        own = dict(known)
        if not _refine(conjuncts(case), own, nesting):
            continue
        joined = dict(own) if joined is None else {k: _join(v, own.get(k)) for k, v in joined.items()}
        if all(v is None or v == known.get(k) for k, v in joined.items()):
            return True
    if joined is None:
        return False
    known.update((k, v) for k, v in joined.items() if v is not None)
    return True


def _term_values(term: z3.ExprRef, known: Mapping[int, Values]) -> Values | None:
    """The values of a numeral, a variable, a choice, or a sum or multiple of these; None if they are not few."""
    found: dict[int, Values | None] = {}
    stack = [(term, False)]
    while stack:
        part, ready = stack.pop()
        key = part.get_id()
        if key in found:
            continue
        value = number(part)
        if value is not None:
            found[key] = frozenset((value,))
        elif is_variable(part):
            found[key] = known.get(key)
        elif kind_of(part) not in _FOLLOWED:
            found[key] = None
        else:
            below = part.children()[1:] if kind_of(part) == z3.Z3_OP_ITE else part.children()
            if ready:
                found[key] = _combine(kind_of(part), [found[child.get_id()] for child in below])
            else:
                stack.append((part, True))
                stack.extend((child, False) for child in below)
    return found[term.get_id()]


_FOLLOWED = (z3.Z3_OP_ITE, z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_MUL, z3.Z3_OP_UMINUS)


def _combine(kind: int, below: Sequence[Values | None]) -> Values | None:
    if any(values is None for values in below):
        return None
    sets = [values for values in below if values is not None]
    if kind == z3.Z3_OP_ITE:
        return _join(*sets)
    result = sets[0] if kind != z3.Z3_OP_UMINUS else frozenset(-value for value in sets[0])
    for values in sets[1:]:
        result = frozenset(operate(kind, a, b) for a, b in product(result, values))
        if len(result) > MAX_CASES:
            return None
    return result


def operate(kind: int, left: Fraction, right: Fraction) -> Fraction:
    """The sum, difference or product."""
    if kind == z3.Z3_OP_ADD:
        return left + right
    return left - right if kind == z3.Z3_OP_SUB else left * right
