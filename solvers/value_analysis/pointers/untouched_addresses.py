"""At which addresses a clause leaves a tracked object as it is, so that it needs no case of its own there.

An access reads the object that its pointer leads to. Of the twenty others that may be the tracked one, its comparisons
of addresses say nothing: they are decided for all of them together.
"""

from collections.abc import Collection, Iterator, Sequence

import z3

from chcverify.quick_dataclass import dataclass
from solvers.value_analysis import value_sets
from solvers.value_analysis.clause_code import INTEGER, ClauseCode
from solvers.value_analysis.node_values import NodeValues
from solvers.value_analysis.pointers.pointing_arguments import is_around
from solvers.value_analysis.upward import UP
from solvers.value_analysis.value_sets import Pieces

_Nodes = Sequence[int | None]
"""Of the size and the state of a tracked object, and of the next fresh address."""


@dataclass(frozen=True, eq=False)
class UntouchedRange:
    """Addresses at which a clause leaves the object as it is, or derives nothing."""

    keys: Sequence[int]
    values: NodeValues | None
    """Those of the nodes there; None if the constraint excludes these addresses."""


class UntouchedAddresses:
    """A tracked object of a clause, which one atom of the body has. point: the node of its address. body, heads: the
    other nodes of the object, in the body and wherever the head has it."""

    def __init__(self, code: ClauseCode, point: int, stride: int, body: _Nodes, heads: Sequence[_Nodes]) -> None:
        self.code, self._point, self._stride, self._body, self._heads = code, point, stride, body, heads
        depend = {point, *(node for node in body if node is not None)}
        read = code.below([code.constraint, *(node for nodes in heads for node in nodes if node is not None)])
        self._above: list[int] = []  # nodes that are computed from those of the object, arguments first
        for node in code.operations:
            if not depend.isdisjoint(code.arguments[node]):
                depend.add(node)
                if node in read:
                    self._above.append(node)
        self._said = {node: self._beside(node, depend) for node in self._conjuncts() if node in depend}

    def _conjuncts(self) -> list[int]:
        """The nodes whose conjunction the constraint is."""
        found, work = [], [self.code.constraint]
        while work:
            node = work.pop()
            if self.code.kinds[node] == z3.Z3_OP_AND:
                work += self.code.arguments[node]
            else:
                found.append(node)
        return found

    def _beside(self, root: int, depend: Collection[int]) -> list[int]:
        """The numbers that are no constants from which nodes below the root are computed together with the object's.
        depend: the nodes that are computed from these."""
        parts = {part for node in self.code.below([root]) if node in depend for part in self.code.arguments[node]}
        return [
            part
            for part in parts
            if part not in depend and self.code.widths[part] >= INTEGER and part not in self.code.constants
        ]

    def of(self, run: NodeValues, keys: Sequence[int], body: Sequence[Pieces | None]) -> Iterator[UntouchedRange]:
        """The addresses among the keys, in increasing order, that are untouched.

        run: the values of the nodes for any address. body: those of the object's nodes before the constraint is used,
        which else would say nothing more of them.
        """
        if not keys:
            return
        case = run.copy()
        for node, value in zip(self._body, body, strict=True):
            if node is not None and value is not None:
                case.values[node] = value
        work = [keys]
        while work:
            part = work.pop()
            found = self._among(case, ((part[0], part[-1]),), part)
            if found is not None:
                yield found
            elif len(part) > 1:
                work += [part[: len(part) // 2], part[len(part) // 2 :]]

    def _among(self, run: NodeValues, addresses: Pieces, keys: Sequence[int]) -> UntouchedRange | None:
        """The addresses together; None if some may be touched."""
        case = self._with(run, self._point, addresses)
        if case.pieces(self.code.constraint) == value_sets.FALSE:
            return UntouchedRange(keys, None)
        window = addresses[0][0] - self._stride // 2 + 1, addresses[-1][1] + self._stride // 2 - 1
        says_nothing = all(
            case.pieces(node) == value_sets.TRUE or self._is_any(beside, window, case)
            for node, beside in self._said.items()
        )
        if not says_nothing or not all(self._are_handed_on(nodes, case) for nodes in self._heads):
            return None
        return UntouchedRange(keys, case)

    @staticmethod
    def _is_any(beside: Sequence[int], window: tuple[int, int], case: NodeValues) -> bool:
        """True if a number that is compared with addresses may be any around the window, and the others are none in it.

        A number that goes beyond the object on both sides is no pointer whose targets are known: in no phase of the
        object would it be found to lead elsewhere.
        """
        near = [values for node in beside if value_sets.touches(values := case.pieces(node), *window)]
        return bool(near) and all(is_around(values, *window) for values in near)

    def _are_handed_on(self, head: _Nodes, case: NodeValues) -> bool:
        """True if size and state are those of the body."""
        return all(
            node is None or (of_body is not None and self._chosen(node, case) == of_body)
            for node, of_body in zip(head[:2], self._body[:2], strict=True)
        )

    def _chosen(self, node: int, case: NodeValues) -> int:
        """The node that a node is equal to, through choices that are decided."""
        while self.code.kinds[node] == z3.Z3_OP_ITE:
            condition, then, otherwise = self.code.arguments[node]
            decided = case.pieces(condition)
            if decided == value_sets.TRUE:
                node = then
            elif decided == value_sets.FALSE:
                node = otherwise
            else:
                break
        return node

    def fresh(self, head: _Nodes, case: NodeValues, before: Pieces) -> Pieces:
        """The next fresh addresses in the head, where they are `before` in the body."""
        node, of_body = head[2], self._body[2]
        if node is None:
            return value_sets.ANY
        if node == of_body:
            return before
        if of_body is None:
            return case.pieces(node)
        return self._with(case, of_body, before).pieces(node)

    def _with(self, run: NodeValues, changed: int, value: Pieces) -> NodeValues:
        """The values of the nodes where one of the object's has another value, whatever the constraint says."""
        case = run.copy()
        case.values[changed] = value
        for node in self._above:
            operation = UP.get(self.code.kinds[node])
            found = None if operation is None else operation(case, node)
            case.values[node] = self.code.initial[node] if found is None else found
        return case
