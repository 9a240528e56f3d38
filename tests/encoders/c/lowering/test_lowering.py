"""The shape of the automata that each kind of statement becomes."""

import pytest
from automata_text import operation_text, program_text

from encoders.c.cfa.ir import (
    Allocate,
    Assign,
    Assume,
    Binary,
    Call,
    Clear,
    Constant,
    Declare,
    Edge,
    FunctionCfa,
    Load,
    Nondet,
    Program,
    ReachError,
    Skip,
    Trap,
    VariableLValue,
)
from encoders.c.frontend import load_source
from encoders.c.types.c_types import ILP32, INT, LP64, UINT, CArray, CInteger


def load(body: str, before: str = "") -> Program:
    return load_source(f"{before}\nint main(void) {{\n{body}\n}}\n", "test.c", LP64)


def main_of(body: str, before: str = "") -> FunctionCfa:
    return load(body, before).functions["main"]


def operations(body: str, before: str = "") -> list[str]:
    return [operation_text(edge.operation) for edge in main_of(body, before).edges]


def reachable(function: FunctionCfa) -> set[int]:
    out: dict[int, list[Edge]] = {}
    for edge in function.edges:
        out.setdefault(edge.source, []).append(edge)
    seen, stack = {function.entry}, [function.entry]
    while stack:
        for edge in out.get(stack.pop(), ()):
            if edge.target not in seen:
                seen.add(edge.target)
                stack.append(edge.target)
    return seen


def heads(function: FunctionCfa) -> list[int]:
    return [location.origin.line for location in function.locations if location.is_loop_head]


def test_straight_line_needs_no_temporaries() -> None:
    assert operations("int x = 1; x += 2; x++; return x;") == [
        "main::x = 1",
        "main::x = (main::x + 2)",
        "main::x = (main::x + 1)",
        "main::<result> = main::x",
    ]


def test_pure_conditions_are_one_pair_of_edges() -> None:
    function = main_of("int x; if (x > 0 && x < 9) x = 1; else x = 2; return x;")
    conditions = [edge.operation for edge in function.edges if isinstance(edge.operation, Assume)]
    assert [(type(item.condition), item.holds) for item in conditions] == [(Binary, True), (Binary, False)]


def test_conditions_with_effects_branch() -> None:
    function = main_of("int x; if (x > 0 && f(x)) return 1; return 0;", "int f(int a) { return a; }")
    assert sum(isinstance(edge.operation, Assume) for edge in function.edges) == 4


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("int i = 0;\nwhile (i < 3)\n i++;\nreturn i;", [4]),
        ("int i;\nfor (i = 0; i < 3; i++) { if (i == 1) continue; }\nreturn i;", [4]),
        ("int i = 0;\ndo { i++; } while (i < 3);\nreturn i;", [4]),
        ("int i = 0;\nagain: i++;\nif (i < 3) goto again;\nreturn i;", [4]),
        ("int i = 0;\nwhile (1) { while (i) i--;\n i++; }", [4]),  # both loops have the same head
        ("int i = 0;\nif (i) i = 2;\nreturn i;", []),
        ("while (1) return 3;", []),
    ],
)
def test_loop_heads(body: str, lines: list[int]) -> None:
    assert heads(main_of(body)) == lines


def test_every_location_but_the_exit_is_reachable_and_listed_once() -> None:
    function = main_of("int x; while (x) { if (x == 3) break; return 1; x = 5; } goto end; x = 7; end: return x;")
    numbers = [location.number for location in function.locations]
    assert set(numbers) == reachable(function) | {function.exit}
    assert len(numbers) == len(set(numbers))
    assert not any("7" in operation_text(edge.operation) for edge in function.edges)


def test_switch_has_one_edge_per_case_and_one_for_the_rest() -> None:
    function = main_of("int x; switch (x) { case 1: x = 5; case 2: x = 6; break; default: x = 7; } return x;")
    assert [edge.text for edge in function.edges if isinstance(edge.operation, Assume)] == [
        "x == 1",
        "x == 2",
        "x: no other case",
    ]


def test_abort_ends_the_path_and_reach_error_is_the_violation() -> None:
    before = "void abort(void); void reach_error(void) { } "
    function = main_of("int x; if (x) abort(); if (x == 1) reach_error(); return 0;", before)
    sources = {edge.source for edge in function.edges}
    (error,) = [edge for edge in function.edges if isinstance(edge.operation, ReachError)]
    (stop,) = [edge for edge in function.edges if edge.text == "abort()"]
    assert isinstance(stop.operation, Skip)
    assert error.target not in sources and stop.target not in sources


