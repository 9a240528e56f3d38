"""Constrained Horn clauses: Predicate, Application, Clause, HornSystem. All are immutable values."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

import z3

from chcverify.horn.origin import Origin as Origin
from chcverify.horn.roles import Role
from chcverify.terms.core.traversal import E, free_variables, is_variable, substitute


@cache  # systems have as many formals as all arguments of all predicates together, but few different ones
def _formal(position: int, sort: z3.SortRef) -> z3.ExprRef:
    formal: z3.ExprRef = z3.Const(f"${position}", sort)
    return formal


@dataclass(frozen=True)
class Predicate:
    """An unknown relation. Equal predicates have the same name and sorts; `names` call the arguments for people.

    roles: of the arguments; () where nothing is known but their sorts. copy_of: the name of the predicate that this one
    is a copy of, "" if it is none.
    """

    name: str
    sorts: tuple[z3.SortRef, ...]
    origin: Origin | None = field(default=None, compare=False)
    names: tuple[str, ...] = field(default=(), compare=False)
    roles: tuple[Role, ...] = field(default=(), compare=False)
    copy_of: str = field(default="", compare=False)

    @property
    def arity(self) -> int:
        """The number of arguments."""
        return len(self.sorts)

    @property
    def argument_names(self) -> tuple[str, ...]:
        """What people call the arguments: `names`, else x0, x1, ..."""
        return self.names if len(self.names) == self.arity else tuple(f"x{i}" for i in range(self.arity))

    @cached_property
    def formals(self) -> tuple[z3.ExprRef, ...]:
        """The formal arguments over which models give a formula: constants $0, $1, ... of the argument sorts."""
        return tuple([_formal(i, sort) for i, sort in enumerate(self.sorts)])

    @cached_property
    def function(self) -> z3.FuncDeclRef:
        """The predicate as an uninterpreted z3 function, for solvers that take Horn clauses as z3 terms."""
        return z3.Function(self.name, *self.sorts, z3.BoolSort())

    def role(self, position: int) -> Role:
        """The role of the argument at a position, by its sort where no roles are given."""
        if len(self.roles) == self.arity:
            return self.roles[position]
        return Role.ARRAY if isinstance(self.sorts[position], z3.ArraySortRef) else Role.SCALAR

    def restricted(self, kept: Sequence[int]) -> "Predicate":
        """The predicate with the arguments at these positions only; itself if these are all."""
        if list(kept) == list(range(self.arity)):
            return self
        names = tuple(self.names[i] for i in kept) if len(self.names) == self.arity else ()
        roles = tuple(self.role(i) for i in kept) if self.roles else ()
        return replace(self, sorts=tuple(self.sorts[i] for i in kept), names=names, roles=roles)

    def __call__(self, *arguments: z3.ExprRef) -> "Application":
        return Application(self, tuple(arguments))

    def __hash__(self) -> int:
        return hash(self.name)  # which the name itself remembers

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False)
class Application:
    """A predicate applied to terms of its sorts, in order."""

    predicate: Predicate
    arguments: tuple[z3.ExprRef, ...]

    def __post_init__(self) -> None:
        if len(self.arguments) != self.predicate.arity:
            raise ValueError(f"{self.predicate.name} takes {self.predicate.arity} arguments, not {len(self.arguments)}")

    @property
    def term(self) -> z3.BoolRef:
        """The application as a z3 term."""
        term: z3.BoolRef = self.predicate.function(*self.arguments)
        return term

    def instance(self, term: E) -> E:
        """A term over the predicate's formals, about these arguments."""
        return substitute(term, zip(self.predicate.formals, self.arguments, strict=True))

    def __str__(self) -> str:
        arguments = f"({', '.join(map(str, self.arguments))})" if self.arguments else ""
        return f"{self.predicate.name}{arguments}"


