"""Normalise: the arguments of each clause become distinct variables, all else goes into its constraint."""

import z3

from chcverify.horn.system import Application, Clause, HornSystem
from chcverify.terms.occurrence import is_plain
from chcverify.terms.walk import conjunction, conjuncts
from chcverify.transforms.base import BackTranslator, Identity, Selection


class Normalise:
    """Each argument that is no variable, or one met before, becomes a fresh variable equal to it."""

    name = "normalise"

    def apply(self, system: HornSystem) -> tuple[HornSystem, BackTranslator]:
        clauses = tuple(clause if clause.is_normal else normal_form(clause) for clause in system.clauses)
        if clauses == system.clauses:
            return system, Identity()
        return HornSystem(system.predicates, clauses), Selection(range(len(clauses)))


def normal_form(clause: Clause) -> Clause:
    """An equivalent clause whose arguments are distinct variables, across atoms, too."""
    taken: set[int] = set()
    equations: list[z3.BoolRef] = []

    def name(argument: z3.ExprRef) -> z3.ExprRef:
        if is_plain(argument) and argument.get_id() not in taken:
            taken.add(argument.get_id())
            return argument
        fresh = z3.FreshConst(argument.sort(), "v")
        taken.add(fresh.get_id())
        equations.append(fresh == argument)
        return fresh

    def normal(application: Application) -> Application:
        return Application(application.predicate, tuple(name(argument) for argument in application.arguments))

    body = tuple(normal(application) for application in clause.body)
    head = None if clause.head is None else normal(clause.head)
    constraint = conjunction([*conjuncts(clause.constraint), *equations])
    return Clause(head, body, constraint, clause.origin, clause.name)
