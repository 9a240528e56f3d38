"""Steps of derivations about long arrays, where what a step does not look into is any array.

A run that fills an array of thousands of cells names it in the facts before and after each step. A formula about these
takes as long as the array has cells, and all steps together as long as the square of that. So the part that the arrays
of a step have in common becomes a variable c: the step is an instance of

    c[k_1] = v_1 & ... & c[k_m] = v_m  =>  constraint(c)

where k_1, ..., k_m are the cells that the constraint reads, and v_1, ..., v_m what the common part holds there. As the
formula must hold for all c, it holds for the common part.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from chcverify.terms.evaluation.ground_arrays import GroundArrays
from chcverify.terms.native.capi import Handle


@dataclass(frozen=True, eq=False)
class CommonParts:
    """Values in which parts of arrays are variables."""

    values: tuple[z3.ExprRef, ...]
    parts: tuple[tuple[z3.ExprRef, z3.ExprRef], ...]
    """The variables, with the arrays in whose place they are."""


class SharedArrays:
    """The arrays in the facts of one derivation, which keeps them alive."""

    def __init__(self) -> None:
        self._arrays = GroundArrays()

    def common_parts(self, values: Sequence[z3.ExprRef]) -> CommonParts | None:
        """The values with variables in the place of what their long arrays have in common, or of long arrays that have
        nothing in common with others; None if there are no long arrays."""
        chains = {
            number: chain
            for number, value in enumerate(values)
            if z3.is_array(value) and (chain := self._arrays.newest_stores(value)) is not None
        }
        if not chains:
            return None
        variables: dict[Handle, tuple[z3.ExprRef, z3.ExprRef]] = {}
        found = list(values)
        for number, chain in chains.items():
            others = [chains[other] for other in chains if other != number]
            depth = next((i for i, node in enumerate(chain) if any(node in other for other in others)), 0)
            stores, common = _parted(values[number], depth)
            if chain[depth] not in variables:
                variables[chain[depth]] = z3.FreshConst(common.sort(), "array"), common
            array = variables[chain[depth]][0]
            for store in reversed(stores):
                array = z3.Store(array, store.arg(1), store.arg(2))
            found[number] = array
        return CommonParts(tuple(found), tuple(variables.values()))

    def reads(self, instance: z3.BoolRef, common: CommonParts) -> tuple[z3.BoolRef, ...] | None:
        """The equations about cells of the common parts under which the instance simplifies to true; None if it does
        not, or cells are read that are not known."""
        found = self._arrays.evaluated(instance, {variable.get_id(): array for variable, array in common.parts})
        if found is None or not z3.is_true(found.value):
            return None
        return tuple(read == held for read, held in found.reads)


def _parted(array: z3.ExprRef, depth: int) -> tuple[list[z3.ExprRef], z3.ExprRef]:
    """The last `depth` stores of an array, the newest first, and what it was before them."""
    stores = []
    for _ in range(depth):
        stores.append(array)
        array = array.arg(0)
    return stores, array
