"""A derivation of false, step by step or in cycles: the certificate of `unsafe`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import z3

from chcverify.horn.system import HornSystem, Predicate


@dataclass(frozen=True, eq=False)
class Step:
    """One use of a clause."""

    clause: int
    """Its index in system.clauses."""
    arguments: tuple[z3.ExprRef, ...]
    """Ground values of the head's arguments, () for a query."""
    premises: tuple[int, ...]
    """For each body atom, in order, the index of an earlier step that derives it."""


@dataclass(frozen=True, eq=False)
class Link:
    """One use of a clause in each iteration of a cycle."""

    clause: int
    arguments: tuple[z3.ExprRef, ...]
    """The head's, as terms over the cycle's variable."""
    premises: tuple[int | None, ...]
    """For each body atom, in order, the index of an earlier step, or None, exactly once, for the fact before this one
    in the cycle."""
    values: tuple[tuple[z3.ExprRef, z3.ExprRef], ...] = ()
    """Of the clause's variables that the atoms do not determine, as terms over the cycle's variable, too. (An atom
    determines the variables that are its arguments; those that only occur within its arguments need a value. A value of
    a determined one must agree.)"""


@dataclass(frozen=True, eq=False)
class Cycle:
    """A cycle of clauses, taken `count` > 0 times. Its facts are a family with a parameter: the iteration's number.

    variable: an integer constant n, 0 <= n < count. start: the index of the earlier step whose fact the first iteration
    begins with; every other iteration begins with the last link's fact of the iteration before it. What is derived for
    later steps is the last link's fact of the last iteration.
    """

    variable: z3.ArithRef
    count: int
    start: int
    links: tuple[Link, ...]


@dataclass(frozen=True, eq=False)
class Derivation:
    """Steps in an order in which premises come first; the last step, and only it, uses a query."""

    steps: tuple[Step | Cycle, ...]

    def renumbered(self, clauses: Sequence[int]) -> "Derivation":
        """The same steps and cycles, by clauses of another system with the same atoms (copies of predicates stand for
        these) and weaker constraints. clauses: for each clause its number there."""

        def step(before: Step | Cycle) -> Step | Cycle:
            if isinstance(before, Step):
                return replace(before, clause=clauses[before.clause])
            return replace(before, links=tuple(replace(link, clause=clauses[link.clause]) for link in before.links))

        return Derivation(tuple(map(step, self.steps)))

    @cached_property
    def ground_steps(self) -> tuple[Step, ...]:
        """The steps, for those who have no use for cycles: HasCycles if there are any."""
        steps = tuple(step for step in self.steps if isinstance(step, Step))
        if len(steps) < len(self.steps):
            raise HasCycles("the derivation repeats clauses in cycles, which is of use on the clauses as given only")
        return steps


class HasCycles(ValueError):
    """A derivation has cycles where all its steps must be ground."""


def derived(system: HornSystem, step: Step | Cycle) -> tuple[Predicate | None, tuple[z3.ExprRef, ...]]:
    """The fact that later steps may use: its predicate (None, of a query) and its closed arguments.

    Of a cycle: the last link's in the last iteration, simplified; arrays may be lambdas and if-then-elses.
    """
    if isinstance(step, Step):
        head, arguments = system.clauses[step.clause].head, step.arguments
    else:
        head = system.clauses[step.links[-1].clause].head
        last = [(step.variable, z3.IntVal(step.count - 1))]
        arguments = tuple(z3.simplify(z3.substitute(term, last)) for term in step.links[-1].arguments)
    return (None if head is None else head.predicate), arguments
