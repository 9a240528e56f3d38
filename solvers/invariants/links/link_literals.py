"""Literals of invariants about linked data, and arbitrary facts by which clauses of them are compared."""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import z3

from chcverify.effort import MAX_FORMULAS
from chcverify.horn.roles import Role
from chcverify.horn.system import Predicate
from chcverify.quick_dataclass import dataclass
from solvers.invariants.links.address_arguments import Addresses

Values = Sequence[int]
"""The values of a predicate's arguments; 0 where they are no integers."""


@dataclass(frozen=True)
class Literal:
    """A literal over a predicate's formals."""

    formula: z3.BoolRef
    holds: Callable[[Values], bool]
    """Is it true for these values of the arguments?"""
    needs: int = 0
    """The bits of the guards that a clause with it has as well."""
    is_alone: bool = False
    """It is a clause by itself, next to its guards."""
    is_free: bool = False
    """A clause may have it beyond its width."""
    is_guard: bool = False
    """It says that the block at the index does not live; a clause may have it beyond its width."""
    covers: bool = False
    """It says why the tracked block is not lost; a clause of such literals may have any width."""


def trial_facts(predicate: Predicate, addresses: Addresses, seed: int) -> Iterator[list[int]]:
    """Values of the arguments that have nothing to do with the clauses."""
    source = random.Random(seed)
    low, high = addresses.constants[0], addresses.constants[-1]
    steps = range(low // addresses.stride - 1, high // addresses.stride + 2 * predicate.arity)
    for _ in range(MAX_FORMULAS):
        yield [
            source.choice(steps) * addresses.stride + source.choice(_ASIDE)
            if i in addresses.positions[predicate]
            else source.choice(_others(predicate, i, addresses))
            for i in range(predicate.arity)
        ]


def _others(predicate: Predicate, position: int, addresses: Addresses) -> tuple[int, ...]:
    """Values of an argument that is no address: of its few ones, and on both sides of thresholds; else 0 and 1."""
    found = addresses.thresholds.get((predicate, position), ())
    near = (value for number in found for value in (number, number + 1))
    return (*addresses.values.get((predicate, position), ()), *near) or (0, 1)


def threshold_literals(predicate: Predicate, addresses: Addresses, needs: Callable[[int], int]) -> Iterator[Literal]:
    """Comparisons of arguments that are no addresses with their thresholds. needs: the guards of a position."""
    for (owner, i), numbers in addresses.thresholds.items():
        if owner != predicate:
            continue
        formal = predicate.formals[i]
        for n in numbers:
            yield Literal(formal <= n, lambda v, i=i, n=n: v[i] <= n, needs(i))  # type: ignore[misc]
            yield Literal(formal > n, lambda v, i=i, n=n: v[i] > n, needs(i))  # type: ignore[misc]


def difference_literals(predicate: Predicate, addresses: Addresses, needs: Callable[[int], int]) -> Iterator[Literal]:
    """Comparisons of cells that hold no addresses with variables and neighbours. needs: the guards of a position."""
    compared = [i for owner, i in addresses.differences if owner == predicate]
    scalars, cells, neighbours = (
        [i for i in compared if predicate.role(i) is role] for role in (Role.SCALAR, Role.CELL, Role.NEIGHBOUR)
    )
    for i, k in (*product(cells, scalars), *product(neighbours, cells)):
        if addresses.differences[predicate, i] != addresses.differences[predicate, k]:
            continue
        difference = predicate.formals[i] - predicate.formals[k]
        for n in addresses.differences[predicate, i]:
            yield Literal(difference <= n, lambda v, i=i, k=k, n=n: v[i] - v[k] <= n, needs(i))  # type: ignore[misc]
            yield Literal(difference > n, lambda v, i=i, k=k, n=n: v[i] - v[k] > n, needs(i))  # type: ignore[misc]


_ASIDE = (*[0] * 9, 1)
"""What trial facts add to multiples of the stride: most addresses are multiples."""
