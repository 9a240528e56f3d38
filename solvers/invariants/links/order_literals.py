"""The literals of invariants about linked data by the order of addresses alone, and few values of other arguments."""

from collections.abc import Iterator
from itertools import combinations, product

import z3

from chcverify.horn.roles import Role
from chcverify.horn.system import Predicate
from solvers.invariants.links.address_arguments import Addresses
from solvers.invariants.links.link_literals import Literal, Values, difference_literals, threshold_literals


class OrderLiterals:
    """The literals of a predicate whose arguments do not say which blocks live."""

    def __init__(self, predicate: Predicate, addresses: Addresses) -> None:
        self.predicate, self.addresses = predicate, addresses
        by_role = addresses.by_role(predicate)
        self.scalars, self.ends = by_role[Role.SCALAR], by_role[Role.END]
        self.indices, self.links = by_role[Role.INDEX], by_role[Role.CELL]

    def literals(self) -> list[Literal]:
        """The guards, then the order of addresses, then values."""
        out = list(self._guards())
        guard = 1 if out else 0
        out += self._single(guard)
        for left, right in self._pairs():
            out += self._pair(left, right, guard if {left, right} & {*self.indices, *self.links} else 0)
        out += self._steps(guard)
        out += self._led_to(guard)
        out += self._values(guard)
        out += threshold_literals(self.predicate, self.addresses, lambda i: guard if self._is_cell(i) else 0)
        out += difference_literals(self.predicate, self.addresses, lambda i: guard if self._is_cell(i) else 0)
        return out

    def _is_cell(self, position: int) -> bool:
        return self.predicate.role(position) in (Role.CELL, Role.NEIGHBOUR)

    def _pairs(self) -> Iterator[tuple[int, int]]:
        """The addresses whose order matters: each with fixed ones and with the ends, the index with all."""
        fixed = [i for i in self.scalars if (self.predicate, i) in self.addresses.fixed]
        others = [i for i in self.scalars if i not in fixed]
        known = [*fixed, *self.ends]
        yield from combinations(fixed, 2)
        yield from product(fixed, self.ends)
        yield from product(others, known)
        if self.links:
            yield from product([*fixed, *others, *self.ends], self.indices)
            yield from product([*known, *self.indices], self.links)

    def _lowest(self) -> tuple[int, ...]:
        """The addresses that may be the lowest of an object: no block begins at 0, but a variable may."""
        constants = self.addresses.constants
        return constants[1:3] if constants[1:2] == (0,) else constants[1:2]

    def _guards(self) -> Iterator[Literal]:
        """The index is none of an allocated block's."""
        if not (self.ends and self.indices and self.links):
            return
        stride, k, end = self.addresses.stride, self.indices[0], self.ends[0]
        index, bound = self.predicate.formals[k], self.predicate.formals[end]
        for low in self._lowest() or self.addresses.constants[:1]:
            outside = z3.Or(index < low, index >= bound, index % stride != 0)

            def holds(values: Values, low: int = low) -> bool:
                return not (low <= values[k] < values[end] and values[k] % stride == 0)

            yield Literal(outside, holds, is_guard=True)

    def _single(self, guard: int) -> Iterator[Literal]:
        """Alignment, and comparisons with constants."""
        stride, constants = self.addresses.stride, self.addresses.constants
        for i in sorted(self.addresses.positions[self.predicate]):
            needs = guard if i in self.indices or i in self.links else 0
            formal = self.predicate.formals[i]
            if i not in self.indices and stride > 1:
                yield Literal(formal % stride == 0, lambda v, i=i: v[i] % stride == 0, needs, is_alone=True)  # type: ignore[misc]
            for number in constants:
                yield Literal(formal == number, lambda v, i=i, n=number: v[i] == n, needs)  # type: ignore[misc]
                if number == constants[0] or i in self.indices:
                    yield Literal(formal != number, lambda v, i=i, n=number: v[i] != n, needs)  # type: ignore[misc]
            for number in constants[1:] if i in self.ends else self._lowest():
                yield Literal(formal >= number, lambda v, i=i, n=number: v[i] >= n, needs)  # type: ignore[misc]

    def _pair(self, left: int, right: int, needs: int) -> Iterator[Literal]:
        """The order of two addresses. Allocated or not is what clauses may say beyond their width."""
        a, b = self.predicate.formals[left], self.predicate.formals[right]
        free = right in self.ends and left in self.scalars
        yield Literal(a < b, lambda v: v[left] < v[right], needs)
        yield Literal(a > b, lambda v: v[left] > v[right], needs)
        yield Literal(a >= b, lambda v: v[left] >= v[right], needs, is_free=free)
        yield Literal(a <= b, lambda v: v[left] <= v[right], needs)

    def _steps(self, guard: int) -> Iterator[Literal]:
        """Neighbours: a link and its index, an address and the end."""
        pairs = [(link, k, guard) for link in self.links for k in self.indices]
        pairs += [(i, end, 0) for i in self.scalars for end in self.ends]
        for left, right, needs in pairs:
            for step in (self.addresses.stride, -self.addresses.stride):
                a, b = self.predicate.formals[left], self.predicate.formals[right]
                yield Literal(a == b + step, lambda v, x=left, y=right, s=step: v[x] == v[y] + s, needs)  # type: ignore[misc]

    def _led_to(self, guard: int) -> Iterator[Literal]:
        """The block behind the link is that of a variable, where data of that block is an argument as well."""
        for link, i in product(self.links, self.scalars) if Role.NEIGHBOUR in self.predicate.roles else ():
            if (self.predicate, i) in self.addresses.fixed:
                continue
            a, b = self.predicate.formals[link], self.predicate.formals[i]
            yield Literal(a == b, lambda v, x=link, y=i: v[x] == v[y], guard)  # type: ignore[misc]
            yield Literal(a != b, lambda v, x=link, y=i: v[x] != v[y], guard)  # type: ignore[misc]

    def _values(self, guard: int) -> Iterator[Literal]:
        """Arguments that take few values."""
        for (predicate, i), numbers in self.addresses.values.items():
            if predicate == self.predicate:
                formal, needs = predicate.formals[i], guard if self._is_cell(i) else 0
                for n in numbers:
                    yield Literal(formal == n, lambda v, i=i, n=n: v[i] == n, needs)  # type: ignore[misc]
                    yield Literal(formal != n, lambda v, i=i, n=n: v[i] != n, needs)  # type: ignore[misc]
