"""Abstract states as formulas over the formals of a predicate: intervals and implications, no products of cases."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial

import z3

from chcverify.horn.system import Predicate
from chcverify.terms.core.sums import sum_of
from solvers.value_analysis import value_sets
from solvers.value_analysis.cell_values import CellValues
from solvers.value_analysis.clause_code import anything, width_of
from solvers.value_analysis.pointers.pointing_arguments import Place
from solvers.value_analysis.relations.linear_inequalities import Form
from solvers.value_analysis.states import AbstractState, Lives, Objects, Phase, TrackedArguments
from solvers.value_analysis.value_sets import FAR, Pieces


class FactFormulas:
    """The facts of states as formulas. Many predicates share formals and values, and so formulas: each is made once."""

    def __init__(self) -> None:
        self._made: dict[Hashable, list[z3.BoolRef]] = {}
        self._numbers: dict[TrackedArguments, int] = {}  # in keys: comparing them takes less time
        self._of_known: dict[tuple[int, int], tuple[Mapping[int, Lives], list[z3.BoolRef]]] = {}

    def of(self, predicate: Predicate, state: AbstractState, tracked: Sequence[TrackedArguments]) -> list[z3.BoolRef]:
        """The conjuncts, weaker than true each."""
        found: list[z3.BoolRef] = []
        sorts = [sort.ast.value for sort in predicate.sorts]
        special = {position for item in tracked for position in (item.point, item.size, item.state)}
        for position, value in enumerate(state.values):
            if position in special or value is None:
                continue
            formal, sort = predicate.formals[position], sorts[position]
            if isinstance(value, CellValues):
                for index, held in value.known.items():
                    found += self._once((position, sort, index, held), partial(_of_cell, formal, index, held))
            else:
                found += self._once((position, sort, value), partial(_of_value, formal, value))
        for position, (first, distance) in state.differences.items():
            if position != first:
                make = partial(_of_difference, predicate.formals[position], predicate.formals[first], distance)
                found += self._once((position, first, distance), make)
        for form, number in state.inequalities.items():
            found += self._once((form, number), partial(_of_inequality, predicate, form, number))
        for item, objects in zip(tracked, state.objects, strict=True):
            found += self._of_object(predicate, state, item, objects)
        return found

    def _once(self, key: Hashable, make: Callable[[], list[z3.BoolRef]]) -> list[z3.BoolRef]:
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = [fact for fact in make() if not z3.is_true(fact)]
        return made

    def _of_object(
        self, predicate: Predicate, state: AbstractState, item: TrackedArguments, objects: Objects
    ) -> Iterator[z3.BoolRef]:
        """What is known of a tracked object, by the address where it begins."""
        point, where, keys = predicate.formals[item.point], state.values[item.point], tuple(objects.known)
        assert isinstance(where, tuple)
        number = self._numbers.setdefault(item, len(self._numbers))
        yield from self._once((number, where), partial(_addresses, point, where, item))
        yield from self._of_addresses(predicate, item, number, objects.known)
        for key, lives in objects.known.items() if item.state is not None else ():
            for phase in (Phase.UNBORN, Phase.ENDED):
                if (life := lives.of(phase)) is not None:
                    yield from self._absent(predicate, state, item, (key, phase), life.present)
        elsewhere = partial(_of_lives, predicate, item, keys, False, objects.other)
        yield from self._once((number, keys, _sizes_and_states(objects.other)), elsewhere)

    def _of_addresses(
        self, predicate: Predicate, item: TrackedArguments, number: int, known: Mapping[int, Lives]
    ) -> list[z3.BoolRef]:
        """What is known of a tracked object at each address. Most clauses hand on the lives of all addresses as they
        are, so many predicates share them. number: of the item."""
        made = self._of_known.get((number, id(known)))
        if made is None:
            found: list[z3.BoolRef] = []
            for key, lives in known.items():
                at = partial(_of_lives, predicate, item, (key,), True, lives)
                found += self._once((number, key, _sizes_and_states(lives)), at)
            made = self._of_known[number, id(known)] = known, found  # with the lives, which keep their id
        return made[1]

    def _absent(
        self,
        predicate: Predicate,
        state: AbstractState,
        item: TrackedArguments,
        where: tuple[int, Phase],
        present: frozenset[Place],
    ) -> Iterator[z3.BoolRef]:
        """The places that do not lead to an object that is not alive. where: its address and phase."""
        (address, phase), number = where, self._numbers[item]
        window = value_sets.of(address - item.stride // 2 + 1, address + item.stride // 2 - 1)
        for position, cell in state.pointing.to(address):
            if (position, cell) in present:
                continue
            value = state.values[position]
            held = value.known[cell] if isinstance(value, CellValues) and cell is not None else value
            assert isinstance(held, tuple)
            near, sort = value_sets.meet(held, window), predicate.sorts[position].ast.value
            make = partial(_not_there, predicate, item, where, (position, cell), near)
            yield from self._once((number, address, phase, position, cell, near, sort), make)


def _of_value(formal: z3.ExprRef, value: Pieces) -> list[z3.BoolRef]:
    return [member(formal, value)]


def _of_difference(formal: z3.ExprRef, first: z3.ExprRef, distance: int) -> list[z3.BoolRef]:
    assert isinstance(first, z3.ArithRef)
    return [formal == first + distance if distance else formal == first]


def _of_inequality(predicate: Predicate, form: Form, number: int) -> list[z3.BoolRef]:
    return [_is_at_least(predicate, form, number)]


def _is_at_least(predicate: Predicate, form: Form, number: int) -> z3.BoolRef:
    """form >= number, written as a comparison of two sums of positive terms; of bit-vectors without wrapping around."""
    terms = [(predicate.formals[position], factor) for position, factor in form]
    if isinstance(terms[0][0], z3.BitVecRef):
        return _is_at_least_of_bits(terms, number)
    above = [factor * formal for formal, factor in terms if factor > 0]
    below = [-factor * formal for formal, factor in terms if factor < 0]
    (below if number > 0 else above).append(z3.IntVal(abs(number)))
    holds: z3.BoolRef = sum_of(above) >= sum_of(below)
    return holds


def _is_at_least_of_bits(terms: Sequence[tuple[z3.ExprRef, int]], number: int) -> z3.BoolRef:
    """As `_is_at_least`, in bit-vectors that are wide enough for both sums."""
    largest = abs(number) + sum(abs(factor) << formal.sort().size() for formal, factor in terms)
    width = largest.bit_length()
    above: z3.BitVecRef = z3.BitVecVal(max(-number, 0), width)
    below: z3.BitVecRef = z3.BitVecVal(max(number, 0), width)
    for formal, factor in terms:
        wide = z3.ZeroExt(width - formal.sort().size(), formal) * abs(factor)
        if factor > 0:
            above += wide
        else:
            below += wide
    return z3.UGE(above, below)


def _of_cell(formal: z3.ExprRef, index: int, held: Pieces) -> list[z3.BoolRef]:
    return [member(_cell(formal, index), held)]


def _not_there(
    predicate: Predicate, item: TrackedArguments, where: tuple[int, Phase], place: Place, values: Pieces
) -> list[z3.BoolRef]:
    """point = address & state is of the phase -> place not in values"""
    assert item.state is not None
    (address, phase), (position, cell) = where, place
    point, state, formal = (predicate.formals[i] for i in (item.point, item.state, position))
    term = formal if cell is None else _cell(formal, cell)
    here = z3.And(point == _number(address, point.sort()), member(state, item.states_of(phase)))
    return [z3.Implies(here, z3.Not(member(term, values)))]


def _sizes_and_states(lives: Lives) -> Hashable:
    return tuple(
        None if life is None else (life.size, life.state, life.fresh, life.divisor, tuple(life.inequalities.items()))
        for life in lives.phases
    )


def member(term: z3.ExprRef, values: Pieces) -> z3.BoolRef:
    """The term is one of the numbers."""
    width = width_of(term.sort())
    if width < 0:
        if width == -1 and values in (value_sets.TRUE, value_sets.FALSE):
            return term if values == value_sets.TRUE else z3.Not(term)  # type: ignore[return-value]
        return z3.BoolVal(True)
    if value_sets.is_within(anything(width), values):
        return z3.BoolVal(True)
    parts = [_between(term, low, high, width) for low, high in values]
    return parts[0] if len(parts) == 1 else z3.Or(parts)


def _between(term: z3.ExprRef, low: int, high: int, width: int) -> z3.BoolRef:
    if low == high and abs(low) < FAR:
        return term == _number(low, term.sort())
    parts = []
    if width == 0:
        if low > -FAR:
            parts.append(term >= low)
        if high < FAR:
            parts.append(term <= high)
    else:
        if low > 0:
            parts.append(z3.ULE(_number(low, term.sort()), term))
        if high < (1 << width) - 1:
            parts.append(z3.ULE(term, _number(high, term.sort())))
    return z3.And(parts) if len(parts) != 1 else parts[0]


def _cell(array: z3.ExprRef, index: int) -> z3.ExprRef:
    assert isinstance(array, z3.ArrayRef)
    cell: z3.ExprRef = z3.Select(array, _number(index, array.domain()))
    return cell


def _number(value: int, sort: z3.SortRef) -> z3.ExprRef:
    return z3.BitVecVal(value, sort) if isinstance(sort, z3.BitVecSortRef) else z3.IntVal(value)


def _of_lives(
    predicate: Predicate, item: TrackedArguments, addresses: Sequence[int], is_there: bool, lives: Lives
) -> list[z3.BoolRef]:
    """What is known of an object that begins at the only address, or at none of them."""
    point = predicate.formals[item.point]
    numbers = [_number(address, point.sort()) for address in addresses]
    where = [point == number if is_there else point != number for number in numbers]
    return list(_known_of(predicate, item, where, lives))


def _known_of(
    predicate: Predicate, item: TrackedArguments, where: Sequence[z3.BoolRef], lives: Lives
) -> Iterator[z3.BoolRef]:
    """where -> what is known of the object there"""

    def implied(fact: z3.BoolRef) -> z3.BoolRef:
        if not where or z3.is_true(fact):
            return fact
        return z3.Implies(where[0] if len(where) == 1 else z3.And(where), fact)

    if not lives.lives:
        yield z3.Not(z3.And(where)) if where else z3.BoolVal(False)
        return
    size = None if item.size is None else predicate.formals[item.size]
    if item.state is None:
        if size is not None:
            yield implied(member(size, value_sets.united(p for life in lives.lives for p in life.size)))
        return
    state = predicate.formals[item.state]
    yield implied(member(state, value_sets.united(p for life in lives.lives for p in life.state)))
    if size is None:
        return
    if len({life.size for life in lives.lives}) == 1:
        yield implied(member(size, lives.lives[0].size))
    for phase, life in zip(Phase, lives.phases, strict=True):
        if life is None:
            continue
        facts = [_is_at_least(predicate, form, number) for form, number in life.inequalities.items()]
        if any(life.size != other.size for other in lives.lives):
            facts.append(member(size, life.size))
        if life.divisor > 1 and isinstance(size, z3.ArithRef):
            facts.append(size % life.divisor == 0)
        if item.fresh is not None and any(life.fresh != other.fresh for other in lives.lives):
            facts.append(member(predicate.formals[item.fresh], life.fresh))
        is_other = z3.Not(member(state, item.states_of(phase)))
        for fact in facts:
            if not z3.is_true(fact):
                yield implied(fact if len(lives.lives) == 1 else z3.Or(is_other, fact))


def _addresses(point: z3.ExprRef, values: Pieces, item: TrackedArguments) -> list[z3.BoolRef]:
    """Where the object may begin: at multiples of the stride."""
    if isinstance(point, z3.BitVecRef):
        return [member(point, values), z3.Extract(item.stride.bit_length() - 2, 0, point) == 0]
    assert isinstance(point, z3.ArithRef)
    return [member(point, values), point % item.stride == 0]
