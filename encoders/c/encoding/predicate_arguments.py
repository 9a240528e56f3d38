"""The predicates of locations, and their arguments: what is said of each argument is made once for all of them."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

import z3

from chcverify.horn.roles import Role
from chcverify.horn.system import Application, Origin, Predicate
from encoders.c.analysis.memory.tracked_objects import TrackedObjects
from encoders.c.analysis.storage import Memory, StateVariable
from encoders.c.encoding.clause_origins import Argument
from encoders.c.encoding.initial_values import constant_of
from encoders.c.encoding.integer_theory import IntegerEncoding
from encoders.c.encoding.predicate_names import PredicateNames


class DescribedArgument(NamedTuple):
    """An argument with what its predicates say of it."""

    argument: Argument
    sort: z3.SortRef
    label: str
    role: Role


class PredicateArguments:
    """Makes predicates and applies them to states. ends: the bit set of fresh addresses of linked blocks."""

    def __init__(self, memory: Memory, objects: TrackedObjects, theory: IntegerEncoding, ends: int) -> None:
        self.memory, self.objects, self.theory, self.ends = memory, objects, theory, ends
        self.arguments: dict[Predicate, tuple[Argument, ...]] = {}
        self._names = PredicateNames()
        self._constants: dict[StateVariable, z3.ExprRef] = {}
        self._entry_values: dict[StateVariable, z3.ExprRef] = {}
        self._sorts: dict[StateVariable, z3.SortRef] = {}
        self._described: dict[tuple[StateVariable, bool], DescribedArgument] = {}
        self._unchanged: dict[Predicate, tuple[z3.ExprRef, ...]] = {}
        self._places: dict[Predicate, Mapping[StateVariable, int]] = {}

    def constant(self, variable: StateVariable) -> z3.ExprRef:
        """The constant that stands for the current value of a state variable."""
        known = self._constants.get(variable)
        if known is None:
            known = self._constants[variable] = constant_of(self.theory, variable)
        return known

    def at_entry(self, variable: StateVariable) -> z3.ExprRef:
        """The constant that stands for a state variable's value when the function was entered."""
        if variable not in self._entry_values:
            self._entry_values[variable] = z3.Const(f"{variable.name}^in", self.sort(variable))
        return self._entry_values[variable]

    def sort(self, variable: StateVariable) -> z3.SortRef:
        """The sort of a state variable's values."""
        if variable not in self._sorts:
            self._sorts[variable] = self.constant(variable).sort()
        return self._sorts[variable]

    def described(self, mask: int, at_entry: bool) -> list[DescribedArgument]:
        """The arguments that are the variables of a bit set, with their current values or those at entry."""
        found = []
        for variable in self.memory.variables_of(mask):
            known = self._described.get((variable, at_entry))
            if known is None:
                argument = Argument(variable, at_entry)
                label = variable.label + (" at entry" if at_entry else "")
                role = argument.role(self.ends, *self._followed)
                known = self._described[variable, at_entry] = DescribedArgument(
                    argument, self.sort(variable), label, role
                )
            found.append(known)
        return found

    @cached_property
    def _followed(self) -> tuple[int, int]:
        """The bit sets of what says which linked blocks live, and of their order."""
        followed = self.objects.links.values()
        ranks = sum(links.order.mask for links in followed if links.order is not None)
        return sum(1 << links.alive.index for links in followed), ranks

    def predicate(self, name: str, origin: Origin, described: Iterable[DescribedArgument]) -> Predicate:
        """A new predicate with these arguments. name: for people; of several predicates of one name, all but one get a
        number."""
        arguments, sorts, labels, roles = [tuple(column) for column in zip(*described, strict=True)] or [()] * 4
        predicate = Predicate(self._names.unique(name), sorts, origin, labels, roles)
        self.arguments[predicate] = arguments
        return predicate

    def forget_predicates(self) -> None:
        """Forgets all predicates that were made, with their names."""
        self.arguments.clear()
        self._unchanged.clear()
        self._places.clear()
        self._names = PredicateNames()

    def applied(self, predicate: Predicate, current: Mapping[StateVariable, z3.ExprRef]) -> Application:
        """The predicate in the state that differs from the constants by `current`."""
        terms = self._unchanged.get(predicate)
        if terms is None:
            arguments = self.arguments[predicate]
            terms = tuple([self.at_entry(a.variable) if a.at_entry else self.constant(a.variable) for a in arguments])
            self._unchanged[predicate] = terms
            self._places[predicate] = {a.variable: i for i, a in enumerate(arguments) if not a.at_entry}
        if current:
            places, changed = self._places[predicate], list(terms)
            for variable, term in current.items():
                place = places.get(variable)
                if place is not None:
                    changed[place] = term
            terms = tuple(changed)
        return Application(predicate, terms)
