"""Candidate invariants: templates filled with the comparisons and the constants of the clauses.

The templates are those of annotation assistants, Flanagan, Leino: Houdini (FME 2001) [FlanaganLeino2001], and of
octagons. Candidates are guesses; they must be checked.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations, islice

import z3

from chcverify.effort import MAX_ALTERNATIVES, MAX_CASES, MAX_COMBINED, MAX_COMPARED, MAX_FORMULAS
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.core.traversal import conjuncts, free_variables, is_variable, kind_of, substitute, subterms
from solvers.abstract_interpretation.features import thresholds
from solvers.abstract_interpretation.partitioning import conditions

_FLOAT_COMPARISONS = frozenset({z3.Z3_OP_FPA_LE, z3.Z3_OP_FPA_GE, z3.Z3_OP_FPA_LT, z3.Z3_OP_FPA_GT, z3.Z3_OP_FPA_EQ})
Candidates = Mapping[Predicate, list[z3.BoolRef]]


def mined(system: HornSystem, most: int = MAX_FORMULAS) -> Candidates:
    """For each predicate up to `most` candidates over its formals, in an order of preference."""
    atoms = conditions(system, MAX_COMPARED)
    bounds = sorted({int(value) for value in thresholds(system) if value.denominator == 1}, key=abs)
    moduli = _moduli(system)
    floats = _float_numerals(system)
    goals = _goals(system)
    found = {}
    for predicate in system.predicates:
        ideas = chain(
            goals.get(predicate, ()),
            chain.from_iterable(map(_around, atoms[predicate])),
            _flags(predicate),
            _float_bounds(predicate, floats),
            _bounds(predicate, bounds),
            _pairs(predicate, bounds[:MAX_COMBINED]),
            _residues(predicate, moduli),
        )
        found[predicate] = _first(ideas, most)
    return found


def implications(system: HornSystem, facts: Candidates) -> Candidates:
    """Candidates premise => fact; premises: the predicate's flags, and comparisons of the clauses with constants."""
    atoms = conditions(system, MAX_COMPARED)
    found = {}
    for predicate in system.predicates:
        states = (atom for atom in atoms[predicate] if z3.is_eq(atom) and _is_number(atom.arg(0), atom.arg(1)))
        flags = (formal for formal in predicate.formals if z3.is_bool(formal))
        premises = list(islice(chain(flags, states), MAX_ALTERNATIVES))
        signed = [signed for premise in premises for signed in (premise, z3.Not(premise))]
        pairs = ((premise, fact) for fact in facts[predicate] for premise in signed)
        found[predicate] = _first((z3.Or(z3.Not(premise), fact) for premise, fact in pairs), MAX_FORMULAS)
    return found


def _first(ideas: Iterable[z3.BoolRef], most: int) -> list[z3.BoolRef]:
    """The first `most` different candidates, simplified, without true and false."""
    kept: dict[int, z3.BoolRef] = {}
    for idea in ideas:
        candidate = z3.simplify(idea)
        if not (z3.is_true(candidate) or z3.is_false(candidate)):
            kept.setdefault(candidate.get_id(), candidate)
        if len(kept) >= most:
            break
    return list(kept.values())


def _goals(system: HornSystem) -> dict[Predicate, list[z3.BoolRef]]:
    """The negations of queries with one body atom, whole and by conjunct, if over the atom's arguments only."""
    found: dict[Predicate, list[z3.BoolRef]] = {}
    for index in system.queries:
        clause = system.clauses[index]
        if len(clause.body) != 1:
            continue
        atom = clause.body[0]
        pairs = list(zip(atom.arguments, atom.predicate.formals, strict=True))
        if not all(is_variable(argument) for argument, _ in pairs):
            continue
        own = {argument.get_id() for argument, _ in pairs}
        parts = [p for p in conjuncts(clause.constraint) if all(v.get_id() in own for v in free_variables(p))]
        goals = found.setdefault(atom.predicate, [])
        if len(parts) == len(conjuncts(clause.constraint)):
            goals.append(substitute(z3.Not(clause.constraint), pairs))
        goals.extend(substitute(z3.Not(part), pairs) for part in parts)
    return found