def test_asserts_are_violations_but_expanded_ones_of_the_competition_end_the_path() -> None:
    own = load_source('#include <assert.h>\nint main(void) { int x; assert(x > 0 && "why"); }', "t.c", LP64)
    (error,) = [e.operation for e in own.functions["main"].edges if isinstance(e.operation, ReachError)]
    assert error.what == 'assert(x > 0 && "why")'
    expanded = """extern void __assert_fail(const char *, const char *, unsigned, const char *);
    int main(void) { int x; ((void) sizeof ((x > 0) ? 1 : 0), __extension__ ({ if (x > 0) ; else
      __assert_fail ("x > 0", "t.c", 3, __extension__ __PRETTY_FUNCTION__); })); return 0; }"""
    function = load_source(expanded, "t.c", LP64).functions["main"]
    (error,) = [e.operation for e in function.edges if isinstance(e.operation, ReachError)]
    assert error.what == "assert(x > 0)"
    ruled = f"extern void reach_error(void); {expanded}"
    function = load_source(ruled, "t.c", LP64).functions["main"]
    assert not any(isinstance(edge.operation, ReachError) for edge in function.edges)
    assert any(edge.text.startswith("__assert_fail") for edge in function.edges)


def test_undetermined_values() -> None:
    before = "extern unsigned __VERIFIER_nondet_uint(void); extern int other(int);"
    function = main_of("unsigned x = __VERIFIER_nondet_uint(); int y = other(3);", before)
    found = [edge.operation for edge in function.edges if isinstance(edge.operation, Nondet)]
    assert [(item.source, item.lvalue.type) for item in found] == [
        ("__VERIFIER_nondet_uint", UINT),
        ("other", INT),
    ]


def test_a_function_pointer_from_a_function_without_a_body_is_not_guessed() -> None:
    function = main_of("void (*p)(void) = handler();", "extern void (*handler(void))(void);")
    traps = [edge.operation for edge in function.edges if isinstance(edge.operation, Trap)]
    assert ["has no body" in trap.what for trap in traps] == [True]


@pytest.mark.parametrize(("name", "is_refused"), [("each", False), ("printf", True)])
def test_functions_that_are_handed_on(name: str, is_refused: bool) -> None:
    """Those of the program are assumed not to call them; what those of the library do with them is not modelled."""
    before = "extern int each(const char *, ...); extern int printf(const char *, ...); void one(void) {}"
    function = main_of(f'{name}("", one);', before)
    traps = [edge.operation.what for edge in function.edges if isinstance(edge.operation, Trap)]
    assert traps == [f"function passed to '{name}', which has no body"] * is_refused


def test_uninitialised_locals_are_declared_each_time() -> None:
    function = main_of("for (int i = 0; i < 2; i++) { int x; int y = 3; int a[2]; }")
    declared = [edge.operation.variable.name for edge in function.edges if isinstance(edge.operation, Declare)]
    assert declared == ["x", "a"]


def test_globals_are_set_in_order_of_declaration_before_main() -> None:
    program = load(
        "return b + s.y;", "int a = 4; struct { int x, y; } s = { .y = 2 }; int b = sizeof a; int unused = 3;"
    )
    operations = [edge.operation for edge in program.functions["<init>"].edges]
    assert [type(operation) for operation in operations] == [Clear, Assign, Assign, Call]
    assert [variable.name for variable in program.globals] == ["s", "b"]


def test_address_taken_marks_exactly_the_variables_in_memory() -> None:
    function = main_of("int a, b, c[3], d[3], *p = &a; b = c[1]; p = d; return *p + *&b;")
    assert {v.name for v in function.locals if v.address_taken} == {"a", "d"}
    for edge in function.edges:
        if isinstance(edge.operation, Assign) and isinstance(edge.operation.lvalue, VariableLValue):
            variable = edge.operation.lvalue.variable
            assert variable in function.locals


def test_calls_through_pointers_branch_over_what_fits() -> None:
    before = "int f(int a) { return a; } int g(int a) { return -a; } void h(void) { } int k(int a) { return 0; }"
    function = main_of("int (*p)(int) = f; void (*q)(void) = h; if (p(1)) p = g; q(); k(1); return p(2);", before)
    called = [edge.operation.function for edge in function.edges if isinstance(edge.operation, Call)]
    assert sorted(called) == ["f", "f", "g", "g", "h", "k"]


def test_unreachable_functions_are_not_lowered() -> None:
    program = load("return 0;", 'void f(void) { asm("nop"); } int g(void) { return 1; }')
    assert set(program.functions) == {"main", "<init>"}


