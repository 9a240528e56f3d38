"""Arguments that may lead to an object: the list for all addresses says the same as a look at each value."""

from hypothesis import given
from hypothesis import strategies as st

from solvers.value_analysis import value_sets
from solvers.value_analysis.cell_values import CellValues
from solvers.value_analysis.node_values import Value
from solvers.value_analysis.pointers.pointing_arguments import PointingArguments, leads_to

STRIDE = 8
PIECES = st.lists(st.tuples(st.integers(-20, 40), st.integers(0, 90)), min_size=1, max_size=3).map(
    lambda pairs: value_sets.united((low, low + length) for low, length in pairs)
)
VALUES = st.one_of(st.none(), PIECES, st.dictionaries(st.integers(0, 5), PIECES, max_size=4).map(CellValues))
ADDRESSES = st.integers(-3, 6).map(lambda number: number * STRIDE)


def expected(values: list[Value], address: int) -> set[tuple[int, int | None]]:
    return {(i, cell) for i, value in enumerate(values) if i != 1 for cell in leads_to(value, address, STRIDE)}


@given(st.lists(VALUES, max_size=5), ADDRESSES)
def test_the_list_has_what_each_value_may_lead_to(values: list[Value], address: int) -> None:
    pointing = PointingArguments(values, {1}, STRIDE)
    assert set(pointing.to(address)) == expected(values, address)


@given(st.lists(st.tuples(VALUES, VALUES, st.booleans()), max_size=5), ADDRESSES)
def test_changed_values_are_looked_at_again(pairs: list[tuple[Value, Value, bool]], address: int) -> None:
    now: list[Value] = [new if is_new else old for old, new, is_new in pairs]
    pointing = PointingArguments([old for old, _, _ in pairs], {1}, STRIDE)
    assert set(pointing.to_with(address, now)) == expected(now, address)


@given(st.lists(VALUES, max_size=5), ADDRESSES, st.randoms())
def test_without_an_object_only_what_may_lead_to_it_does(values: list[Value], address: int, draws: object) -> None:
    pointing = PointingArguments(values, {1}, STRIDE)
    present = set(pointing.to(address)[::2])
    changed = pointing.without(address, present)
    after = [changed.get(i, value) for i, value in enumerate(values)]
    assert expected(after, address) == expected(values, address) & present
    assert all(after[i] == values[i] for i in range(len(values)) if i not in changed)
