"""Linear inequalities between arguments: those that comparisons in the clauses mention, carried from body to head.

`i < n` and `size - 4 * i >= 8` relate variables that no interval bounds. The inequalities of a state are those over the
forms that came to it, with the best known number for each; nothing is closed under all consequences, as in Cousot,
Halbwachs: Automatic discovery of linear restraints among variables of a program (POPL 1978), of whose polyhedra these
are a few sides.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import gcd

import z3

from chcverify.effort import MAX_ALTERNATIVES, MAX_CASES
from chcverify.quick_dataclass import dataclass
from solvers.value_analysis import value_sets
from solvers.value_analysis.clause_code import INTEGER, ClauseCode
from solvers.value_analysis.comparisons import BIT_ORDERS, ORDERS
from solvers.value_analysis.node_values import Empty, NodeValues, Value
from solvers.value_analysis.relations.linear_terms import LinearSum, LinearTerms
from solvers.value_analysis.value_sets import FAR, STRIDE

LEAST_NUMBER = -(1 << 16)
"""Below it a number says little of two variables of a program: `a - b` does not overflow. But of an index and a pointer
it is the distance between them that is near the address of an object. Chosen by hand."""

MAX_COPIES = 2
"""Further arguments that are the same node, for which inequalities are stated as well. Chosen by hand."""

Form = tuple[tuple[int, int], ...]
"""A sum of variables with coefficients without a common divisor, as pairs in the order of the variables."""

Inequalities = Mapping[Form, int]
"""The least values of forms over the arguments, by their positions: form >= number."""

Relation = tuple[Sequence[int], Inequalities]
"""Inequalities of an atom in the body, with the nodes of its arguments."""

_Position = tuple[int, int, int]
"""Where the head has a node: a position, a factor and a number such that node = factor * argument + number."""


@dataclass(frozen=True)
class Inequality:
    """form >= number, over the nodes of a clause; arguments of its head are below zero (`_of_head`)."""

    form: Form
    number: int


def inequality(terms: Mapping[int, int], number: int) -> Inequality:
    """sum of coefficient * variable >= number, over integers."""
    found = sorted((variable, factor) for variable, factor in terms.items() if factor)
    divisor = gcd(*(factor for _, factor in found))
    if divisor > 1:
        found = [(variable, factor // divisor) for variable, factor in found]
        number = -(-number // divisor)
    return Inequality(tuple(found), number)


def least(form: Form, values: Sequence[Value]) -> int:
    """The least value of a form; -FAR if there is none. values: of the variables."""
    total = 0
    for variable, factor in form:
        value = values[variable]
        if not isinstance(value, tuple) or not value:
            return -FAR
        end = value[0][0] if factor > 0 else value[-1][1]
        if abs(end) >= FAR:
            return -FAR
        total += factor * end
    return total


def joined(one: Inequalities, ones: Sequence[Value], other: Inequalities, others: Sequence[Value]) -> Inequalities:
    """The inequalities of both states. ones, others: the values of their arguments, which say some, too."""
    if one == other:
        return one
    found = {}
    for form in {**one, **other}:
        first = one[form] if form in one else least(form, ones)
        second = other[form] if form in other else least(form, others)
        if min(first, second) > -FAR:
            found[form] = min(first, second)
    return fewest(found)


def common(one: Inequalities, other: Inequalities) -> Inequalities:
    """The inequalities of both states over forms that both have."""
    return one if one == other else {form: min(number, other[form]) for form, number in one.items() if form in other}


def widened(old: Inequalities, new: Inequalities, are_more_allowed: bool) -> Inequalities:
    """Those of the new ones that are not weaker than the old ones were. are_more_allowed: over other forms, too."""
    return {form: number for form, number in new.items() if (number >= old[form] if form in old else are_more_allowed)}


def fewest(found: dict[Form, int]) -> Inequalities:
    """The shortest ones, if they are too many."""
    if len(found) <= MAX_CASES:
        return found
    return {form: found[form] for form in sorted(found, key=lambda form: (len(form), form))[:MAX_CASES]}


@dataclass(frozen=True)
class _Comparison:
    """A node that is true if and only if sum of terms >= number."""

    node: int
    terms: Mapping[int, int]
    number: int
    is_equation: bool
    """Then it is true if and only if sum of terms = number."""
    signed: int
    """The width of bit-vectors that are compared as signed numbers; 0 for others."""
    parts: frozenset[int]
    """The nodes that its terms may be sums of."""
    may_cancel: bool
    """Do both sides have a part in common, so that intervals say less of their difference than the terms?"""


class ClauseInequalities:
    """Inequalities from the body of a clause to its head.

    reserved: the nodes that are addresses, sizes and states of tracked objects; head_reserved: the positions of such
    arguments in the head. What holds of these depends on where the object begins, so that an inequality is about the
    size of one object at most: that of the phase (`states.Life`) to which it belongs.
    """

    def __init__(self, code: ClauseCode, reserved: frozenset[int], head_reserved: frozenset[int]) -> None:
        self.code = code
        self._linear = LinearTerms(code)
        self._reserved = reserved
        self._comparisons = [found for node in code.operations if (found := self._comparison(node)) is not None]
        self._quotients = [node for node in code.operations if self._is_quotient(node)]
        self._numbers = [
            position
            for position, node in enumerate(code.head)
            if code.widths[node] >= INTEGER and node not in code.constants and position not in head_reserved
        ]
        self._computed = [position for position in self._numbers if not code.is_variable(code.head[position])]

    @property
    def is_trivial(self) -> bool:
        """True if the clause itself relates no variables."""
        return not self._comparisons and not self._computed

    def divisor(self, node: int, run: NodeValues, divisors: Mapping[int, int]) -> int:
        """A number that divides an integer node; 0 if the node is 0. divisors: of other nodes."""
        if self.code.widths[node] != INTEGER:
            return 1
        linear = self._linear.resolved({node: 1}, run)
        return gcd(linear.number, *(factor * divisors.get(part, 1) for part, factor in linear.terms.items()))

    def known(self, run: NodeValues, relations: Iterable[Relation]) -> list[Inequality]:
        """The inequalities of the body over its nodes, but for those that the values of single nodes say."""
        found = (
            self._with_values({nodes[position]: factor for position, factor in form}, number, run)
            for nodes, inequalities in relations
            for form, number in inequalities.items()
        )
        return [item for item in found if item.form or item.number > 0]

    def compared(self, run: NodeValues, size: int | None) -> list[Inequality]:
        """The inequalities that the clause says by its comparisons, and those of quotients that follow. size: of the
        object in whose life it is."""
        found: list[Inequality] = []
        for comparison in self._comparisons:
            truth = run.values[comparison.node]
            if truth == value_sets.TRUE:
                said = self._said(comparison, run)
            elif truth == value_sets.FALSE:
                said = self._denied(comparison, run)
            else:
                continue
            found += [item for item in said if len(item.form) > 1 and self._is_allowed(item.form, size)]
        return [*found, *self._of_quotients(run, found)]

    def _is_quotient(self, node: int) -> bool:
        """True for an integer that is divided by a constant from 2."""
        if self.code.kinds[node] != z3.Z3_OP_IDIV or node in self.code.constants:
            return False
        by = self.code.constants.get(self.code.arguments[node][1])
        return by is not None and by[0][0] > 1

    def _of_quotients(self, run: NodeValues, known: Sequence[Inequality]) -> Iterator[Inequality]:
        """x div k >= 0 and x - x div k >= 0 where x is at least 0: of two indices, what is in the middle is between."""
        for node in self._quotients:
            divided = self._linear.resolved({self.code.arguments[node][0]: 1}, run)
            if _follows(inequality(divided.terms, -divided.number), known, run):
                linear = self._linear.resolved({self.code.arguments[node][0]: 1, node: -1}, run)
                item = inequality(linear.terms, -linear.number)
                if len(item.form) > 1 and not self._reserved.intersection(linear.terms):
                    yield from (inequality({node: 1}, 0), item)

    def _said(self, comparison: _Comparison, run: NodeValues) -> list[Inequality]:
        """What holds where it is true."""
        linear = self._over_integers(comparison, run)
        if linear is None:
            return []
        number, reverse = comparison.number - linear.number, _negated(linear.terms)
        found = [inequality(linear.terms, number)]
        return [*found, inequality(reverse, -number)] if comparison.is_equation else found

    def _denied(self, comparison: _Comparison, run: NodeValues) -> list[Inequality]:
        """What holds where it is false: nothing of an equation."""
        linear = None if comparison.is_equation else self._over_integers(comparison, run)
        if linear is None:
            return []
        return [inequality(_negated(linear.terms), 1 - comparison.number + linear.number)]

    def _over_integers(self, comparison: _Comparison, run: NodeValues) -> LinearSum | None:
        """The form that is compared; None where that depends on the signs of bit-vectors."""
        shift = 0
        if comparison.signed:
            for node, factor in comparison.terms.items():
                values, half = run.pieces(node), 1 << (comparison.signed - 1)
                if values[0][0] < half <= values[-1][1]:
                    return None
                if values[0][0] >= half:
                    shift -= factor << comparison.signed
        linear = self._linear.resolved(comparison.terms, run)
        return LinearSum(linear.terms, linear.number + shift)

    def _is_allowed(self, form: Form, size: int | None) -> bool:
        return all(node == size or node not in self._reserved for node, _ in form)

    def narrowed(self, run: NodeValues, known: Sequence[Inequality]) -> bool:
        """Narrows comparisons and nodes by what is known of the body; True if one changes. Raises Empty."""
        if not known:
            return False
        if not all(item.form for item in known):
            raise Empty  # nodes have values that an inequality excludes
        changed = False
        nodes = {node for item in known for node, _ in item.form}
        for comparison in self._comparisons:
            if comparison.may_cancel or not comparison.parts.isdisjoint(nodes):  # of others intervals say all
                changed |= self._decided(run, comparison, known)
        for item in known:
            for node, factor in item.form:
                rest = least(tuple((other, -its) for other, its in item.form if other != node), run.values)
                if rest <= -FAR:
                    continue
                end = item.number + rest  # factor * node >= number - (largest value of the others)
                bounds = (-(-end // factor), FAR) if factor > 0 else (-FAR, end // factor)
                changed |= run.narrow(node, (bounds,))
        return changed

    def _decided(self, run: NodeValues, comparison: _Comparison, known: Sequence[Inequality]) -> bool:
        """Narrows one comparison by what is known of the body."""
        truth, changed = run.values[comparison.node], False
        said = [item for item in self._said(comparison, run) if item.form]
        if truth != value_sets.TRUE and not comparison.is_equation:
            follows = any(_follows(item, known, run) for item in said)
            changed = follows and run.narrow(comparison.node, value_sets.TRUE)
        if truth != value_sets.FALSE:
            is_excluded = any(_follows(_opposite(item), known, run) for item in said)
            changed |= is_excluded and run.narrow(comparison.node, value_sets.FALSE)
        return changed

    def of_head(self, run: NodeValues, known: Sequence[Inequality], size: int | None = None) -> dict[Form, int]:
        """The inequalities over the arguments of the head that follow from others. size: the position of the object in
        whose life these hold; then the forms are those with it, of which those with nothing else bound the size."""
        is_kept = size is None or self.code.is_variable(self.code.head[size])
        if not known and is_kept and (size is not None or not self._computed):
            return {}
        positions, copies = self._positions(run, size), self._copies(run)
        items = [*known, *self._defined(run, size, positions)]
        values = [run.values[node] for node in self.code.head]
        found: dict[Form, int] = {}
        for item in self._without_hidden(items, positions, run):
            for at_head in self._at_head(item, positions, copies):
                form, number = at_head.form, at_head.number
                if self._is_of_use(form, number, size) and number > max(found.get(form, -FAR), least(form, values)):
                    found[form] = number
        return dict(fewest(found))

    @staticmethod
    def _is_of_use(form: Form, number: int, size: int | None) -> bool:
        """True for inequalities that the head keeps. size: as of `of_head`."""
        if size is not None:
            return any(position == size for position, _ in form)
        are_compared = len(form) > 1 and len({factor > 0 for _, factor in form}) == 2
        return are_compared and (number >= LEAST_NUMBER or (number - LEAST_NUMBER) % STRIDE <= -2 * LEAST_NUMBER)

    def _defined(self, run: NodeValues, size: int | None, positions: Mapping[int, _Position]) -> Iterator[Inequality]:
        """argument = what the head has there, where that is a sum, or the size."""
        for position in (*self._computed, *(() if size is None else (size,))):
            linear = self._linear.resolved({self.code.head[position]: 1}, run)
            if any(positions.get(node, (None,))[0] == position for node in linear.terms):
                continue
            for sign in (1, -1):
                terms = {node: -sign * factor for node, factor in linear.terms.items()}
                terms[_of_head(position)] = sign
                yield inequality(terms, sign * linear.number)

    def _positions(self, run: NodeValues, size: int | None) -> dict[int, _Position]:
        """The positions in the head of nodes that are there, up to their signs and numbers. size: as of `of_head`."""
        found = dict(self._fixed_positions)
        for position in (*self._computed, *(() if size is None else (size,))):
            self._put(found, position, self._linear.resolved({self.code.head[position]: 1}, run))
        return found

    @cached_property
    def _fixed_positions(self) -> dict[int, _Position]:
        """The positions of nodes that are arguments of the head themselves."""
        found: dict[int, _Position] = {}
        for position in self._numbers:
            node = self.code.head[position]
            if self.code.is_variable(node):
                self._put(found, position, LinearSum({node: 1}, 0))
        return found

    @cached_property
    def _further_positions(self) -> list[int]:
        """The positions of the head but for those where a variable is first."""
        first = {position for position, _, _ in self._fixed_positions.values()}
        return [position for position in self._numbers if position not in first]

    @staticmethod
    def _put(found: dict[int, _Position], position: int, linear: LinearSum) -> None:
        """Adds the position of an argument that is a node, up to its sign and a number."""
        if len(linear.terms) == 1:
            ((inner, factor),) = linear.terms.items()
            if abs(factor) == 1:
                found.setdefault(inner, (position, factor, -factor * linear.number))

    def _without_hidden(
        self, items: Sequence[Inequality], positions: Mapping[int, _Position], run: NodeValues
    ) -> list[Inequality]:
        """What follows of them over the arguments of the head alone: Fourier and Motzkin, one variable at a time."""
        items = list(items)
        hidden = {node for item in items for node, _ in item.form if node >= 0 and node not in positions}
        for node in sorted(hidden):
            above = [item for item in items if _factor(item, node) > 0]
            below = [item for item in items if _factor(item, node) < 0]
            pairs = [(one, other) for one in above for other in below][:MAX_ALTERNATIVES]
            without = [_sum_without(one, other, node) for one, other in pairs]
            without += [_without_by_value(one, node, run) for one in (*above, *below)]
            items = [item for item in items if not _factor(item, node)]
            items += [item for item in without if item is not None and item.form]
        return items

    def _copies(self, run: NodeValues) -> dict[int, list[_Position]]:
        """The further positions in the head of nodes that are at several: `j = i` in front of a loop that moves j."""
        first, more = self._fixed_positions, dict[int, list[_Position]]()
        for position in self._further_positions:
            linear = self._linear.resolved({self.code.head[position]: 1}, run)
            found: dict[int, _Position] = {}
            self._put(found, position, linear)
            for node, place in found.items():
                if node in first and first[node][0] != position:
                    more.setdefault(node, []).append(place)
        return more

    @staticmethod
    def _at_head(
        item: Inequality, positions: Mapping[int, _Position], copies: Mapping[int, Sequence[_Position]]
    ) -> Iterator[Inequality]:
        """The inequality over the arguments of the head, then with a copy in the place of one of its nodes each."""
        yield _placed(item, positions)
        for node, _ in item.form:
            for copy in copies.get(node, ())[:MAX_COPIES]:
                yield _placed(item, {**positions, node: copy})

    def _with_values(self, terms: Mapping[int, int], number: int, run: NodeValues) -> Inequality:
        """terms >= number without nodes that have one value."""
        linear = self._linear.resolved(terms, run)
        return inequality(linear.terms, number - linear.number)

    def _comparison(self, node: int) -> _Comparison | None:
        """A comparison of numbers, if it may relate two variables."""
        kind, arguments = self.code.kinds[node], self.code.arguments[node]
        if len(arguments) != 2 or self.code.widths[arguments[0]] < INTEGER:
            return None
        kind, is_signed = BIT_ORDERS.get(kind, (kind, False))
        if kind not in (*ORDERS, z3.Z3_OP_EQ):
            return None
        left, right = arguments
        if len(self._linear.leaves(left) | self._linear.leaves(right)) < 2:
            return None
        of_left, of_right = self._linear.parts(left), self._linear.parts(right)
        width, number = self.code.widths[left], 0
        terms, number = ({left: 1, right: -1}, 0) if width else self._difference(left, right)
        sign = -1 if kind in (z3.Z3_OP_LE, z3.Z3_OP_LT) else 1
        strict = kind in (z3.Z3_OP_LT, z3.Z3_OP_GT)
        terms = {part: sign * factor for part, factor in terms.items()}
        signed = width if is_signed else 0
        parts, may_cancel = frozenset(of_left | of_right), not of_left.isdisjoint(of_right)
        return _Comparison(node, terms, sign * number + strict, kind == z3.Z3_OP_EQ, signed, parts, may_cancel)

    def _difference(self, left: int, right: int) -> tuple[dict[int, int], int]:
        """left - right = terms - number, of integers."""
        one, other = self._linear.of(left), self._linear.of(right)
        terms = dict(one.terms)
        for part, factor in other.terms.items():
            terms[part] = terms.get(part, 0) - factor
        return {part: factor for part, factor in terms.items() if factor}, other.number - one.number


def _placed(item: Inequality, positions: Mapping[int, _Position]) -> Inequality:
    """The inequality over the arguments of the head. positions: of its nodes."""
    terms: dict[int, int] = {}
    number = item.number
    for node, factor in item.form:
        if node < 0:
            position, sign, added = _of_head(node), 1, 0
        else:
            position, sign, added = positions[node]
        terms[position] = terms.get(position, 0) + factor * sign
        number -= factor * added
    return inequality(terms, number)


def _negated(terms: Mapping[int, int]) -> dict[int, int]:
    return {node: -factor for node, factor in terms.items()}


def _opposite(item: Inequality) -> Inequality:
    """What holds where an inequality does not."""
    return inequality(_negated(dict(item.form)), 1 - item.number)


def _of_head(position: int) -> int:
    """The argument of the head in an inequality over nodes, and back."""
    return -1 - position


def _factor(item: Inequality, node: int) -> int:
    return dict(item.form).get(node, 0)


def _sum_without(one: Inequality, other: Inequality, node: int) -> Inequality | None:
    """The sum of two inequalities, such that a node that they have with different signs is gone."""
    return _combined(one, abs(_factor(other, node)), other, abs(_factor(one, node)))


def _combined(one: Inequality, times: int, other: Inequality, others: int) -> Inequality:
    """times * one + others * other"""
    terms = {node: times * factor for node, factor in one.form}
    for node, factor in other.form:
        terms[node] = terms.get(node, 0) + others * factor
    return inequality(terms, times * one.number + others * other.number)


def _without_by_value(item: Inequality, node: int, run: NodeValues) -> Inequality | None:
    """The inequality with the largest value of factor * node in its place; None if there is none."""
    terms = dict(item.form)
    factor = terms.pop(node)
    largest = -least(((node, -factor),), run.values)
    return None if largest >= FAR else inequality(terms, item.number - largest)


def _follows(wanted: Inequality, known: Sequence[Inequality], run: NodeValues, depth: int = 3) -> bool:
    """True if up to `depth` known inequalities and the values of the nodes show the wanted one."""
    if least(wanted.form, run.values) >= wanted.number:
        return True
    if depth == 0:
        return False
    factors = dict(wanted.form)
    for item in known:
        for node, factor in item.form:
            if factors.get(node, 0) * factor > 0:
                rest = _combined(wanted, abs(factor), item, -abs(factors[node]))
                if _follows(rest, known, run, depth - 1):
                    return True
                break
    return False
