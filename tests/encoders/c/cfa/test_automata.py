"""Automata of small programs: how they are built, tidied, inlined, printed and drawn."""

import re

from automata_text import function_text, operation_text, program_text, term_text

from chcverify.horn.origin import Origin
from chcverify.results.checks import CheckKind
from encoders.c.cfa import ir
from encoders.c.cfa.builder import CfaBuilder, tidy, without_redundant_declarations
from encoders.c.cfa.expression_tests import is_null_pointer
from encoders.c.cfa.graph import control_flow
from encoders.c.cfa.inlining import flatten, is_synthetic
from encoders.c.cfa.program_checks import checks_of, error_check
from encoders.c.cfa.type_sizes import sizes_of
from encoders.c.types.c_types import INT, CArray, CPointer, CRecord

HERE = Origin("a.c", 1)
X = ir.Variable("x", "x", INT)
ONE = ir.Constant(1, INT)
SET = ir.Assign(ir.VariableLValue(X, INT), ONE)
LOOP = """struct pair { char a; long b; };
int twice(int n) { return 2 * n; }
int main() {
  struct pair s; s.a = 1; s.b = 2;
  int i = 0;
  while (i < 3) i = twice(i) + 1;
  if (i == 3) reach_error();
  return 0;
}"""


def test_silent_steps_go_and_loop_heads_are_found() -> None:
    builder = CfaBuilder("f")
    entry, exit = builder.location(HERE), builder.location(HERE)
    builder.current = entry
    head = builder.location(HERE)
    builder.fall_into(head, HERE)
    builder.emit(SET, HERE, "x = 1")
    builder.jump(head, HERE)
    builder.emit(SET, HERE, "never reached")
    assert builder.origins[builder.current] is None
    first, locations, edges = tidy(entry, exit, "f", builder.edges, builder.origins, HERE)
    assert [edge.text for edge in edges] == ["x = 1"]
    assert edges[0].source == edges[0].target == first
    assert [location.number for location in locations if location.is_loop_head] == [first]


def test_a_declaration_before_an_assignment_says_nothing() -> None:
    edges = [ir.Edge(1, 2, ir.Declare(X), HERE), ir.Edge(2, 3, SET, HERE)]
    left = without_redundant_declarations(edges, set())
    assert not any(isinstance(edge.operation, ir.Declare) for edge in left)
    assert any(isinstance(edge.operation, ir.Assign) for edge in left)
    assert without_redundant_declarations(edges, {"x"}) == edges


def test_null_pointers() -> None:
    assert is_null_pointer(ir.Constant(0, CPointer(INT)))
    assert not is_null_pointer(ir.Constant(0, INT)) and not is_null_pointer(ir.Constant(8, CPointer(INT)))


def test_calls_are_inlined_unless_they_are_recursive(load) -> None:
    flat = flatten(load(LOOP))
    assert len(flat.functions) == 1
    assert not any(isinstance(edge.operation, ir.Call) for edge in flat.edges())
    recursive = load("int f(int n) { return n ? f(n - 1) + 1 : 0; } int main() { return f(3); }")
    flat = flatten(recursive)
    assert len(flat.functions) == 2
    assert sum(isinstance(edge.operation, ir.Call) for edge in flat.edges()) == 2
    numbers = [edge.source for function in flat.functions.values() for edge in function.edges]
    assert set(numbers) <= {n for function in flat.functions.values() for n in function.locations}


def test_copies_of_parameters_into_memory_are_no_edges_of_the_program(load) -> None:
    text = "int f(int n) { int *p = &n; *p -= 1; return n ? f(n) : 0; } int main() { return f(3); }"
    program = load(text)
    made = [edge.edge for edge in flatten(program).edges() if is_synthetic(edge.edge)]
    own = {id(edge) for function in program.functions.values() for edge in function.edges}
    assert made and not any(id(edge) in own for edge in made)


def test_texts(load) -> None:
    assert operation_text(SET) == "x = 1" and term_text(ONE) == "1"
    text = program_text(load(LOOP))
    assert text.startswith("program test.c (LP64)") and "function twice(" in text
    edges = re.findall(r"^  (\d+) -> (\d+): ", function_text(load(LOOP).functions["main"]), re.M)
    assert len(edges) == len(load(LOOP).functions["main"].edges)


def test_graphs_for_people(load) -> None:
    graphs = {graph.title: graph for graph in control_flow(load(LOOP))}
    main = next(graph for title, graph in graphs.items() if "main" in title)
    assert {"loop", "error"} <= {node.kind for node in main.nodes}
    keys = {node.key for node in main.nodes}
    assert {key for arrow in main.arrows for key in (arrow.source, arrow.target)} <= keys
    assert any("i < 3" in line for node in main.nodes for line in node.lines)


def test_checks_of_a_program(load) -> None:
    program = load(LOOP)
    (check,) = checks_of(program)
    assert check.kind is CheckKind.ASSERTION and check.origin.line == 8
    (edge,) = (e for f in program.functions.values() for e in f.edges if isinstance(e.operation, ir.ReachError))
    assert error_check(edge) == check


def test_sizes_in_bits(load) -> None:
    sizes = sizes_of(load(LOOP))
    pair = CRecord("pair")
    assert [sizes.of(kind) for kind in (INT, CPointer(INT), CArray(INT, 5), pair)] == [32, 64, 160, 128]
    assert sizes.align(pair) == sizes.align(CArray(pair, 3)) == 64
