"""Values of terms about arrays that a long run has filled, in a time that does not depend on their length."""

from collections.abc import Sequence

import z3

from chcverify.terms.evaluation.ground_arrays import GroundArrays


class LongArrays:
    """The long arrays of one run; while a term is evaluated, a variable stands for each of them."""

    def __init__(self) -> None:
        self._cells = GroundArrays()
        self._variables: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}
        """With the arrays, by the ids of these, which it keeps alive."""

    def value(self, term: z3.ExprRef, pairs: Sequence[tuple[z3.ExprRef, z3.ExprRef]]) -> z3.ExprRef:
        """The term with values for variables, simplified."""
        used = [self._variable(value) for _, value in pairs if self._is_long(value)]
        if used:
            short = [(v, self._variable(value)[0] if self._is_long(value) else value) for v, value in pairs]
            arrays = {variable.get_id(): array for variable, array in used}
            found = self._cells.evaluated(z3.substitute(term, *short), arrays)
            if found is not None:
                return _overwritten(z3.substitute(found.value, *used))
        return z3.simplify(z3.substitute(term, *pairs) if pairs else term)

    def _is_long(self, value: z3.ExprRef) -> bool:
        return z3.is_array(value) and self._cells.newest_stores(value) is not None

    def _variable(self, array: z3.ExprRef) -> tuple[z3.ExprRef, z3.ExprRef]:
        """The variable that stands for an array, with it."""
        key = array.get_id()
        if key not in self._variables:
            self._variables[key] = z3.FreshConst(array.sort(), "long"), array
        return self._variables[key]


def _overwritten(array: z3.ExprRef) -> z3.ExprRef:
    """An array without a store that the next one replaces: where the same cell is written again and again, it does not
    get longer."""
    if z3.is_store(array) and z3.is_store(array.arg(0)) and array.num_args() == array.arg(0).num_args() == 3:
        before = array.arg(0)
        if array.arg(1).eq(before.arg(1)):
            shorter: z3.ExprRef = z3.Store(before.arg(0), array.arg(1), array.arg(2))
            return shorter
    return array
