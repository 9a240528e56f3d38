"""The literals of invariants about linked data: which addresses are equal, null or allocated; few values of others.

No order of the blocks of a list is needed to follow it: each block to which one cell leads is led to by that one only.
Addresses are compared by order with the end of what is allocated, and a block with the cell that leads to it.
"""

from collections.abc import Iterator
from itertools import combinations, product

import z3

from chcverify.horn.roles import Role
from chcverify.horn.system import Predicate
from solvers.invariants.links.address_arguments import Addresses
from solvers.invariants.links.link_literals import Literal, difference_literals, threshold_literals


class ReferenceLiterals:
    """The literals of a predicate whose arguments say which blocks live."""

    def __init__(self, predicate: Predicate, addresses: Addresses) -> None:
        self.predicate, self.addresses = predicate, addresses
        self._kinds = addresses.kinds
        self.constants = [number for number in addresses.constants if number]  # no block begins at 0
        by_role = addresses.by_role(predicate)
        self.scalars, self.ends = by_role[Role.SCALAR], by_role[Role.END]
        self.indices, self.links = by_role[Role.INDEX], by_role[Role.CELL]
        self.in_use = [i for i in range(predicate.arity) if predicate.role(i) is Role.IN_USE]
        self.tracked = [i for i in self.scalars if (predicate, i) in addresses.fixed]
        self.others = [i for i in self.scalars if i not in self.tracked]

    def literals(self) -> list[Literal]:
        """The guards, then one address by itself, then two of them, then values of what is no address."""
        out = list(self._guards())
        out += self._single()
        for left, right in self._equal():
            out += self._equality(left, right, self._needs(left, right))
        for left, right in self._ordered():
            out += self._order(left, right, self._needs(left, right))
        out += self._ranks()
        out += self._values()
        out += threshold_literals(self.predicate, self.addresses, self._needs)
        out += difference_literals(self.predicate, self.addresses, self._needs)
        return out

    def _needs(self, *positions: int) -> int:
        """The guards, where a literal is about what lies at the index."""
        cells = [i for i in positions if self.predicate.role(i) in (Role.CELL, Role.RANK, Role.NEIGHBOUR)]
        if not cells and set(positions) & {*self.indices}:
            cells = self.links
        guards = {self._guard(i) for i in cells}
        return guards.pop() if len(guards) == 1 else 0

    def _guard(self, cell: int) -> int:
        """The guard of a cell, as a bit; 0 where it is open which of several it needs."""
        found = [1 << n for n, i in enumerate(self.in_use) if self._kinds.share_blocks(self._at(i), self._at(cell))]
        return found[0] if len(found) == 1 else 0

    def _at(self, position: int) -> tuple[Predicate, int]:
        return self.predicate, position

    def _is_pair(self, left: int, right: int) -> bool:
        """May two addresses be one? Of cells: where both lie in one block."""
        if left in self.indices or right in self.indices:
            link = right if left in self.indices else left
            return link not in self.links or self._kinds.may_be_in(self._at(link), self._at(link))
        both = left in self.links and right in self.links
        apart = both and not self._kinds.share_blocks(self._at(left), self._at(right))
        return not apart and self._kinds.may_be_equal(self._at(left), self._at(right))

    def _guards(self) -> Iterator[Literal]:
        """The block at the index does not live: null says so. With ranks: or its link has not been stored."""
        null = self.constants[0]
        for i in self.in_use:
            state = self.predicate.formals[i]
            if Role.RANK in self.predicate.roles:
                yield Literal(state <= 0, lambda v, i=i: v[i] <= 0, is_guard=True)  # type: ignore[misc]
            else:
                yield Literal(state == null, lambda v, i=i: v[i] == null, is_guard=True)  # type: ignore[misc]

    def _single(self) -> Iterator[Literal]:
        """Alignment, and comparisons with constants."""
        stride, constants = self.addresses.stride, self.constants
        for i in sorted(self.addresses.positions[self.predicate]):
            needs, formal = self._needs(i), self.predicate.formals[i]
            if stride > 1:
                alone = i in self.scalars or i in self.ends
                yield Literal(formal % stride == 0, lambda v, i=i: v[i] % stride == 0, needs, is_alone=alone)  # type: ignore[misc]
            for number in constants if i not in self.ends else constants[:1]:
                is_tracked = i in self.tracked
                yield Literal(formal == number, lambda v, i=i, n=number: v[i] == n, needs, covers=is_tracked)  # type: ignore[misc]
            for number in constants if i in self.indices or i in self.links or i in self.tracked else constants[:1]:
                is_variable = i in self.others
                yield Literal(formal != number, lambda v, i=i, n=number: v[i] != n, needs, covers=is_variable)  # type: ignore[misc]
            bounds = dict.fromkeys((*constants[1:], self.addresses.last)) if i in self.ends else constants[1:2]
            for number in bounds:
                yield Literal(formal >= number, lambda v, i=i, n=number: v[i] >= n, needs)  # type: ignore[misc]

    def _equal(self) -> Iterator[tuple[int, int]]:
        """The addresses that may be one."""
        pairs = [*combinations([*self.tracked, *self.others], 2)]
        pairs += product([*self.tracked, *self.others], [*self.indices, *self.links])
        pairs += product(self.indices, self.links)
        pairs += combinations(self.links, 2)
        yield from (pair for pair in pairs if self._is_pair(*pair))

    def _equality(self, left: int, right: int, needs: int) -> Iterator[Literal]:
        a, b = self.predicate.formals[left], self.predicate.formals[right]
        covers = left in self.tracked and right in self.others
        yield Literal(a == b, lambda v: v[left] == v[right], needs, covers=covers)
        yield Literal(a != b, lambda v: v[left] != v[right], needs)

    def _ordered(self) -> Iterator[tuple[int, int]]:
        """The addresses whose order matters: each with the end, and all scalars with the tracked ones."""
        pairs = [*product([*self.tracked, *self.others, *self.links, *self.indices], self.ends)]
        pairs += product(self.others, self.tracked)
        yield from (pair for pair in pairs if self._is_pair(*pair))

    def _order(self, left: int, right: int, needs: int) -> Iterator[Literal]:
        """The order of two addresses. Allocated or not is what clauses may say beyond their width."""
        a, b = self.predicate.formals[left], self.predicate.formals[right]
        free = right in self.ends and left in self.scalars
        yield Literal(a < b, lambda v: v[left] < v[right], needs)
        yield Literal(a >= b, lambda v: v[left] >= v[right], needs, is_free=free)
        if right not in self.ends:
            yield Literal(a > b, lambda v: v[left] > v[right], needs)
        elif left in self.others:  # it leads to the block that was allocated last
            stride = self.addresses.stride
            yield Literal(a + stride >= b, lambda v: v[left] + stride >= v[right], needs, is_alone=True)

    def _ranks(self) -> Iterator[Literal]:
        """The order of the tracked block's rank and that of the block at the index."""
        ranks = [i for i in range(self.predicate.arity) if self.predicate.role(i) is Role.RANK]
        for i, k in product(self.in_use, self.indices) if ranks else ():
            yield from self._with_links(i, k)
        own = ranks[: len(ranks) // 2]
        for left, right in zip(ranks[len(own) :], own, strict=True):
            a, b, needs = self.predicate.formals[left], self.predicate.formals[right], self._needs(left)
            yield Literal(a < b, lambda v, x=left, y=right: v[x] < v[y], needs)  # type: ignore[misc]
            yield Literal(a >= b, lambda v, x=left, y=right: v[x] >= v[y], needs)  # type: ignore[misc]

    def _with_links(self, i: int, k: int) -> Iterator[Literal]:
        """All living blocks have links, or all but one; a block has links, or it is none."""
        null, formals = self.constants[0], self.predicate.formals
        yield Literal(formals[i] != 0, lambda v: v[i] != 0, is_alone=True)
        for x in (x for x in self.others if self._kinds.may_be_in(self._at(x), self._at(i))):
            others = z3.Or(formals[i] != 0, formals[k] == formals[x])
            yield Literal(others, lambda v, x=x: v[i] != 0 or v[k] == v[x], is_alone=True)  # type: ignore[misc]
            own = z3.Or(formals[i] > 0, formals[k] != formals[x], formals[k] == null)
            yield Literal(own, lambda v, x=x: v[i] > 0 or v[k] != v[x] or v[k] == null, is_alone=True)  # type: ignore[misc]

    def _values(self) -> Iterator[Literal]:
        """Arguments that take few values."""
        for (predicate, i), numbers in self.addresses.values.items():
            if predicate != self.predicate or i in self.in_use:
                continue
            formal, needs = predicate.formals[i], self._needs(i)
            for n in numbers:
                covers = predicate.role(i) is Role.SCALAR
                yield Literal(formal == n, lambda v, i=i, n=n: v[i] == n, needs)  # type: ignore[misc]
                yield Literal(formal != n, lambda v, i=i, n=n: v[i] != n, needs, covers=covers)  # type: ignore[misc]