@dataclass(frozen=True, eq=False)
class Clause:
    """body_1 & ... & body_n & constraint => head, all free variables universally quantified; head None is a query.

    The same body predicate may occur several times. `name` is for people and stays through transforms where it can.
    """

    head: Application | None
    body: tuple[Application, ...]
    constraint: z3.BoolRef
    origin: Origin | None = None
    name: str = ""

    @property
    def is_query(self) -> bool:
        """True if the clause has no head."""
        return self.head is None

    @property
    def is_fact(self) -> bool:
        """True if the clause has no body."""
        return not self.body

    @property
    def is_linear(self) -> bool:
        return len(self.body) <= 1

    @property
    def applications(self) -> tuple[Application, ...]:
        """Body first, then the head if there is one."""
        return self.body if self.head is None else (*self.body, self.head)

    @cached_property
    def variables(self) -> tuple[z3.ExprRef, ...]:
        """The free variables of head, body and constraint, each once."""
        arguments = [argument for application in self.applications for argument in application.arguments]
        return free_variables(*arguments, self.constraint)

    @property
    def is_normal(self) -> bool:
        """True if all arguments of head and body are distinct variables (across atoms, too)."""
        arguments = [argument for application in self.applications for argument in application.arguments]
        return all(map(is_variable, arguments)) and len({a.get_id() for a in arguments}) == len(arguments)

    def __str__(self) -> str:
        parts = [str(application) for application in self.body]
        if not z3.is_true(self.constraint):
            parts.append(str(self.constraint))
        head = "false" if self.head is None else str(self.head)
        return f"{' & '.join(parts) or 'true'} => {head}"


@dataclass(frozen=True, eq=False)
class HornSystem:
    """Predicates and clauses. Every predicate of a clause is listed; names are unique; clauses are numbered from 0."""

    predicates: tuple[Predicate, ...]
    clauses: tuple[Clause, ...]

    def __post_init__(self) -> None:
        by_name = {predicate.name: predicate for predicate in self.predicates}
        if len(by_name) != len(self.predicates):
            raise ValueError("two predicates share a name")
        for clause in self.clauses:
            for application in clause.applications:
                if by_name.get(application.predicate.name) != application.predicate:
                    raise ValueError(f"predicate {application.predicate.name} is not listed")

    @classmethod
    def of(cls, clauses: Iterable[Clause], predicates: Sequence[Predicate] = ()) -> "HornSystem":
        """The system of these clauses; `predicates` come first, the others in order of occurrence."""
        items = tuple(clauses)
        found = {predicate.name: predicate for predicate in predicates}
        for clause in items:
            for application in clause.applications:
                found.setdefault(application.predicate.name, application.predicate)
        return cls(tuple(found.values()), items)

    @cached_property
    def by_name(self) -> dict[str, Predicate]:
        """The predicates by their names."""
        return {predicate.name: predicate for predicate in self.predicates}

    @cached_property
    def defining(self) -> dict[Predicate, tuple[int, ...]]:
        """For each predicate the indices of the clauses that have it as head."""
        table: dict[Predicate, list[int]] = {predicate: [] for predicate in self.predicates}
        for index, clause in enumerate(self.clauses):
            if clause.head is not None:
                table[clause.head.predicate].append(index)
        return {predicate: tuple(indices) for predicate, indices in table.items()}

    @cached_property
    def using(self) -> dict[Predicate, tuple[int, ...]]:
        """For each predicate the indices of the clauses that have it in the body (each once)."""
        table: dict[Predicate, list[int]] = {predicate: [] for predicate in self.predicates}
        for index, clause in enumerate(self.clauses):
            for predicate in {application.predicate for application in clause.body}:
                table[predicate].append(index)
        return {predicate: tuple(indices) for predicate, indices in table.items()}

    @cached_property
    def queries(self) -> tuple[int, ...]:
        """The clauses without a head."""
        return tuple(index for index, clause in enumerate(self.clauses) if clause.is_query)

    @property
    def is_linear(self) -> bool:
        return all(clause.is_linear for clause in self.clauses)

    @property
    def has_arrays(self) -> bool:
        """Does a predicate have an argument that is an array?"""
        return any(isinstance(sort, z3.ArraySortRef) for predicate in self.predicates for sort in predicate.sorts)

    def has_role(self, role: Role) -> bool:
        """Does a predicate have an argument with this role?"""
        return any(role in predicate.roles for predicate in self.predicates)

    def __str__(self) -> str:
        return "\n".join(map(str, self.clauses))
