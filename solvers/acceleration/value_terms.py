"""Translation between values (constant, or dependent on the iteration of a cycle) and z3 terms."""

from fractions import Fraction

import z3

from solvers.acceleration.compiled_rules import UnsupportedClause, numeral
from solvers.acceleration.run_values import Affine, Array, ConstantArray, Filled, Stored, Value


class ValueTerms:
    """Terms of values. Arrays are shared, and so are their terms: the term of each array node is cached."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], tuple[Array, z3.ExprRef]] = {}

    def remember(self, value: Value, term: z3.ExprRef) -> None:
        """Uses the (equal) term for the array in later translations."""
        if isinstance(value, ConstantArray | Stored | Filled):
            self._known[id(value), term.sort().get_id()] = (value, term)

    def of(self, value: Value, sort: z3.SortRef, n: z3.ArithRef | None = None) -> z3.ExprRef:
        """The term; n is the iteration on which values may depend."""
        if not isinstance(sort, z3.ArraySortRef):
            return self._scalar(value, sort, n)
        above: list[Array] = []
        node = value
        while not isinstance(node, ConstantArray) and (id(node), sort.get_id()) not in self._known:
            assert isinstance(node, Stored | Filled)
            above.append(node)
            node = node.below
        assert isinstance(node, ConstantArray | Stored | Filled)
        term = self._base(node, sort)
        for part in reversed(above):
            term = self._above(part, term, sort, n)
            if n is None:
                self.remember(part, term)
        return term

    def _base(self, node: Array, sort: z3.ArraySortRef) -> z3.ExprRef:
        found = self._known.get((id(node), sort.get_id()))
        if found is not None:
            return found[1]
        assert isinstance(node, ConstantArray)
        term = z3.K(sort.domain(), self.of(node.value, sort.range()))
        self.remember(node, term)
        return term

    def _above(self, node: Array, below: z3.ExprRef, sort: z3.ArraySortRef, n: z3.ArithRef | None) -> z3.ExprRef:
        """The term of the node `node` over the term of the array below it."""
        if isinstance(node, Stored):
            return z3.Store(below, self.of(node.index, sort.domain(), n), self.of(node.value, sort.range(), n))
        assert isinstance(node, Filled)
        cell = z3.Const("cell", sort.domain())
        step = abs(node.step)
        distance = cell - node.start if node.step > 0 else node.start - cell
        count = self.of(node.count, sort.domain(), n)
        filled = [distance >= 0, distance < step * count]
        if step > 1:
            filled.append(distance % step == 0)
        value = self.of(node.value, sort.range(), n)
        if node.slope and not node.slope % step:
            value = value + (node.slope // step) * distance
        elif node.slope:
            value = value + node.slope * (distance / step)
        return z3.simplify(z3.Lambda([cell], z3.If(z3.And(filled), value, z3.Select(below, cell))))

    @staticmethod
    def _scalar(value: Value, sort: z3.SortRef, n: z3.ArithRef | None) -> z3.ExprRef:
        if isinstance(value, bool):
            return z3.BoolVal(value)
        make = z3.RealVal if sort == z3.RealSort() else z3.IntVal
        if isinstance(value, int | Fraction):
            return make(value)
        assert isinstance(value, Affine) and n is not None
        number = z3.ToReal(n) if sort == z3.RealSort() else n
        return z3.simplify(make(value.start) + make(value.slope) * number)


def value_of(term: z3.ExprRef) -> Value:
    """The value of a solver's value; UnsupportedClause for values that runs do not have."""
    above: list[tuple[z3.ExprRef, z3.ExprRef]] = []
    while z3.is_store(term):
        above.append((term.arg(1), term.arg(2)))
        term = term.arg(0)
    if z3.is_K(term):
        value: Value = ConstantArray(value_of(term.arg(0)))
        for index, element in reversed(above):
            assert isinstance(value, ConstantArray | Stored | Filled)
            value = Stored(value, value_of(index), value_of(element))
        return value
    if above:
        raise UnsupportedClause(str(term.decl()) if z3.is_app(term) else "lambda")
    return numeral(z3.simplify(term))