def test_results_without_return() -> None:
    assert operations("")[-1] == "main::<result> = 0"
    other = load("return f();", "int f(void) { }").functions["f"]
    assert [type(edge.operation) for edge in other.edges] == [Declare]


def test_allocation_and_variable_length() -> None:
    before = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);"
    function = main_of("int n = 3; int *p = malloc(n * sizeof *p); p = calloc(2, 4); int a[n][2]; a[1][0] = 5;", before)
    assert [e.operation.cleared for e in function.edges if isinstance(e.operation, Allocate)] == [False, True]
    (vla,) = [e.operation for e in function.edges if isinstance(e.operation, Declare) and e.operation.length]
    assert vla.variable.type == CArray(INT, None)


def test_bit_fields_have_their_own_width() -> None:
    program = load("s.b = 9; return s.a;", "struct S { int a : 3; unsigned b : 9; } s;")
    a, b = program.records["S"]
    assert isinstance(a.type, CInteger) and (a.type.width, a.type.signed, a.bit_offset) == (3, True, 0)
    assert isinstance(b.type, CInteger) and (b.type.width, b.type.signed, b.bit_offset) == (9, False, 3)


def test_operands_of_arithmetic_have_one_type() -> None:
    function = main_of("char c = 1; unsigned u = 2; long l = c + u; return l < u && c == l;")
    for edge in function.edges:
        stack = [edge.operation.value] if isinstance(edge.operation, Assign) else []
        while stack:
            term = stack.pop()
            if isinstance(term, Binary):
                assert term.left.type == term.right.type
                stack += [term.left, term.right]


def test_texts_and_coordinates_follow_the_source() -> None:
    function = load_source("int main(void)\n{\n  int x = 3;\n  if (x  >  2)\n    x = x\n      - 1;\n}", "t.c", LP64)
    texts = [(edge.origin.line, edge.origin.column, edge.text) for edge in function.functions["main"].edges]
    assert texts[1:4] == [(4, 7, "x > 2"), (4, 7, "x > 2"), (5, 5, "x = x - 1")]


def test_main_gets_unknown_arguments() -> None:
    program = load_source("int main(int argc, char **argv) { return argc; }", "t.c", ILP32)
    kinds = [type(edge.operation) for edge in program.functions["<init>"].edges]
    assert kinds == [Nondet, Assume, Nondet, Call]


def test_program_text_shows_every_edge() -> None:
    program = load("int x = 0; while (x < 5) x++; return x;")
    text = program_text(program)
    assert "main::x = (main::x + 1)   // line 3: x++" in text
    assert text.count(" -> ") == sum(len(function.edges) for function in program.functions.values())


@pytest.mark.parametrize(
    "source",
    [
        "int main(void) { int x; " + "if (x == 1) x = 2; else " * 1500 + "; }",
        "int main(void) { int x; x = " + " + ".join(["x"] * 1500) + "; }",
        "int f(void) { return 1; } int main(void) { int x; if (" + " && ".join(["f()"] * 800) + ") x = 1; }",
        "int main(void) { int x; x = " + "(" * 1000 + "x" + ")" * 1000 + "; }",
        "int main(void) { int x; " + "{" * 1000 + "}" * 1000 + " }",
        "int main(void) { int x; x = " + "x ? 1 : " * 1000 + "2; }",
        "int main(void) { int x; switch (x) { " + "".join(f"case {i}: " for i in range(1000)) + "x = 1; } }",
    ],
    ids=["else-if", "sum", "and", "parentheses", "blocks", "conditional", "cases"],
)
def test_deep_programs(source: str) -> None:
    assert load_source(source, "deep.c", LP64).functions["main"].edges


def test_lowering_is_linear_in_the_number_of_functions() -> None:
    def edges(count: int) -> int:
        functions = "".join(f"int f{i}(int a) {{ for (int i = 0; i < a; i++) a--; return a; }}\n" for i in range(count))
        calls = "".join(f"s += f{i}(s);\n" for i in range(count))
        program = load_source(f"{functions}int main(void) {{ int s = 0; {calls} return s; }}", "big.c", LP64)
        return sum(len(function.edges) for function in program.functions.values())

    assert edges(80) - edges(40) == 2 * (edges(40) - edges(20))


def test_constants_stay_in_their_types_range() -> None:
    function = main_of("unsigned char c = 300; _Bool b = 7; unsigned u = -1; short s = 0x18000; return c + b + u + s;")
    values = [edge.operation.value for edge in function.edges if isinstance(edge.operation, Assign)]
    found = [value.value for value in values if isinstance(value, Constant)]
    assert found == [44, 1, 4294967295, -32768]
    assert not any(isinstance(value, Load) for value in values)
