"""Functions of which only the type of a call through a pointer is known."""

import pytest

from encoders.c.cfa.ir import Havoc, OpenCheck, Program, Trap
from encoders.c.frontend import load_source
from encoders.c.lowering.environment import Surroundings, UndefinedFunctions
from encoders.c.types.c_types import LP64

START = """static int f(int x) { return x; }
static int one(int x) { return 1; }
static int call(int (*p)(int)) { return p(1); }
static int through(int (*p)(int)) { int (*q)(int) = p; return call(q); }
struct s { int (*p)(int); };
int (*g)(int) = f;
"""


def program_of(body: str, functions: UndefinedFunctions, property: str = "undefined-behaviour") -> Program:
    return load_source(
        f"{START}int main(int c, char **v) {{ {body} }}", "a.c", LP64, property, surroundings=Surroundings(functions)
    )


def operations(program: Program) -> set[type]:
    """The types of the operations that stand for what is not known."""
    edges = [edge.operation for function in program.functions.values() for edge in function.edges]
    return {type(operation) for operation in edges} & {Havoc, OpenCheck, Trap}


@pytest.mark.parametrize(
    "body",
    ["return call(f);", "return call(c ? f : one) + through(one);", "int (*p)(int) = 0; if (c) p = one; return p(2);"],
)
def test_pointers_that_hold_known_functions_only_need_no_others(body: str) -> None:
    program = program_of(body, UndefinedFunctions.HAVOC)
    assert operations(program) == {OpenCheck}
    for function in program.functions.values():  # a call of what is no function is undefined: no run goes on
        ends = {edge.target for edge in function.edges if isinstance(edge.operation, OpenCheck)}
        assert ends.isdisjoint(edge.source for edge in function.edges)


@pytest.mark.parametrize(
    "body",
    [
        "return g(1);",
        "return call(g);",
        "struct s x = {f}; return x.p(1);",
        "int (*p)(int) = f, (**w)(int) = &p; return p(1);",
        "int (*p)(int) = (int (*)(int))c; return p(1);",
    ],
)
def test_others_may_lead_to_a_function_that_nobody_knows(body: str) -> None:
    program = program_of(body, UndefinedFunctions.HAVOC)
    assert operations(program) >= {Havoc, OpenCheck}
    assert any("that only a pointer leads to" in assumption.subject for assumption in program.assumptions)


@pytest.mark.parametrize(
    ("functions", "property"),
    [
        (UndefinedFunctions.PURE, "undefined-behaviour"),
        (UndefinedFunctions.HAVOC, "unreach-call"),
        (UndefinedFunctions.HAVOC, "undefined-behaviour,leak"),
    ],
)
def test_elsewhere_such_calls_are_not_modelled(functions: UndefinedFunctions, property: str) -> None:
    assert Havoc not in operations(program_of("return g(1);", functions, property))
