"""Literals of invariants about linked data, and arbitrary facts by which clauses of them are compared."""

import random
from collections.abc import Callable, Iterator, Sequence

import z3

from chcverify.horn.system import Predicate
from chcverify.quick_dataclass import dataclass
from solvers.invariants.links.address_arguments import Addresses
from solvers.invariants.links.links_tuning import LINKS_TUNING

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
    for _ in range(LINKS_TUNING.trial_facts):
        yield [
            source.choice(steps) * addresses.stride + source.choice(_ASIDE)
            if i in addresses.positions[predicate]
            else source.choice(addresses.values.get((predicate, i), (0, 1)))
            for i in range(predicate.arity)
        ]


_ASIDE = (*[0] * 9, 1)
"""What trial facts add to multiples of the stride: most addresses are multiples."""
