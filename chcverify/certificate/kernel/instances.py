"""Instances of a clause: its constraint with the arguments of its atoms replaced by the values in a derivation."""

import time
from collections.abc import Sequence

import z3

from chcverify.certificate.kernel.obligation import MalformedCertificate
from chcverify.horn.system import Clause
from chcverify.terms.core.traversal import conjunction, conjuncts, free_variables, is_variable, substitute

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
        self._repeated: list[tuple[int, int]] = []
        self._equated: list[tuple[int, z3.ExprRef]] = []
        first: dict[int, int] = {}
        for position, argument in enumerate(arguments):
            if not is_variable(argument):
                self._equated.append((position, argument))
            elif argument.get_id() in first:
                self._repeated.append((position, first[argument.get_id()]))
            else:
                first[argument.get_id()] = position
                self._bound.append((position, argument))
        self._constraint = clause.constraint
        read = {variable.get_id() for variable in free_variables(clause.constraint)}
        self._read = [(position, argument) for position, argument in self._bound if argument.get_id() in read]
        self.locals = tuple(variable for variable in clause.variables if variable.get_id() not in first)

    def determined(self, values: Values) -> tuple[list[tuple[z3.ExprRef, z3.ExprRef]], z3.BoolRef]:
        """The variables that the values determine, with these, and the constraint with the values for the arguments.

        Values are not looked into: they may be large. An equation of a value and itself is left out.
        """
        pairs = [(argument, values[position]) for position, argument in self._bound]
        parts = [substitute(self._constraint, [(argument, values[position]) for position, argument in self._read])]
        equal = [(values[first], values[position]) for position, first in self._repeated]
        equal += [(substitute(argument, pairs), values[position]) for position, argument in self._equated]
        parts += [one == other for one, other in equal if not one.eq(other)]
        return pairs, conjunction(parts)

    def at(self, values: Values, deadline: float) -> z3.BoolRef:
        """The constraint with values for all variables; MalformedCertificate if there are none for the locals."""
        _, instance = self.determined(values)
        left = list(self.locals)
        written = self._written_over(instance)
        if written and not z3.is_false(z3.simplify(proposed := substitute(instance, written))):
            instance, known = proposed, {variable.get_id() for variable, _ in written}
            left = [variable for variable in left if variable.get_id() not in known]
        if not left:
            return instance
        model = _witness(instance, deadline)
        chosen = [(variable, model.eval(variable, model_completion=True)) for variable in left]
        return substitute(instance, chosen)

    def _written_over(self, instance: z3.BoolRef) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
        """Values for the locals that are arrays with stores that equal a given one: that one, which holds what is
        stored. A solver takes seconds for a hundred stores into an array that are to give a constant one."""
        own = {variable.get_id(): variable for variable in self.locals if z3.is_array(variable)}
        found: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}
        for part in conjuncts(instance) if own else ():
            if z3.is_eq(part) and z3.is_array(part.arg(0)):
                array, value = part.children()
                while z3.is_store(array):
                    array = array.arg(0)
                variable = own.get(array.get_id())
                if variable is not None and own.keys().isdisjoint(v.get_id() for v in free_variables(value)):
                    found.setdefault(variable.get_id(), (variable, value))
        return list(found.values())


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
