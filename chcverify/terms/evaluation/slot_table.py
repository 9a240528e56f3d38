"""Slots for the values of terms: the common first step of compiling a conjunction to instructions over a list."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import z3

from chcverify.quick_dataclass import dataclass
from chcverify.terms.evaluation.disjunctive_cases import bottom_up
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.terms.native.value_kinds import NUMERALS


@dataclass(frozen=True, slots=True)
class SlotStep:
    """One operation: the value of `term` goes to slot `target` and depends on the slots of its arguments."""

    term: ArenaTerm
    arguments: tuple[int, ...]
    target: int


class SlotTable:
    """Assigns each subterm of some terms a position in a list of values.

    slots: the variables that have positions 0, 1, ... already. numeral: the value of a z3 numeral, as the instructions'
    operations expect it; what it raises is passed on. unset: the value of slots that are still to be computed.
    Attributes: slot, the position of each term; template, the list with the values of numerals.
    """

    def __init__(
        self, arena: Arena, slots: Mapping[ArenaTerm, int], numeral: Callable[[z3.ExprRef], Any], unset: Any
    ) -> None:
        self._arena = arena
        self._numeral = numeral
        self._unset = unset
        self.slot = dict(slots)
        self.template: list[Any] = [unset] * len(self.slot)

    def steps(self, roots: Sequence[ArenaTerm]) -> Iterator[SlotStep]:
        """The operations that compute the roots, arguments first; a subterm that has a slot yields nothing."""
        for term in bottom_up(self._arena, roots):
            if term in self.slot:
                continue
            target = self.slot[term] = len(self.template)
            if self._arena.kind(term) in NUMERALS:
                self.template.append(self._numeral(self._arena.wrap(term)))
                continue
            self.template.append(self._unset)
            yield SlotStep(term, tuple(self.slot[child] for child in self._arena.children(term)), target)

    def add(self) -> int:
        """The position of a new slot that belongs to no term."""
        self.template.append(self._unset)
        return len(self.template) - 1
