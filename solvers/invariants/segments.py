"""Segments: the cells of an array are kept apart by the order of their index with the places that clauses speak of.

For systems over array cells, where a predicate has arguments named k and a[k]: the index terms at which clauses read
and write, such as a loop's counter or the sum of a base and an offset, and what they become when the counter is at its
first or last value, cut the array into segments, each with a value of its own.
Halbwachs, Peron: Discovering properties about arrays in simple programs (PLDI 2008), section 4.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.terms.rewrite import is_plain
from chcverify.terms.walk import conjuncts, free_variables, substitute, subterms

MOST_CONDITIONS = 6
_LARGEST = 2**31 - 2  # constants beyond this are limits of machine integers
_ORDER = {z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT}


def segments(system: HornSystem, most: int = MOST_CONDITIONS) -> dict[Predicate, list[z3.ExprRef]]:
    """For each predicate the conditions k < t: k an index, t an index term, then any integer argument that is no cell.

    Terms are those of the predicate's own clauses with, next to each, its variants: one variable replaced by what the
    clauses compare it with, or by the constant that it begins with.
    """
    places = {predicate: _Places.of(predicate) for predicate in system.predicates}
    terms: dict[Predicate, list[z3.ArithRef]] = {predicate: [] for predicate in system.predicates}
    partners: dict[Predicate, list[tuple[z3.ArithRef, z3.ArithRef]]] = {p: [] for p in system.predicates}
    for clause in system.clauses:
        view = _View(clause, places)
        for application in clause.applications:
            local = view.formals(application)
            terms[application.predicate] += view.translated(view.index_terms(), local)
            for pair in view.pairs():
                partners[application.predicate] += zip(*[view.translated([side], local) for side in pair], strict=False)
    table: dict[Predicate, list[z3.ExprRef]] = {}
    for predicate, place in places.items():
        own = terms[predicate]
        variants = [substitute(term, [pair]) for term in own for pair in partners[predicate]]
        bounds = _distinct([*own, *variants, z3.IntVal(0), *place.others])
        table[predicate] = [index < bound for bound in bounds for index in place.indices][:most]
    return table


@dataclass(frozen=True, eq=False)
class _Places:
    """The integer formals that are indices of cells, and those that are neither indices nor cells."""

    indices: Sequence[z3.ArithRef]
    others: Sequence[z3.ArithRef]

    @classmethod
    def of(cls, predicate: Predicate) -> "_Places":
        read = {name.rpartition("[")[2].removesuffix("]") for name in predicate.names if name.endswith("]")}
        named = zip(predicate.names, predicate.formals, strict=False)
        integers = [(name, formal) for name, formal in named if z3.is_int(formal) and not name.endswith("]")]
        return cls([f for name, f in integers if name in read], [f for name, f in integers if name not in read])


class _View:
    """A clause, modulo the equations between its variables."""

    def __init__(self, clause: Clause, places: Mapping[Predicate, _Places]) -> None:
        self._parts = conjuncts(clause.constraint)
        self._atoms = [
            t for t in subterms(clause.constraint) if z3.is_app(t) and t.num_args() == 2 and z3.is_int(t.arg(0))
        ]
        self._same: list[tuple[z3.ExprRef, z3.ExprRef]] = []
        for part in self._parts:
            if z3.is_eq(part) and all(map(is_plain, part.children())):
                left, right = (substitute(side, self._same) for side in part.children())
                self._same = [(old, substitute(new, [(left, right)])) for old, new in self._same] + [(left, right)]
        self._places = places
        self._indices = {
            self._rooted(argument).get_id()
            for application in clause.applications
            for formal, argument in zip(application.predicate.formals, application.arguments, strict=True)
            if any(formal.eq(index) for index in places[application.predicate].indices)
        }

    def _rooted(self, term: z3.ExprRef) -> z3.ExprRef:
        return substitute(term, self._same)

    def formals(self, application: Application) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
        """For variables, up to equality, the formals that they are arguments for; indices and cells left out."""
        others = self._places[application.predicate].others
        pairs = zip(application.arguments, application.predicate.formals, strict=True)
        return [(self._rooted(a), f) for a, f in pairs if is_plain(a) and any(f.eq(other) for other in others)]

    def translated(
        self, terms: Sequence[z3.ArithRef], local: Sequence[tuple[z3.ExprRef, z3.ExprRef]]
    ) -> list[z3.ArithRef]:
        """Those of the terms that can be said in the formals."""
        known = {variable.get_id() for variable, _ in local}
        rooted = map(self._rooted, terms)
        return [substitute(t, local) for t in rooted if all(v.get_id() in known for v in free_variables(t))]

    def index_terms(self) -> list[z3.ArithRef]:
        """What indices are equal to, or tested to be equal to."""
        found = []
        for atom in filter(z3.is_eq, self._atoms):
            for side, other in (atom.children(), reversed(atom.children())):
                if is_plain(side) and self._rooted(side).get_id() in self._indices:
                    found.append(other)
        return found

    def pairs(self) -> Iterator[tuple[z3.ArithRef, z3.ArithRef]]:
        """Variables with the variables and small constants that they are compared with, or that they begin with."""
        for atom in self._atoms:
            if atom.decl().kind() in _ORDER or (z3.is_eq(atom) and any(atom.eq(part) for part in self._parts)):
                for side, other in (atom.children(), reversed(atom.children())):
                    if is_plain(side) and (is_plain(other) or _is_small(other)):
                        yield side, other


def _is_small(term: z3.ExprRef) -> bool:
    return bool(z3.is_int_value(term)) and abs(term.as_long()) < _LARGEST


def _distinct(terms: Sequence[z3.ArithRef]) -> list[z3.ArithRef]:
    """The terms, simplified, each once, in order."""
    return list({term.get_id(): term for term in map(z3.simplify, terms)}.values())
