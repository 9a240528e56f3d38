"""Certificates of termination: `RankingProof` that every run ends, `Lasso` or `RecurrenceSet` that one run does not.

The runs of a system are sequences of facts: a clause leads from the fact of its FIRST body atom to the fact of its
head. The other body atoms are what has returned to the run: facts that hold, and no part of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Predicate


@dataclass(frozen=True, eq=False)
class RankingNode:
    """Why no run stays in a component for ever: one rank, and the nodes of what the rank leaves open."""

    clauses: frozenset[int]
    """Indices of the component's clauses: of those whose first body atom and head are both in it."""
    ranks: Mapping[Predicate, z3.ArithRef]
    """For each cut point of the component an integer term over its formals."""
    strict: frozenset[int]
    """Clauses that make the rank smaller, from at least 0, whenever a path between cut points uses them."""
    children: "tuple[RankingNode, ...]" = ()
    """One node for each component of the clauses that are not strict."""


@dataclass(frozen=True, eq=False)
class RankingProof:
    """A proof that every run ends; docs/certificates.md says what is checked, and why that is enough."""

    model: Model
    """A model of all clauses, queries included."""
    cut_points: frozenset[Predicate]
    """At least one predicate of each cycle."""
    nodes: tuple[RankingNode, ...]
    """One for each component of the clauses; () if no clause is in a cycle."""


@dataclass(frozen=True, eq=False)
class Lasso:
    """A run that does not end: it comes from a fact to the same fact again."""

    steps: tuple[Step, ...]
    """Premises come first; none uses a query."""
    begin: int
    """The step of the fact at which the cycle begins. The last step derives the same fact again."""


@dataclass(frozen=True, eq=False)
class Move:
    """A way on from each fact of a predicate for which the clause has this instance."""

    clause: int
    """Its only body atom is of the predicate."""
    arguments: tuple[z3.ExprRef, ...]
    """Of the head, as terms over the formals of the predicate."""
    values: tuple[tuple[z3.ExprRef, z3.ExprRef], ...] = ()
    """Of the clause's variables that the two atoms do not determine, as such terms, too."""


@dataclass(frozen=True, eq=False)
class RecurrenceSet:
    """A closed recurrence set: facts of which each has a successor among them, and a derivation of one of them.

    Chen, Cook, Fuhs, Nimkar, O'Hearn: Proving nontermination via safety (TACAS 2014); the successors are given as
    terms, so that nothing is quantified.
    """

    steps: tuple[Step, ...]
    """Premises come first; none uses a query. The last one derives a fact of the set."""
    facts: Mapping[Predicate, z3.BoolRef]
    """The set: for each predicate that it has facts of a formula over the predicate's formals."""
    moves: tuple[Move, ...]
    """For each fact of the set one of them leads to a fact of the set."""


NonTermination = Lasso | RecurrenceSet
Certificate = Model | Derivation | RankingProof | Lasso | RecurrenceSet
"""All that the kernel can check."""
