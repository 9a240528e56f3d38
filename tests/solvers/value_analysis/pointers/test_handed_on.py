"""Places of the head that lead to an object: compared with all values of small arguments."""

import random
from itertools import product

import pytest
import z3

from chcverify.horn.system import Clause, Predicate
from solvers.value_analysis.cell_values import CellValues
from solvers.value_analysis.clause_code import ClauseCode, TermTable
from solvers.value_analysis.evaluation import solve
from solvers.value_analysis.node_values import NodeValues, Value
from solvers.value_analysis.pointers.handed_on import HandedOn
from solvers.value_analysis.pointers.pointing_arguments import Place
from solvers.value_analysis.value_sets import Pieces

STRIDE = 4
ADDRESS = 8
"""Numbers near it are 7 to 9, numbers near no address are 2, 6 and 10."""
INT, ARRAY = z3.IntSort(), z3.ArraySort(z3.IntSort(), z3.IntSort())
P = Predicate("P", (INT, INT, ARRAY, INT))
X, Y, CELLS, SIZE = z3.Int("x"), z3.Int("y"), z3.Const("cells", ARRAY), z3.Int("size")
RESERVED = {3}
NUMBERS = (2, 8)
TERMS: tuple[z3.ExprRef, ...] = (X, Y, z3.If(X > 2, Y, X), z3.Select(CELLS, 0), z3.IntVal(8), z3.IntVal(2))
ARRAYS: tuple[z3.ExprRef, ...] = (CELLS, z3.Store(CELLS, 0, Y), z3.Store(CELLS, 1, X))


def handed_on(head: tuple[z3.ExprRef, ...], constraint: z3.BoolRef, of_y: Pieces = ((2, 2), (8, 8))) -> HandedOn:
    """The head q(...) of a clause with p(x, y, cells, size) in its body, whose numbers are 2 or 8. of_y: those of y."""
    q = Predicate("Q", tuple(term.sort() for term in head))
    code = ClauseCode(Clause(q(*head), (P(X, Y, CELLS, SIZE),), constraint), TermTable())
    run, either = NodeValues(code), ((2, 2), (8, 8))
    values: list[Value] = [either, of_y, CellValues({0: either, 1: either}), ((8, 8),)]
    for node, value in zip(code.body[0], values, strict=True):
        run.values[node] = value
    assert solve(run)
    return HandedOn(run, code.body[0], values, RESERVED, STRIDE)


def concrete(term: z3.ExprRef, values: tuple[int, ...]) -> list[int]:
    """The number that a term is, or those in both cells. values: of x, y, and the cells."""
    x, y, *cells = values
    array = z3.Store(z3.Store(z3.K(INT, z3.IntVal(2)), 0, cells[0]), 1, cells[1])
    put = [(X, z3.IntVal(x)), (Y, z3.IntVal(y)), (CELLS, array)]
    parts = [term] if term.sort() == INT else [z3.Select(term, 0), z3.Select(term, 1)]
    return [z3.simplify(z3.substitute(part, *put)).as_long() for part in parts]


@pytest.mark.parametrize("seed", range(12))
def test_what_leads_to_the_object_is_present(seed: int) -> None:
    source = random.Random(seed)
    head = (source.choice(TERMS), source.choice(TERMS), source.choice(ARRAYS), SIZE)
    limit = source.choice([z3.BoolVal(True), X > 2, Y < 5])
    places: list[Place] = [(0, None), (1, None), (2, 0), (2, 1)]
    before = frozenset(place for place in places if source.random() < 0.5)
    found = handed_on(head, limit).present(ADDRESS, before)
    assert found is not None
    leads = set()
    for values in product(NUMBERS, repeat=4):
        if any(value == 8 and place not in before for value, place in zip(values, places, strict=True)):
            continue  # another place leads to the object
        if not z3.is_true(z3.simplify(z3.substitute(limit, (X, z3.IntVal(values[0])), (Y, z3.IntVal(values[1]))))):
            continue
        for position, term in enumerate(head[:3]):
            held = concrete(term, values)
            cells = [None] if len(held) == 1 else [0, 1]
            leads |= {(position, cell) for cell, number in zip(cells, held, strict=True) if number == 8}
    assert found >= leads


def test_places_that_are_handed_on_are_the_same_object() -> None:
    before: frozenset[Place] = frozenset({(0, None), (2, 1)})
    assert handed_on((X, z3.IntVal(2), CELLS, SIZE), z3.BoolVal(True)).present(ADDRESS, before) is before


def test_places_move_with_their_arguments() -> None:
    before: frozenset[Place] = frozenset({(0, None), (2, 1)})
    found = handed_on((Y, X, CELLS, SIZE), z3.BoolVal(True)).present(ADDRESS, before)
    assert found == {(1, None), (2, 1)}


def test_what_is_computed_is_known_only_where_it_may_be_anywhere() -> None:
    assert handed_on((X + 6, Y, CELLS, SIZE), z3.BoolVal(True)).present(ADDRESS, frozenset()) is None
    anywhere = handed_on((X, Y + 1, CELLS, SIZE), z3.BoolVal(True), ((0, 1000),))
    assert anywhere.present(400, frozenset()) == {(1, None)}
    partly = handed_on((X, Y + 1, CELLS, SIZE), z3.BoolVal(True), ((7, 7), (100, 1000)))
    assert partly.present(ADDRESS, frozenset()) is None


@pytest.mark.parametrize("seed", range(40))
def test_what_is_left_has_the_same_places(seed: int) -> None:
    source = random.Random(seed)
    head = (source.choice((X, X, *TERMS)), source.choice((Y, Y, *TERMS)), source.choice((CELLS, *ARRAYS)), SIZE)
    places: list[Place] = [(0, None), (1, None), (2, 0), (2, 1)]
    before = frozenset(place for place in places if source.random() < 0.5)
    handed = handed_on(head, z3.BoolVal(True))
    if handed.leaves([ADDRESS], before):
        assert handed.present(ADDRESS, before) is before


def test_copies_leave_objects_and_new_pointers_do_not() -> None:
    places: frozenset[Place] = frozenset([(0, None)])
    assert handed_on((X, Y, CELLS, SIZE), z3.BoolVal(True)).leaves([ADDRESS], places)
    assert handed_on((X, z3.IntVal(2), CELLS, SIZE), z3.BoolVal(True)).leaves([ADDRESS], places)
    assert not handed_on((X, z3.IntVal(ADDRESS), CELLS, SIZE), z3.BoolVal(True)).leaves([ADDRESS], places)
    assert not handed_on((Y, Y, CELLS, SIZE), z3.BoolVal(True)).leaves([ADDRESS], places)