def _around(atom: z3.BoolRef) -> Iterator[z3.BoolRef]:
    """The atom, its negation, and comparisons of the same sides, also off by one as guards hold one step longer."""
    yield atom
    yield z3.Not(atom)
    if not (z3.is_app(atom) and atom.num_args() == 2 and z3.is_arith(atom.arg(0))):
        return
    left, right = atom.arg(0), atom.arg(1)
    yield from (left <= right, left >= right, left == right, left < right, left > right)
    yield from (left <= right + 1, left >= right - 1)


def _flags(predicate: Predicate) -> Iterator[z3.BoolRef]:
    flags = [formal for formal in predicate.formals if z3.is_bool(formal)]
    for flag in flags:
        yield from (flag, z3.Not(flag))
    for a, b in combinations(flags[:MAX_ALTERNATIVES], 2):
        yield from (a == b, a != b, z3.Implies(a, b), z3.Implies(b, a))


def _bounds(predicate: Predicate, bounds: list[int]) -> Iterator[z3.BoolRef]:
    """formal REL constant, small constants first: for bit-vectors signed and unsigned."""
    numbers = [formal for formal in predicate.formals if z3.is_arith(formal) or z3.is_bv(formal)]
    for bound in bounds:
        for formal in numbers:
            if z3.is_arith(formal):
                yield from (formal >= bound, formal <= bound, formal == bound)
            elif abs(bound) < 1 << (formal.size() - 1):
                yield from (formal >= bound, formal <= bound, formal == bound)
                if bound >= 0:
                    yield from (z3.UGE(formal, bound), z3.ULE(formal, bound))


def _pairs(predicate: Predicate, bounds: list[int]) -> Iterator[z3.BoolRef]:
    """Comparisons of two formals; octagonal bounds of their difference and sum."""
    numbers = [formal for formal in predicate.formals if z3.is_arith(formal) or z3.is_bv(formal)]
    pairs = [(a, b) for a, b in combinations(numbers[:MAX_ALTERNATIVES], 2) if a.sort() == b.sort()]
    for a, b in pairs:
        yield from (a == b, a <= b, a >= b)
        if z3.is_bv(a):
            yield from (z3.ULE(a, b), z3.UGE(a, b))
    for bound in bounds:
        for a, b in pairs:
            if z3.is_arith(a):
                yield from (a - b <= bound, a - b >= bound, a + b <= bound, a + b >= bound)
                yield from (a - b == bound, a + b == bound)


def _float_numerals(system: HornSystem) -> list[z3.FPNumRef]:
    """The floating-point numbers that the clauses compare something with, the first ones, and their opposites."""
    found: dict[int, z3.FPNumRef] = {}
    for clause in system.clauses:
        for term in subterms(clause.constraint):
            if kind_of(term) in _FLOAT_COMPARISONS:
                numerals = [side for side in term.children() if isinstance(side, z3.FPNumRef) and not side.isNaN()]
                found |= {n.get_id(): n for numeral in numerals for n in (numeral, z3.simplify(-numeral))}
    return list(found.values())[:MAX_COMPARED]


def _float_bounds(predicate: Predicate, numerals: list[z3.FPNumRef]) -> Iterator[z3.BoolRef]:
    """formal <= number and formal >= number; NaN satisfies neither."""
    for formal in predicate.formals:
        for numeral in numerals:
            if formal.sort() == numeral.sort():
                yield from (z3.fpLEQ(formal, numeral), z3.fpGEQ(formal, numeral))


def _moduli(system: HornSystem) -> list[int]:
    """2, and the small divisors in the clauses."""
    divisions = (z3.Z3_OP_MOD, z3.Z3_OP_IDIV)
    terms = chain.from_iterable(subterms(clause.constraint) for clause in system.clauses)
    divisors = [term.arg(1) for term in terms if z3.is_app(term) and term.decl().kind() in divisions]
    small = (d.as_long() for d in divisors if z3.is_int_value(d) and 2 <= d.as_long() <= MAX_CASES)
    return list(dict.fromkeys([2, *small]))[:MAX_COMBINED]


def _residues(predicate: Predicate, moduli: list[int]) -> Iterator[z3.BoolRef]:
    for formal in predicate.formals:
        if z3.is_bv(formal):
            yield from (z3.Extract(0, 0, formal) == bit for bit in (0, 1))
        elif z3.is_int(formal):
            yield from (formal % modulus == residue for modulus in moduli for residue in range(modulus))


def _is_number(*terms: z3.ExprRef) -> bool:
    """True if one of the terms is a numeral."""
    return any(z3.is_int_value(term) or z3.is_rational_value(term) or z3.is_bv_value(term) for term in terms)
