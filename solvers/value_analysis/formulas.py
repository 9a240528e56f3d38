"""Abstract states as formulas over the formals of a predicate: intervals and implications, no products of cases."""

from collections.abc import Iterator, Sequence

import z3

from chcverify.horn.system import Predicate
from solvers.value_analysis import value_sets
from solvers.value_analysis.cell_values import CellValues
from solvers.value_analysis.clause_code import anything, width_of
from solvers.value_analysis.states import AbstractState, Lives, Objects, TrackedArguments, leads_to
from solvers.value_analysis.value_sets import FAR, Pieces


def conjuncts_of(predicate: Predicate, state: AbstractState, tracked: Sequence[TrackedArguments]) -> list[z3.BoolRef]:
    """The facts of a state, weaker than true each."""
    found: list[z3.BoolRef] = []
    special = {position for item in tracked for position in (item.point, item.size, item.state)}
    for position, (formal, value) in enumerate(zip(predicate.formals, state.values, strict=True)):
        if position in special:
            continue
        if isinstance(value, CellValues):
            found += [member(_cell(formal, index), held) for index, held in value.known.items()]
        elif value is not None:
            found.append(member(formal, value))
    for item, objects in zip(tracked, state.objects, strict=True):
        found += _of_object(predicate, state, item, objects)
    return [fact for fact in found if not z3.is_true(fact)]


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


def _of_object(
    predicate: Predicate, state: AbstractState, item: TrackedArguments, objects: Objects
) -> Iterator[z3.BoolRef]:
    """What is known of a tracked object, by the address where it begins."""
    point = predicate.formals[item.point]
    yield from _addresses(point, state.values[item.point], item)
    elsewhere = [point != _number(key, point.sort()) for key in objects.known]
    for key, lives in objects.known.items():
        at = point == _number(key, point.sort())
        yield from _of_lives(predicate, item, [at], lives)
        if lives.before is not None and item.state is not None:
            here = z3.And(
                at, predicate.formals[item.state] == _number(item.unborn, predicate.formals[item.state].sort())
            )
            window = value_sets.of(key - item.stride // 2 + 1, key + item.stride // 2 - 1)
            for position, value in enumerate(state.values):
                if position in (item.point, item.size, item.state):
                    continue
                for cell in leads_to(value, key, item.stride):
                    if (position, cell) not in lives.before.present:
                        formal = predicate.formals[position]
                        term = formal if cell is None else _cell(formal, cell)
                        held = value.known[cell] if isinstance(value, CellValues) and cell is not None else value
                        assert isinstance(held, tuple)
                        yield z3.Implies(here, z3.Not(member(term, value_sets.meet(held, window))))
    yield from _of_lives(predicate, item, elsewhere, objects.other)


def _of_lives(
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
    unborn = state == _number(item.unborn, state.sort())
    for life, is_other in ((lives.before, z3.Not(unborn)), (lives.after, unborn)):
        if life is None:
            continue
        fact = member(size, life.size)
        if not z3.is_true(fact):
            yield implied(fact if len(lives.lives) == 1 else z3.Or(is_other, fact))


def _addresses(point: z3.ExprRef, value: object, item: TrackedArguments) -> Iterator[z3.BoolRef]:
    """Where the object may begin: at multiples of the stride."""
    if isinstance(value, tuple):
        yield member(point, value)
    if isinstance(point.sort(), z3.BitVecSortRef):
        yield z3.Extract(item.stride.bit_length() - 2, 0, point) == 0
    else:
        yield point % item.stride == 0
