"""Simplify: solves each clause's equations, so that arguments say what they can and local variables disappear."""

from weakref import WeakSet

import z3

from chcverify.horn.system import Application, Clause, HornSystem
from chcverify.terms.equations import apply_table, solve_equations
from chcverify.terms.occurrence import Occurrences, is_plain
from chcverify.terms.rewrite import is_value
from chcverify.terms.walk import conjunction
from chcverify.transforms.base import BackTranslator, Selection

MAX_TERM = 400
"""Tree size from which a term is no longer substituted for a variable: shared terms are exponential as trees."""


class Simplify:
    """Rewrites clauses into solved form and drops those that hold in every interpretation.

    Solved form: an equation that defines a local variable or an argument of the head is substituted away, one between
    arguments of the body or with a value as well. P(y) & h = y + l & l = 1 => Q(h) becomes P(y) => Q(y + 1).
    """

    name = "simplify"

    def __init__(self) -> None:
        self._solved: WeakSet[Clause] = WeakSet()  # what this pass made: in a pipeline most clauses come back unchanged

    def apply(self, system: HornSystem) -> tuple[HornSystem, BackTranslator]:
        memo = Occurrences()
        clauses, indices, seen = [], [], set()
        for index, clause in enumerate(system.clauses):
            solved = clause if clause in self._solved else solved_form(clause, memo)
            if solved is None or (key := _identity(solved)) in seen:
                continue
            seen.add(key)
            self._solved.add(solved)
            clauses.append(solved)
            indices.append(index)
        return HornSystem(system.predicates, tuple(clauses)), Selection(indices)


def solved_form(clause: Clause, memo: Occurrences) -> Clause | None:
    """The equivalent clause in solved form; None if it is valid: its constraint false or its head in its body."""
    in_body = {key for atom in clause.body for argument in atom.arguments for key in memo.variables(argument)}
    in_head = set() if clause.head is None else {k for a in clause.head.arguments for k in memo.variables(a)}

    def allowed(variable: z3.ExprRef, term: z3.ExprRef) -> int:
        if variable.get_id() in in_body:
            return 1 if is_value(term) or (is_plain(term) and term.get_id() in in_body) else 0
        if memo.size(term) > MAX_TERM:
            return 0
        return 2 if variable.get_id() in in_head else 3

    solved = solve_equations([clause.constraint], allowed, memo)
    if solved.is_false:
        return None

    def rewrite(atom: Application) -> Application:
        arguments = (apply_table(argument, solved.definitions, memo) for argument in atom.arguments)
        return Application(atom.predicate, tuple(a if is_plain(a) else z3.simplify(a) for a in arguments))

    body = tuple(rewrite(atom) for atom in clause.body)
    head = None if clause.head is None else rewrite(clause.head)
    if head is not None and any(_same(head, atom) for atom in body):
        return None
    return Clause(head, body, conjunction(solved.rest), clause.origin, clause.name)


def _same(left: Application, right: Application) -> bool:
    return left.predicate == right.predicate and all(
        a.eq(b) for a, b in zip(left.arguments, right.arguments, strict=True)
    )


def _identity(clause: Clause) -> tuple[object, ...]:
    """Equal for equal clauses."""
    atoms = tuple((a.predicate.name, *(argument.get_id() for argument in a.arguments)) for a in clause.applications)
    return atoms, clause.is_query, clause.constraint.get_id()
