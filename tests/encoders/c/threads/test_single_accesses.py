"""Programs with one shared access on each edge do what the original does in one thread."""

import pytest

from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import roots
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import ExecutionLimits, execute
from encoders.c.frontend import load_source
from encoders.c.threads.shared_accesses import has_conditional_reads, shared_reads, written
from encoders.c.threads.single_accesses import with_single_accesses
from encoders.c.types.c_types import ILP32, LP64, CRecord
from tests.differential.compare import AS_COMPILED, Values, make
from tests.differential.compare import _outputs as outputs
from tests.differential.compare import _whole as whole

DECLARATIONS = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n"
PROGRAM = (
    DECLARATIONS
    + """
struct pair { int first; int rest[2]; };
int x = 3, y, *p = &x, a[4] = {1, 2, 3, 4};
struct pair s = {1, {2, 3}}, t;
static int sum(struct pair of) { return of.first + of.rest[0] + of.rest[1]; }
int main(void) {
    y = x++ + (x && *p == 4 ? a[x - 2] : 100);
    int right_side = 0;
    if (!p || x > 5 || (right_side = a[y - 6], a[1] == 2 && y > 100)) reach_error();
    t = s;
    a[y - 6] = sum(t) + *p;
    int none = 0;
    switch (x) { case 4: none = y; break; default: reach_error(); }
    p = 0;
    if (p && *p) reach_error();
    if (CLAIM) return 0;
    reach_error();
}
"""
)


def steps(operation: ir.Operation) -> int:
    """The shared accesses of an operation."""
    return len(shared_reads(*roots(operation))) + (written(operation) is not None)


def is_split(operation: ir.Operation) -> bool:
    """True if the operation accesses shared memory at most once, and always."""
    return is_union(operation) or (steps(operation) <= 1 and not has_conditional_reads(*roots(operation)))


def edges_of(program: ir.Program) -> list[ir.Edge]:
    functions = (function for name, function in program.functions.items() if name != program.initialise)
    return [edge for function in functions for edge in function.edges]


def is_union(operation: ir.Operation) -> bool:
    return isinstance(operation, ir.Assign) and isinstance(operation.lvalue.type, CRecord)


@pytest.mark.parametrize(("claim", "outcome"), [("a[0] == 10 && y == 6", "end"), ("a[0] == 10 && y == 7", "error")])
def test_values_stay(claim: str, outcome: str) -> None:
    program = load_source(PROGRAM.replace("CLAIM", claim), "a.c", LP64)
    split = with_single_accesses(program)
    assert any(steps(edge.operation) > 1 for edge in edges_of(program))
    assert all(is_split(edge.operation) for edge in edges_of(split))
    limits = ExecutionLimits(steps=1000)
    for each in (program, split):
        assert execute(each, Random(0, (), 1), limits).outcome == outcome


def test_locations_and_first_positions_stay() -> None:
    program = load_source(PROGRAM.replace("CLAIM", "1"), "a.c", LP64)
    split = with_single_accesses(program)
    for name, function in program.functions.items():
        assert split.functions[name].locations[: len(function.locations)] == function.locations
        assert {edge.source for edge in function.edges} <= {edge.source for edge in split.functions[name].edges}


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_do_the_same(seed: int) -> None:
    model = ILP32 if seed % 2 else LP64
    case = make(seed, model)
    program = load_source(whole(case, ""), "a.c", model, surroundings=AS_COMPILED)
    split = with_single_accesses(program)
    assert all(is_split(edge.operation) for edge in edges_of(split))
    first, second = (
        execute(each, Values(list(case.numbers)), ExecutionLimits(steps=50_000)) for each in (program, split)
    )
    assert "limit" in (first.outcome, second.outcome) or first.outcome == second.outcome
    assert first.outcome != "end" or outputs(first) == outputs(second)
