"""Instances of a clause: its constraint with the arguments of its atoms replaced by the values in a derivation."""

import time
from collections.abc import Sequence

import z3

from chcverify.certificate.kernel.obligation import MalformedCertificate
from chcverify.horn.system import Clause
from chcverify.terms.core.traversal import conjunction, is_variable

Values = Sequence[z3.ExprRef]


class Instances:
    """The instances of one clause.

    Each argument of the clause's atoms, body first, gets a value: at the first occurrence of a variable the value
    replaces it; otherwise an equation is added. locals: the variables that are left.
    """

    locals: tuple[z3.ExprRef, ...]

    def __init__(self, clause: Clause) -> None:
        arguments = [argument for application in clause.applications for argument in application.arguments]
        self._bound: list[tuple[int, z3.ExprRef]] = []
        self._equated: list[tuple[int, z3.ExprRef]] = []
        known: set[int] = set()
        for position, argument in enumerate(arguments):
            if is_variable(argument) and argument.get_id() not in known:
                known.add(argument.get_id())
                self._bound.append((position, argument))
            else:
                self._equated.append((position, argument))
        self._constraint = clause.constraint
        self.locals = tuple(variable for variable in clause.variables if variable.get_id() not in known)

    def determined(self, values: Values) -> tuple[list[tuple[z3.ExprRef, z3.ExprRef]], z3.BoolRef]:
        """The variables that the values determine, with these, and the constraint with the values for the arguments."""
        formula = self._constraint
        if self._equated:
            formula = conjunction([formula, *(argument == values[position] for position, argument in self._equated)])
        pairs = [(argument, values[position]) for position, argument in self._bound]
        return pairs, z3.substitute(formula, pairs) if pairs else formula

    def at(self, values: Values, deadline: float) -> z3.BoolRef:
        """The constraint with values for all variables; MalformedCertificate if there are none for the locals."""
        _, instance = self.determined(values)
        if not self.locals:
            return instance
        model = _witness(instance, deadline)
        chosen = [(variable, model.eval(variable, model_completion=True)) for variable in self.locals]
        return z3.substitute(instance, chosen)


def _witness(formula: z3.BoolRef, deadline: float) -> z3.ModelRef:
    """A model of the formula; MalformedCertificate if the solver has none by the deadline (time.monotonic())."""
    solver = z3.SimpleSolver()
    solver.set("timeout", max(1, int((deadline - time.monotonic()) * 1000)))
    solver.add(formula)
    # exists variables. formula
    answer = solver.check()
    if answer == z3.unsat:
        raise MalformedCertificate("its constraint does not hold")
    if answer != z3.sat:
        raise MalformedCertificate(f"undecided ({solver.reason_unknown()})")
    return solver.model()
