"""A ground derivation of false: the certificate of `unsafe`."""

from dataclasses import dataclass

import z3


@dataclass(frozen=True, eq=False)
class Step:
    """One use of a clause.

    clause: its index in system.clauses. arguments: ground values of the head's arguments, () for a query.
    premises: for each body atom, in order, the index of an earlier step that derives it.
    """

    clause: int
    arguments: tuple[z3.ExprRef, ...]
    premises: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Derivation:
    """Steps in an order in which premises come first; the last step, and only it, uses a query."""

    steps: tuple[Step, ...]
