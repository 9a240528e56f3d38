"""Invariants and traces in words of the source: names of objects and functions, and no addresses of the encoding."""

import re
from collections.abc import Callable

import pytest
import z3

from chcverify.certificate.model import Model
from encoders.c.analysis.storage import NULL, OBJECT_STRIDE
from encoders.c.certificates.invariants.source_invariants import source_invariants
from encoders.c.certificates.object_names import ObjectNames, element
from encoders.c.cfa.ir import Variable
from encoders.c.encoding.encoder import EncodeOptions, Encoding, encode
from encoders.c.execution.inputs import Recorded
from encoders.c.execution.testing.random_runs import random_runs
from encoders.c.types.c_types import INT, CArray

POINTERS = """
struct node { int value; struct node *next; };
int add(int x) { return x + 1; }
int (*table[2])(int) = { add, add };
int x, y;
int main(void) {
  int a[4], *p = a, *target = &x;
  int m[3][4], i = nondet();
  struct node second = { 2, 0 }, *head = &second;
  for (;;) {
    if (nondet()) target = &y;
    if (nondet()) p = a + i;
    if (nondet()) head = head->next;
    m[i][1] = table[i](*target + *p + head->value);
    if (m[0][0] == 7) reach_error();
  }
}
"""


def told(encoding: Encoding, formula_of: Callable[[dict[str, z3.ExprRef]], z3.BoolRef]) -> set[str]:
    """The texts for formulas over the names of the arguments at the loop head."""
    lvalue = next(p for p, flat in encoding.locations.items() if flat.location.is_loop_head)
    arguments = dict(zip(lvalue.names, lvalue.formals, strict=True))
    return {item.text for item in source_invariants(encoding, Model({lvalue: formula_of(arguments)}))}


@pytest.mark.parametrize("theory", ["lia", "bv"])
def test_pointers_are_compared_with_objects_and_functions(load, theory: str) -> None:
    encoding = encode(load(POINTERS), options=EncodeOptions(theory=theory))

    def number(formal: z3.ExprRef, value: int) -> z3.ExprRef:
        return z3.BitVecVal(value, formal.sort()) if z3.is_bv(formal) else z3.IntVal(value)

    names = ObjectNames(encoding.memory)
    assert names.function(NULL) == "0"
    for value, text in [(0, "&x"), (OBJECT_STRIDE, "&y")]:
        assert told(encoding, lambda v, value=value: v["target"] == number(v["target"], value)) == {f"target == {text}"}
    assert told(encoding, lambda v: v["p"] == number(v["p"], 0)) == {"p == a"}
    assert told(encoding, lambda v: v["p"] == number(v["p"], 3)) == {"p == &a[3]"}
    assert told(encoding, lambda v: v["head"] == number(v["head"], NULL)) == {"head == 0"}
    assert told(encoding, lambda v: v["head"] == number(v["head"], 0)) == {"head == &second"}


def test_what_has_no_name_is_left_out_and_only_weakens(load) -> None:
    encoding = encode(load(POINTERS))
    assert told(encoding, lambda v: z3.And(v["target"] == OBJECT_STRIDE // 3, v["i"] == 1)) == {"i == 1"}
    assert told(encoding, lambda v: z3.Or(v["target"] == OBJECT_STRIDE // 3, v["i"] == 1)) == set()
    assert told(encoding, lambda v: z3.Not(z3.And(v["target"] == OBJECT_STRIDE // 3, v["i"] == 1))) == set()
    assert told(encoding, lambda v: v["head"] > -1) == {"head != 0"}
    assert told(encoding, lambda v: v["head"] <= -1) == set()
    assert told(encoding, lambda v: z3.And(v["p"] >= 0, v["p"] < 4)) == {"p >= a && a + 4 > p"}
    assert told(encoding, lambda v: v["p"] == v["i"]) == {"p == a + i"}
    assert told(encoding, lambda v: v["i"] > -1) == {"i > -1"}


HEAP = """
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = 0;
  int *numbers = malloc(3 * sizeof(int)), i;
  for (i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i; n->next = head; head = n; numbers[i] = i;
  }
  while (head) { if (head->value > numbers[2]) reach_error(); head = head->next; }
}
"""


def test_cells_on_the_heap_are_reached_through_pointers_whose_address_is_given(load) -> None:
    encoding = encode(load(HEAP))
    lvalue = next(p for p, flat in encoding.locations.items() if flat.location.is_loop_head)
    formals = dict(zip(lvalue.names, lvalue.formals, strict=True))
    head = formals["head"]
    values = next(formal for name, formal in formals.items() if name.endswith("value"))
    following = next(formal for name, formal in formals.items() if name.endswith("next"))
    first = OBJECT_STRIDE

    def texts(formula: z3.BoolRef) -> set[str]:
        return {item.text for item in source_invariants(encoding, Model({lvalue: formula}))}

    assert texts(z3.And(head == first, values[first] == 5)) == {"head->value == 5"}
    assert texts(z3.And(head == first, following[first] == NULL)) == {"head->next == 0"}
    assert texts(values[first] == 5) == set()
    assert texts(values[head] == 5) == {"head->value == 5"}
    assert texts(values[following[head]] == 5) == {"head->next->value == 5"}
    k = z3.Int("k")
    assert texts(z3.ForAll([k], z3.Or(k < first, k > 2 * first, values[k] == 0))) == set()


def test_cells_of_arrays_with_several_dimensions() -> None:
    kind = CArray(CArray(INT, 4), 3)
    assert element(Variable("m", "m", kind), 6) == "m[1][2]"
    assert element(Variable("a", "a", CArray(INT, None)), 6) == "a[6]"
    assert element(Variable("x", "x", INT), 0) == "x"


TRACED = """
struct pair { int first; struct { int inner; }; };
void set(int *a, int i) { a[i] = 3; *(a + 1) = 4; }
int main(int argc, char **argv) {
  int n = 2, msg[n], d;
  struct pair s, *q = &s;
  for (int i = 0; i < n; i++) { msg[i] = nondet(); }
  d = msg[0] ? msg[1] : 5;
  q->inner = d;
  set(msg, 0);
  reach_error();
}
"""


def test_every_line_of_a_trace_says_something(load) -> None:
    from encoders.c.execution.compiled_automata import Automata
    from encoders.c.execution.interpreter import ExecutionLimits, Machine
    from encoders.c.execution.trace_recorder import TraceRecorder

    program = load(TRACED)
    found = random_runs(program, 0, 10)
    assert found is not None
    machine = Machine(Automata(program), Recorded(found.inputs), ExecutionLimits(), TraceRecorder(100))
    steps = machine.run().trace
    assert [step.text for step in steps if step.kind == "input"][:2] == ["argc", "argv"]
    bare = [s for s in steps if s.kind == "statement" and not s.changes and re.fullmatch(r"[\w\[\]]+", s.text)]
    assert bare == []
    changed = [name for step in steps if step.kind == "statement" for name, _ in step.changes]
    assert {"a[0]", "a[1]", "q->inner"} <= set(changed)
    assert not any("..." in name or "<" in name for name in changed)
