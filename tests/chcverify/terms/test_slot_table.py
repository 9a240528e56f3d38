"""The law of slot tables: executing the steps gives each root the value that z3 gives it."""

import z3
from hypothesis import given
from hypothesis import strategies as st

from chcverify.terms.arithmetic.operations import OPERATIONS
from chcverify.terms.evaluation.slot_table import SlotTable
from chcverify.terms.native.arena import Arena

VARIABLES = z3.Ints("x y z")


def _combine(terms: st.SearchStrategy[z3.ArithRef]) -> st.SearchStrategy[z3.ArithRef]:
    pairs = st.tuples(terms, terms)
    return st.one_of(
        pairs.map(lambda p: p[0] + p[1]),
        pairs.map(lambda p: p[0] - p[1]),
        pairs.map(lambda p: p[0] * p[1]),
        st.tuples(terms, terms, terms).map(lambda t: z3.If(t[0] < t[1], t[2], t[0])),
    )


NUMBERS = st.integers(-3, 3)
TERMS = st.recursive(
    st.one_of(st.sampled_from(VARIABLES), NUMBERS.map(z3.IntVal)),
    _combine,
    max_leaves=12,
)


@given(roots=st.lists(TERMS, min_size=1, max_size=3), values=st.tuples(NUMBERS, NUMBERS, NUMBERS))
def test_steps_compute_what_z3_computes(roots: list[z3.ArithRef], values: tuple[int, int, int]) -> None:
    arena = Arena()
    handles = [arena.handle(root) for root in roots]
    given_slots = {arena.handle(variable): i for i, variable in enumerate(VARIABLES)}
    table = SlotTable(arena, given_slots, lambda numeral: numeral.as_long(), None)
    steps = list(table.steps(handles))
    slots = list(table.template)
    slots[: len(values)] = values
    for step in steps:
        slots[step.target] = OPERATIONS[arena.kind(step.term)](*(slots[i] for i in step.arguments))
    pairs = [(variable, z3.IntVal(value)) for variable, value in zip(VARIABLES, values, strict=True)]
    for root, handle in zip(roots, handles, strict=True):
        assert slots[table.slot[handle]] == z3.simplify(z3.substitute(root, pairs)).as_long()


def test_each_subterm_has_one_slot_and_is_computed_once() -> None:
    arena = Arena()
    x, y, _ = VARIABLES
    shared = x + y
    handles = [arena.handle(shared * shared), arena.handle(shared * 2)]
    table = SlotTable(arena, {arena.handle(x): 0, arena.handle(y): 1}, lambda numeral: numeral.as_long(), None)
    steps = list(table.steps(handles))
    targets = [step.target for step in steps]
    assert len(targets) == len(set(targets))
    assert [step.term for step in steps].count(arena.handle(shared)) == 1
    assert not list(table.steps(handles))
    assert table.add() == len(table.template) - 1 and table.template[-1] is None
