"""Operations of threads: their text, and walks over what they evaluate."""

from automata_text import operation_text

from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Replacement, roots, with_roots
from encoders.c.types.c_types import INT, VOID, CPointer

X = ir.VariableLValue(ir.Variable("main::x", "x", INT, "main"), INT)
Y = ir.VariableLValue(ir.Variable("main::y", "y", INT, "main"), INT)
NULL = ir.Constant(0, CPointer(VOID))
OPERATIONS: dict[str, ir.Operation] = {
    "main::x = thread f(main::x)": ir.CreateThread(X, "f", (ir.Load(X, INT),)),
    "main::x = join main::x": ir.JoinThread(ir.Load(X, INT), X),
    "join main::x": ir.JoinThread(ir.Load(X, INT), None),
    "exit thread main::x": ir.ExitThread(ir.Load(X, INT)),
    "begin atomic when main::x": ir.AtomicBegin(ir.Load(X, INT)),
    "begin atomic": ir.AtomicBegin(),
    "end atomic": ir.AtomicEnd(),
    "main::x = current thread": ir.CurrentThread(X),
}


def test_each_operation_has_a_text() -> None:
    assert [operation_text(operation) for operation in OPERATIONS.values()] == list(OPERATIONS)


def test_all_that_an_operation_evaluates_is_replaced() -> None:
    new = Replacement(
        lambda term: ir.Load(Y, INT) if isinstance(term, ir.Load) else term, lambda _: Y, lambda variable: variable
    )
    for text, operation in OPERATIONS.items():
        assert operation_text(with_roots(operation, new)) == text.replace("x", "y").replace("eyit", "exit")
        assert len(roots(operation)) == text.count("main::x")
