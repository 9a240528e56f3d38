"""Regions, storage, liveness and intervals of small programs."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from encoders.c.analysis.abstract_evaluation import AbstractEvaluator, any_value
from encoders.c.analysis.effects import EffectsOf, bits_of, mask_of
from encoders.c.analysis.interval_analysis import IntervalAnalysis
from encoders.c.analysis.liveness import Liveness, analyse, before
from encoders.c.analysis.memory.lost_blocks import lost_blocks
from encoders.c.analysis.memory.tracked_objects import TrackedObjects
from encoders.c.analysis.points_to import PointsTo, slot_of
from encoders.c.analysis.regions import Region, find, flattened, same_cells, top_of
from encoders.c.analysis.storage import Memory, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge, FlatProgram, flatten
from encoders.c.types.c_types import BOOL, DOUBLE, FLOAT, INT, SCHAR, UCHAR, UINT, CArray, CFunction, CPointer, CVoid


@dataclass
class Analysed:
    """A program with all analyses."""

    flat: FlatProgram
    memory: Memory
    objects: TrackedObjects
    liveness: Liveness
    ranges: IntervalAnalysis

    def variable(self, label: str) -> StateVariable:
        (found,) = (v for v in self.memory.variables if (v.label == label and v.owner is None) or v.label == label)
        return found

    def edges(self, text: str) -> list[FlatEdge]:
        return [edge for edge in self.flat.edges() if edge.edge.text == text]

    def region(self, name: str) -> Region:
        (region,) = (region for slot, region in self.memory.points_to.regions.slots() if slot.variable.name == name)
        return find(region)


@pytest.fixture
def analysed(load: Callable[[str], ir.Program]) -> Callable[[str], Analysed]:
    def make(text: str) -> Analysed:
        flat = flatten(load(text))
        memory = Memory(flat, PointsTo(flat))
        objects = TrackedObjects(memory, flat)
        liveness = analyse(flat, memory, objects)
        return Analysed(flat, memory, objects, liveness, IntervalAnalysis(memory, liveness, flat.functions.values()))

    return make


def test_types_and_cells() -> None:
    assert flattened(CArray(CArray(INT, 3), 4)) == (INT, 12) and flattened(CArray(INT, None)) == (INT, None)
    assert same_cells(SCHAR, UCHAR) and same_cells(INT, UINT) and not same_cells(UCHAR, BOOL)
    assert not same_cells(FLOAT, DOUBLE) and same_cells(CPointer(INT), CPointer(UCHAR))
    assert not same_cells(CPointer(CFunction(CVoid(), (), False)), CPointer(INT))
    assert any_value(UCHAR) == (0, 255) and any_value(DOUBLE)[0] is not None


def test_pointers_to_one_object_share_its_region(analysed: Callable[[str], Analysed]) -> None:
    made = analysed("int main() { int x = 1, y = 2; int *p = &x, *q = &x, *r = &y; *p = 3; return *q + *r; }")
    p, q, r = (find(made.region(name).pointee) for name in "pqr")
    assert p is q is made.region("x") and r is made.region("y") and p is not r
    assert top_of(p) is p


def test_pointers_that_meet_unify_regions(analysed: Callable[[str], Analysed]) -> None:
    made = analysed("int main() { int x = 1, y = 2; int *p = &x; if (nondet()) p = &y; *p = 3; return x + y; }")
    assert made.region("x") is made.region("y") is find(made.region("p").pointee)
    slots = [slot for slot, region in made.memory.points_to.regions.slots() if find(region) is made.region("x")]
    assert len({made.memory.base(slot) for slot in slots}) == len(slots) == 2
    frame = next(iter(made.flat.edges())).frame
    assert slot_of(slots[0].variable, frame).variable is slots[0].variable


def test_blocks_have_the_names_of_the_pointers_to_them(analysed: Callable[[str], Analysed]) -> None:
    made = analysed("int main() { int *a = malloc(40), *b = malloc(40); a[nondet()] = 1; b[nondet()] = 2; return *a; }")
    assert {variable.label for variable in made.memory.variables if variable.is_array} == {"*a", "*b"}


def test_the_cell_of_an_array_of_one_is_no_element_among_others(analysed: Callable[[str], Analysed]) -> None:
    made = analysed("int main() { long s[1]; int t[2]; s[0] = nondet(); t[0] = t[1] = nondet(); return s[0] + t[0]; }")
    assert not made.variable("s[0]").is_element
    assert made.variable("t[0]").is_element and made.variable("t[1]").is_element


def test_what_is_read_later_is_live(analysed: Callable[[str], Analysed]) -> None:
    made = analysed("int g; int main() { int a = nondet(), b = nondet(); g = b; a = 1; if (a + g > 3) reach_error(); }")
    (store,) = made.edges("g = b")
    live = made.liveness.live[store.source]
    a, b, g = (made.variable(name) for name in ("a", "b", "g"))
    assert live >> b.index & 1 and not live >> a.index & 1 and not live >> g.index & 1
    after = made.liveness.live[store.target]
    assert before(store, after, made.liveness.effects, made.liveness.interfaces) == live
    effects = EffectsOf(made.memory, made.objects)(store)
    assert effects.targets == mask_of([g]) and effects.all_reads == mask_of([b])
    assert effects.before(mask_of([g])) == mask_of([b]) and effects.before(mask_of([a])) == mask_of([a])
    assert bits_of([1, 6]) == 7


def test_a_summary_shares_what_it_uses(analysed: Callable[[str], Analysed]) -> None:
    made = analysed("int g, h; int f(int n) { g = h; return n ? f(n - 1) : g; } int main() { return f(3); }")
    interface = made.liveness.interfaces["f"]
    g, h = made.variable("g"), made.variable("h")
    assert interface.written >> g.index & 1 and not interface.written >> h.index & 1
    assert interface.used >> h.index & 1


def test_intervals_of_a_loop(analysed: Callable[[str], Analysed]) -> None:
    made = analysed("int main() { unsigned char c = nondet(); int i = 0; while (i < 10) i = i + 1; return i + c; }")
    i = made.variable("i")
    (step,) = made.edges("i = i + 1")
    low, high = made.ranges.at[step.source][i]
    assert low == 0 and high == 9
    after = made.ranges.transfer(step, made.ranges.at[step.source])
    assert after is not None and after[i] == (1, 10)
    value = AbstractEvaluator(made.memory, step.frame, made.ranges.at[step.source]).value(step.edge.operation.value)
    assert value == (1, 10)


def test_what_cannot_be_reached_has_no_intervals(analysed: Callable[[str], Analysed]) -> None:
    made = analysed("int main() { int i = 3; if (i > 5) { i = 7; } return i; }")
    (dead,) = made.edges("i = 7")
    assert dead.source not in made.ranges.at or made.ranges.transfer(dead, made.ranges.at[dead.source]) is None


def test_lost_blocks_are_looked_for_only_if_asked(analysed: Callable[[str], Analysed]) -> None:
    made = analysed("int main() { int *p = malloc(4); *p = 1; p = 0; return 0; }")
    found = lost_blocks(made.flat, made.memory, made.objects)
    assert not found.loops and not found.ends and not found.kept()
