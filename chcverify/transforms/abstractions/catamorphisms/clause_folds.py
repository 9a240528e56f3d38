"""Folds that the clauses themselves define: predicates that compute a number from a term by structural recursion.

From len(nil, 0) and len(t, n) => len(cons(h, t), n + 1) comes the fold with 0 for nil and 1 + fold(t) for cons. Nothing
here needs to be right: any fold is sound, and a useless one only makes the abstraction larger.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import product

import z3

from chcverify.certificate.model import Fold
from chcverify.effort import MAX_COMPARED
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import (
    conjunction,
    conjuncts,
    equation,
    free_variables,
    is_variable,
    substitute,
    subterms,
)
from chcverify.terms.datatype_terms import clamped, constructor_number, fields, is_datatype, is_enumeration, solved
from chcverify.transforms.abstractions.catamorphisms.basic_components import Datatypes, as_integer
from chcverify.transforms.abstractions.catamorphisms.components import (
    ZERO,
    FoldComponent,
    as_number,
    formals,
    new_function,
)


class _NotAFold(Exception):
    """The clause, or the predicate, does not compute a number by structural recursion."""


@dataclass(frozen=True)
class _Shape:
    """The roles of a predicate's arguments, by position. parameters: passed on unchanged."""

    predicate: Predicate
    folded: int
    result: int
    parameters: tuple[int, ...]

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The range of the result."""
        sort = self.predicate.sorts[self.result]
        if sort.kind() == z3.Z3_BOOL_SORT:
            return 0, 1
        return (0, sort.num_constructors() - 1) if sort.kind() == z3.Z3_DATATYPE_SORT else (None, None)


def add_clause_folds(types: Datatypes, system: HornSystem) -> int:
    """Adds a component for each predicate that is one; the greatest number of parameters."""
    known: dict[Predicate, list[tuple[_Shape, FoldComponent]]] = {}
    shapes = [shape for predicate in system.predicates for shape in _shapes(predicate, types)]
    facts = _numeric_facts(system)
    complete = True
    while shapes:
        # First those of which every clause is understood: they may be what others call.
        added = [shape for shape in shapes if _add(shape, types, system, known, complete, facts)]
        shapes = [shape for shape in shapes if shape not in added]
        if not added and not complete:
            break
        complete = bool(added)
    return max((c.parameters for found in types.components.values() for c in found), default=0)


def _shapes(predicate: Predicate, types: Datatypes) -> Iterator[_Shape]:
    """All ways in which the predicate may be a fold."""
    positions = range(predicate.arity)
    sorts = predicate.sorts
    integers = [i for i in positions if sorts[i].kind() == z3.Z3_INT_SORT]
    folded = [i for i in positions if types.is_recursive(sorts[i])]
    for i in folded:
        for o in positions:
            if o in folded or not _is_result(sorts[o]):
                continue
            rest = tuple(p for p in positions if p not in (i, o))
            if len(rest) <= 1 and all(p in integers for p in rest):
                yield _Shape(predicate, i, o, rest)


def _is_result(sort: z3.SortRef) -> bool:
    if sort.kind() == z3.Z3_DATATYPE_SORT:
        return is_enumeration(sort)
    return sort.kind() in (z3.Z3_INT_SORT, z3.Z3_BOOL_SORT)


def _add(
    shape: _Shape,
    types: Datatypes,
    system: HornSystem,
    known: dict[Predicate, list[tuple[_Shape, FoldComponent]]],
    complete: bool,
    facts: Mapping[Predicate, Sequence[Clause]],
) -> bool:
    """Adds the component of a shape, if its clauses (complete: all of them) are of this shape."""
    sort = shape.predicate.sorts[shape.folded]
    function = new_function(types.names(f"{shape.predicate.name}_of"), len(shape.parameters), sort)
    draft = _Draft(shape, types, known, function)
    cases: dict[int, list[tuple[z3.BoolRef, z3.ArithRef]]] = {}
    for index in system.defining[shape.predicate]:
        for clause in _without_numeric_calls(system.clauses[index], facts):
            try:
                number, guard, value = draft.alternative(clause)
            except _NotAFold:
                if complete:
                    return False
                continue
            if not z3.is_false(z3.simplify(guard)):
                cases.setdefault(number, []).append((guard, value))
    if len(cases) < sort.num_constructors():
        return False

    def case(number: int, _: list[z3.ExprRef]) -> z3.ExprRef:
        *others, last = cases[number]
        result: z3.ExprRef = last[1]
        for condition, chosen in reversed(others):
            if not chosen.eq(result):
                result = z3.If(condition, chosen, result)
        return result

    fold = types.fold(function, len(shape.parameters), case)
    component = None if _is_constant(fold) else types.add_fold(fold, *shape.bounds)
    if component is None:
        return False
    known.setdefault(shape.predicate, []).append((shape, component))
    return True


def _is_constant(fold: Fold) -> bool:
    """True if the fold has one value for all terms, by induction."""
    first = next((case for case in fold.cases if z3.is_int_value(case)), None)
    if first is None:
        return False
    for case in fold.cases:
        own = [(t, first) for t in subterms(case) if z3.is_app(t) and t.num_args() and t.decl().eq(fold.function)]
        if not z3.simplify(substitute(case, own)).eq(first):
            return False
    return True


def _numeric_facts(system: HornSystem) -> dict[Predicate, list[Clause]]:
    """For predicates about numbers alone whose clauses call only such predicates, and not themselves: their facts."""
    found: dict[Predicate, list[Clause]] = {}
    waiting = [p for p in system.predicates if not any(map(_is_recursive_sort, p.sorts))]
    while True:
        ready = [
            predicate
            for predicate in waiting
            if all(a.predicate in found for i in system.defining[predicate] for a in system.clauses[i].body)
        ]
        if not ready:
            return found
        for predicate in ready:
            clauses = [system.clauses[i] for i in system.defining[predicate]]
            found[predicate] = [fact for clause in clauses for fact in _without_numeric_calls(clause, found)]
        waiting = [predicate for predicate in waiting if predicate not in found]


def _is_recursive_sort(sort: z3.SortRef) -> bool:
    return sort.kind() == z3.Z3_DATATYPE_SORT and not is_enumeration(sort)


def _without_numeric_calls(clause: Clause, facts: Mapping[Predicate, Sequence[Clause]]) -> list[Clause]:
    """The clause for each choice of facts for its body atoms about numbers alone."""
    options: list[Sequence[Clause | None]] = [facts.get(atom.predicate, [None]) for atom in clause.body]
    found: list[Clause] = []
    for choice in product(*options):
        if len(found) == MAX_COMPARED:
            break
        parts: list[z3.BoolRef] = [clause.constraint]
        body: list[Application] = []
        for atom, fact in zip(clause.body, choice, strict=True):
            if fact is None:
                body.append(atom)
            else:
                parts.append(_instance(fact, atom))
        if not z3.is_false(constraint := z3.simplify(conjunction(parts))):
            found.append(Clause(clause.head, tuple(body), constraint))
    return found


def _instance(fact: Clause, atom: Application) -> z3.BoolRef:
    """The constraint under which the fact gives the atom."""
    assert fact.head is not None
    new = [(variable, z3.FreshConst(variable.sort(), "u")) for variable in fact.variables]
    pairs = zip(fact.head.arguments, atom.arguments, strict=True)
    return conjunction([substitute(fact.constraint, new), *(equation(substitute(a, new), b) for a, b in pairs)])


@dataclass(eq=False)
class _Draft:
    """What is known while the cases of a fold are made."""

    shape: _Shape
    types: Datatypes
    known: dict[Predicate, list[tuple[_Shape, FoldComponent]]]
    function: z3.FuncDeclRef
    values: dict[int, z3.ExprRef] = field(default_factory=dict)
    """Of variables of the clause, as terms over the formals."""
    terms: dict[int, z3.ExprRef] = field(default_factory=dict)
    """Fields of the folded term, by the clause's terms for them."""
    guards: list[z3.BoolRef] = field(default_factory=list)
    equations: list[tuple[z3.ExprRef, z3.ExprRef]] = field(default_factory=list)
    """Of terms of the clause with values."""

    def __post_init__(self) -> None:
        *self.parameters, self.folded = formals(
            len(self.shape.parameters), self.function.domain(self.function.arity() - 1)
        )

    def alternative(self, clause: Clause) -> tuple[int, z3.BoolRef, z3.ArithRef]:
        """Constructor, guard and value that the clause gives; raises _NotAFold."""
        assert clause.head is not None
        self.values, self.terms, self.guards, self.equations = {}, {}, [], []
        arguments = [argument for atom in clause.applications for argument in atom.arguments]
        constraint, terms = solved(clause.constraint, arguments)
        rest = iter(terms)
        atoms = [Application(a.predicate, tuple(next(rest) for _ in a.arguments)) for a in clause.applications]
        *body, head = atoms
        for position, parameter in zip(self.shape.parameters, self.parameters, strict=True):
            self._bind(head.arguments[position], parameter)
        number = self._match(head.arguments[self.shape.folded], self.folded)
        open_parts: list[Application | z3.BoolRef] = [*body, *conjuncts(constraint)]
        while open_parts:
            left = [part for part in open_parts if not self._use(part)]
            if len(left) == len(open_parts):
                raise _NotAFold
            open_parts = left
        for pattern, value in self.equations:
            if not self._is_known(pattern):
                raise _NotAFold
            self.guards.append(equation(self._value(pattern), value))
        return number, conjunction(self.guards), self._number(head.arguments[self.shape.result])

    def _match(self, pattern: z3.ExprRef, term: z3.ExprRef) -> int:
        """Binds what the pattern, built by a constructor, says of the fields of the term; the constructor."""
        number = constructor_number(pattern)
        if number is None:
            raise _NotAFold
        for part, value in zip(pattern.children(), fields(pattern.sort(), number, term), strict=True):
            if not is_datatype(part):
                self._bind(part, value)
                continue
            self.terms[part.get_id()] = value
            if constructor_number(part) is not None:
                self._look_ahead(part, value)
        return number

    def _look_ahead(self, pattern: z3.ExprRef, term: z3.ExprRef) -> None:
        """The same for a pattern within: by components of the field, as the field itself cannot be taken apart."""
        number = constructor_number(pattern)
        assert number is not None
        shown = next((c for c in self.types.of_sort(term.sort()) if _shows_constructor(c)), None)
        if shown is None:
            raise _NotAFold
        self.guards.append(_constructor_test(shown, number, term))
        for position, part in enumerate(pattern.children()):
            if part.sort().kind() == z3.Z3_INT_SORT:
                root = root_component(self.types, term.sort(), number, position)
                if root is not None:
                    self._bind(part, root.of(term))

    def _bind(self, pattern: z3.ExprRef, value: z3.ExprRef) -> None:
        """The pattern, a variable or a term over some, has the value."""
        if is_variable(pattern) and pattern.get_id() not in self.values:
            self.values[pattern.get_id()] = value
        else:
            self.equations.append((pattern, value))

    def _use(self, part: Application | z3.BoolRef) -> bool:
        """Makes use of a body atom or a conjunct; False if it has unknown variables."""
        if isinstance(part, Application):
            return self._use_call(part)
        if z3.is_eq(part):
            for variable, term in ((part.arg(0), part.arg(1)), (part.arg(1), part.arg(0))):
                if is_variable(variable) and variable.get_id() not in self.values and self._is_known(term):
                    self.values[variable.get_id()] = self._value(term)
                    return True
            if self._use_sum(part):
                return True
        literal = part.arg(0) if z3.is_not(part) else part
        if is_variable(literal) and literal.get_id() not in self.values:
            self.values[literal.get_id()] = z3.BoolVal(not z3.is_not(part))
            return True
        if not self._is_known(part):
            return False
        self.guards.append(z3.BoolRef(self._value(part).as_ast(), part.ctx))
        return True

    def _use_sum(self, part: z3.BoolRef) -> bool:
        """Solves a linear equation for its only unknown variable, if its coefficient is 1 or -1."""
        unknown = [v for v in free_variables(part) if v.get_id() not in self.values]
        if len(unknown) != 1 or not all(map(z3.is_int, (unknown[0], part.arg(0)))):
            return False
        (variable,) = unknown
        difference = part.arg(0) - part.arg(1)
        at = [substitute(difference, [(variable, z3.IntVal(i))]) for i in range(3)]
        slope = z3.simplify(at[1] - at[0], som=True)
        rest = [v for v in free_variables(difference) if not v.eq(variable)]
        if any(map(is_datatype, rest)) or not slope.eq(z3.simplify(at[2] - at[1], som=True)):
            return False
        if not z3.is_int_value(slope) or abs(slope.as_long()) != 1:
            return False
        self.values[variable.get_id()] = self._value(z3.simplify(at[0] * z3.IntVal(-slope.as_long()), som=True))
        return True

    def _use_call(self, atom: Application) -> bool:
        """The atom's result is the value of a fold of one of the fields."""
        shapes: list[tuple[_Shape, FoldComponent | None]] = list(self.known.get(atom.predicate, []))
        if atom.predicate == self.shape.predicate:
            shapes.append((self.shape, None))
        for shape, component in shapes:
            term = self.terms.get(atom.arguments[shape.folded].get_id())
            given = [atom.arguments[position] for position in shape.parameters]
            if term is None or not all(map(self._is_known, given)):
                continue
            parameters = [self._value(value) for value in given]
            if not all(any(value.eq(own) for own in self.parameters) for value in parameters):
                continue
            if component is None:
                value = clamped(self.function(*parameters, term), *self.shape.bounds)
            else:
                value = component.of(term, parameters)
            self._result(atom.arguments[shape.result], value)
            return True
        return False

    def _result(self, pattern: z3.ExprRef, value: z3.ArithRef) -> None:
        if pattern.sort().kind() == z3.Z3_INT_SORT:
            self._bind(pattern, value)
        elif pattern.sort().kind() == z3.Z3_BOOL_SORT:
            self._bind(pattern, value == 1)
        elif is_variable(pattern) and pattern.get_id() not in self.values:
            self.values[pattern.get_id()] = value
        else:
            self.guards.append(self._number(pattern) == value)

    def _is_known(self, term: z3.ExprRef) -> bool:
        return all(v.get_id() in self.values and not is_datatype(v) for v in free_variables(term))

    def _value(self, term: z3.ExprRef) -> z3.ExprRef:
        return substitute(term, [(v, self.values[v.get_id()]) for v in free_variables(term)])

    def _number(self, term: z3.ExprRef) -> z3.ArithRef:
        """The result as a number; raises _NotAFold."""
        if is_datatype(term):
            number = constructor_number(term)
            if number is None and term.get_id() not in self.values:
                raise _NotAFold
            return z3.IntVal(number) if number is not None else as_number(self.values[term.get_id()])
        if not self._is_known(term):
            raise _NotAFold
        return as_integer(self._value(term))


def _shows_constructor(component: FoldComponent) -> bool:
    """True if the component's value shows by which constructor a term is built: a tag, or a size."""
    cases = component.fold.cases
    if component.parameters:
        return False
    if all(z3.is_int_value(case) for case in cases):
        return len({case.as_long() for case in cases}) == len(cases)
    leaf = next((i for i, case in enumerate(cases) if case.eq(ZERO)), None)
    return len(cases) == 2 and component.low == 0 and component.high is None and leaf is not None


def _constructor_test(component: FoldComponent, number: int, term: z3.ExprRef) -> z3.BoolRef:
    cases, value = component.fold.cases, component.of(term)
    if all(z3.is_int_value(case) for case in cases):
        return value == cases[number]
    return value == 0 if cases[number].eq(ZERO) else value > 0


def root_component(types: Datatypes, sort: z3.DatatypeSortRef, number: int, position: int) -> FoldComponent | None:
    """The number in a field of terms that are built by a constructor, 0 for other terms."""
    name = f"root_{sort.accessor(number, position).name()}"
    return types.add(name, sort, lambda i, parts: parts[position] if i == number else ZERO)
