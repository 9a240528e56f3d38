"""Functions whose meaning is known by name; conditions are replaced by two edges to their locations."""

from types import SimpleNamespace

import pytest

from encoders.c.cfa.ir import Allocate, Constant, Load, ReachError, Skip, Trap, Variable, VariableLValue
from encoders.c.lowering.calls.annotation_calls import AnnotationCalls
from encoders.c.lowering.calls.special_calls import SpecialCalls
from encoders.c.lowering.checks.library_accesses import LibraryAccesses
from encoders.c.lowering.context import LoweringContext
from encoders.c.source.source_errors import SourceError
from encoders.c.types.c_types import INT, VOID, CFunction, CPointer


@pytest.fixture
def special(context: LoweringContext, peers) -> SpecialCalls:
    branches: list[tuple[int, int]] = []
    later = SimpleNamespace(
        statements=SimpleNamespace(branch=lambda node, then, otherwise: branches.append((then, otherwise))),
        branches=branches,
    )
    annotations = AnnotationCalls(context, peers.side_effects, peers.expressions, later)
    accesses = LibraryAccesses(context, peers.expressions)
    return SpecialCalls(
        context, peers.side_effects, peers.lvalues, peers.expressions, peers.builtins, (), annotations, accesses, later
    )


def lowered(special: SpecialCalls, node, into=None):
    return special.special(node, node.name.name, list(node.args.exprs) if node.args else [], into)


def kinds(special: SpecialCalls) -> list[type]:
    return [type(edge.operation) for edge in special.context.cfa.edges]


def test_assumptions_go_on_in_one_case(special: SpecialCalls, expression) -> None:
    assert lowered(special, expression("__VERIFIER_assume(x)")) == Constant(0, VOID)
    ((then, _),) = special.lowering.branches
    assert special.context.cfa.current == then and kinds(special) == []


def test_allocations_go_into_the_lvalue_where_types_agree(special: SpecialCalls, expression) -> None:
    q = VariableLValue(Variable("f::q", "q", CPointer(VOID)), CPointer(VOID))
    assert lowered(special, expression("malloc(4)"), q) == Load(q, CPointer(VOID))
    assert kinds(special) == [Allocate]
    with pytest.raises(SourceError, match="wrong number of arguments"):
        lowered(special, expression("malloc(4, 4)"))


def test_ends_of_paths(special: SpecialCalls, expression) -> None:
    node = expression("g()")
    assert special.trap(node, "why", INT).type == INT
    special.path_end(node)
    special.violation(node, "reach_error", [])
    assert kinds(special) == [Trap, Skip, ReachError]


def test_arguments_are_converted_and_counted(special: SpecialCalls, expression) -> None:
    node, kind = expression("g(1, 2)"), CFunction(INT, (INT, INT))
    assert special.argument_values(node, kind, node.args.exprs) == (Constant(1, INT), Constant(2, INT))
    with pytest.raises(SourceError, match="too many arguments"):
        special.argument_values(node, CFunction(INT, (INT,)), node.args.exprs)


def test_other_functions_have_no_special_meaning(special: SpecialCalls, expression) -> None:
    assert lowered(special, expression("g(1)")) is None
