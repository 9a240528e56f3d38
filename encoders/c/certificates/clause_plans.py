"""Where the values of a clause's variables come from in a step of a derivation, worked out once for each clause."""

from dataclasses import field

import z3

from chcverify.horn.system import Clause
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import free_variables, is_variable
from encoders.c.certificates.long_arrays import LongArrays

Assignment = dict[int, tuple[z3.ExprRef, z3.ExprRef]]
"""Variables with their values, by the identity of the variable."""


@dataclass(frozen=True, eq=False)
class OpenTerm:
    """A term with the identities of its free variables."""

    term: z3.ExprRef
    variables: tuple[int, ...]
    is_variable: bool

    @staticmethod
    def of(term: z3.ExprRef) -> "OpenTerm":
        return OpenTerm(term, tuple(variable.get_id() for variable in free_variables(term)), is_variable(term))

    def at(self, values: Assignment, arrays: LongArrays) -> z3.ExprRef:
        """The value of the term under an assignment to its variables."""
        if self.is_variable and (found := values.get(self.variables[0])) is not None:
            return found[1]
        return arrays.value(self.term, [values[number] for number in self.variables if number in values])


@dataclass(frozen=True, eq=False)
class ClausePlan:
    """A description of where the values of a clause's variables come from."""

    clause: Clause
    bound: tuple[tuple[int, int, z3.ExprRef], ...]
    equated: tuple[tuple[int, int, OpenTerm], ...]
    """(premise, position of its argument, variable that has its value or term that equals it)."""
    constraint: OpenTerm
    head: tuple[OpenTerm, ...]
    idle: tuple[tuple[z3.ExprRef, z3.ExprRef], ...]
    """Variables that nothing determines, with zeros as values: dead state in the constraint, and variables in the head
    to which nothing was stored before a summarised function begins."""


@dataclass(frozen=True, eq=False)
class ClausePlans:
    """The plans for clauses that were used so far, for further runs with them. Clauses and terms are kept alive."""

    plans: dict[int, ClausePlan] = field(default_factory=dict)
    """By the identity of the clause."""
    open_terms: dict[int, OpenTerm] = field(default_factory=dict)
    """By the identity of the term: clauses share most of their terms."""

    def of(self, clause: Clause) -> ClausePlan:
        """The plan for using a clause."""
        if id(clause) not in self.plans:
            self.plans[id(clause)] = self._made(clause)
        return self.plans[id(clause)]

    def open_term(self, term: z3.ExprRef) -> OpenTerm:
        """The term with its variables."""
        key = term.get_id()
        if key not in self.open_terms:
            self.open_terms[key] = OpenTerm.of(term)
        return self.open_terms[key]

    def _made(self, clause: Clause) -> ClausePlan:
        bound, equated = [], []
        for premise, application in enumerate(clause.body):
            for position, argument in enumerate(application.arguments):
                open_term = self.open_term(argument)
                if open_term.is_variable:
                    bound.append((premise, position, argument))
                else:
                    equated.append((premise, position, open_term))
        head = () if clause.head is None else clause.head.arguments
        body = free_variables(*(argument for application in clause.body for argument in application.arguments))
        given = {variable.get_id() for variable in body}
        idle = [(v, _zero(v.sort())) for v in free_variables(clause.constraint, *head) if v.get_id() not in given]
        constraint, ground = self.open_term(clause.constraint), tuple(map(self.open_term, head))
        return ClausePlan(clause, tuple(bound), tuple(equated), constraint, ground, tuple(idle))


def _zero(sort: z3.SortRef) -> z3.ExprRef:
    if isinstance(sort, z3.ArraySortRef):
        return z3.K(sort.domain(), _zero(sort.range()))
    if isinstance(sort, z3.FPSortRef):
        return z3.fpPlusZero(sort)
    if isinstance(sort, z3.BitVecSortRef):
        return z3.BitVecVal(0, sort.size())
    return z3.BoolVal(False) if sort == z3.BoolSort() else z3.IntVal(0)
