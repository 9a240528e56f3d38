"""Clauses over datatypes as first-order clauses over unknown sets, in SMT-LIB: constructors become unknown functions.

What is about numbers is left out of constraints and predicates, and so are negated equations between terms. So every
instance of a clause gives an instance of the result, and a model of the result gives one of the clauses.
"""

from collections.abc import Iterator
from dataclasses import field

import z3

from chcverify.horn.datatypes import datatypes, sorts_of
from chcverify.horn.system import Application, Clause, HornSystem
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjuncts, is_variable
from chcverify.terms.datatype_terms import constructor_number, is_datatype, solved


@dataclass(eq=False)
class RelaxedSystem:
    """sorts: the datatypes; sort number i is called S<i>, and its constructor j C<i>_<j>; predicate k is called P<k>.

    kept: by predicate, the positions of the arguments that are kept: of datatypes, and truth values.
    """

    system: HornSystem
    sorts: list[z3.DatatypeSortRef] = field(init=False)
    kept: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.sorts = datatypes(sorts_of(self.system))
        self._number = {sort.get_id(): i for i, sort in enumerate(self.sorts)}
        self._predicate = {predicate: i for i, predicate in enumerate(self.system.predicates)}
        self.kept = [
            [i for i, sort in enumerate(predicate.sorts) if self.sort_name(sort)]
            for predicate in self.system.predicates
        ]

    def sort_name(self, sort: z3.SortRef) -> str:
        """The name of a sort that is kept; "" for others."""
        if sort.kind() == z3.Z3_BOOL_SORT:
            return "Bool"
        number = self._number.get(sort.get_id())
        return "" if number is None else f"S{number}"

    def arguments(self, sort: z3.DatatypeSortRef, number: int) -> list[int]:
        """The positions of a constructor's arguments that are kept."""
        constructor = sort.constructor(number)
        return [i for i in range(constructor.arity()) if self.sort_name(constructor.domain(i))]

    def declarations(self) -> Iterator[str]:
        """The sorts, constructors and predicates."""
        yield from (f"(declare-sort S{i} 0)" for i in range(len(self.sorts)))
        for i, sort in enumerate(self.sorts):
            for j in range(sort.num_constructors()):
                domain = (self.sort_name(sort.constructor(j).domain(k)) for k in self.arguments(sort, j))
                yield f"(declare-fun C{i}_{j} ({' '.join(domain)}) S{i})"
        for i, predicate in enumerate(self.system.predicates):
            yield f"(declare-fun P{i} ({' '.join(self.sort_name(predicate.sorts[k]) for k in self.kept[i])}) Bool)"

    def assertions(self) -> Iterator[str]:
        """The clauses."""
        for clause in self.system.clauses:
            yield _RelaxedClause(self, clause).text()

    def predicate_number(self, atom: Application) -> int:
        """The number of the atom's predicate."""
        return self._predicate[atom.predicate]


class _RelaxedClause:
    """One clause as text."""

    def __init__(self, relaxed: RelaxedSystem, clause: Clause) -> None:
        self._relaxed, self._clause = relaxed, clause
        self._names: dict[int, str] = {}
        self._variables: list[tuple[str, str]] = []

    def text(self) -> str:
        """forall variables. body & constraint => head."""
        clause = self._clause
        arguments = [argument for atom in clause.applications for argument in atom.arguments]
        constraint, terms = solved(clause.constraint, arguments)
        rest = iter(terms)
        atoms = [Application(a.predicate, tuple(next(rest) for _ in a.arguments)) for a in clause.applications]
        *body, last = map(self._atom, atoms) if clause.head is not None else (*map(self._atom, atoms), "false")
        known = [part for part in map(self._known, conjuncts(constraint)) if part]
        premise = f"(and true {' '.join([*body, *known])})"
        formula = f"(=> {premise} {last})"
        bound = " ".join(f"({name} {sort})" for name, sort in self._variables)
        return f"(assert (forall ({bound}) {formula}))" if bound else f"(assert {formula})"

    def _atom(self, atom: Application) -> str:
        number = self._relaxed.predicate_number(atom)
        arguments = [self._term(atom.arguments[i]) for i in self._relaxed.kept[number]]
        return f"(P{number} {' '.join(arguments)})" if arguments else f"P{number}"

    def _term(self, term: z3.ExprRef) -> str:
        """The term; a variable for what is not built by constructors."""
        if z3.is_true(term) or z3.is_false(term):
            return str(z3.is_true(term)).lower()
        number = constructor_number(term) if is_datatype(term) else None
        if number is None:
            return self._variable(term)
        name = f"{self._relaxed.sort_name(term.sort())}_{number}".replace("S", "C")
        parts = [self._term(term.arg(i)) for i in self._relaxed.arguments(term.sort(), number)]
        return f"({name} {' '.join(parts)})" if parts else name

    def _variable(self, term: z3.ExprRef) -> str:
        if term.get_id() not in self._names:
            self._names[term.get_id()] = f"v{len(self._names)}"
            self._variables.append((self._names[term.get_id()], self._relaxed.sort_name(term.sort())))
        return self._names[term.get_id()]

    def _known(self, part: z3.BoolRef) -> str:
        """An equation between terms, or a literal of a truth value; "" for all else."""
        if z3.is_eq(part) and is_datatype(part.arg(0)):
            return f"(= {self._term(part.arg(0))} {self._term(part.arg(1))})"
        if is_variable(part):
            return self._variable(part)
        if z3.is_not(part) and is_variable(part.arg(0)):
            return f"(not {self._variable(part.arg(0))})"
        return ""
