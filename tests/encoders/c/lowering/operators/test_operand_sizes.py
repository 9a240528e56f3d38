"""sizeof and _Alignof: constants, but of arrays of variable length."""

import pytest

from encoders.c.cfa.ir import Constant
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.operators.operand_sizes import OperandSizes
from encoders.c.source.source_errors import SourceError
from encoders.c.types.c_types import LP64, size_type


@pytest.mark.parametrize(
    ("text", "size"), [("sizeof(int[3])", 12), ("sizeof x", 4), ("_Alignof(double)", 8), ("sizeof(x + 1L)", 8)]
)
def test_sizes(context: LoweringContext, peers, expression, text: str, size: int) -> None:
    sizes = OperandSizes(context, peers.types, peers.lvalues)
    assert sizes.size(expression(text), peers.expressions) == Constant(size, size_type(LP64))


def test_incomplete_types_have_none(context: LoweringContext, peers, expression) -> None:
    with pytest.raises(SourceError):
        OperandSizes(context, peers.types, peers.lvalues).size(expression("sizeof(struct none)"), peers.expressions)
