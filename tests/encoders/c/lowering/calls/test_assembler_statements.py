"""Calls that stand for assembler statements."""

import pytest
from pycparser import c_ast

from encoders.c.lowering.calls.assembler_statements import AssemblerStatements
from encoders.c.lowering.calls.external_calls import ExternalCalls
from encoders.c.source.gnu_tokens import ASSEMBLER_CALL
from encoders.c.source.source_errors import Unsupported


def test_other_functions_are_left_alone_and_statements_refused(peers) -> None:
    external = ExternalCalls(peers.context, peers.types, peers.static_objects, peers.expressions)
    family = AssemblerStatements(peers.context, peers.lvalues, peers.expressions, external)
    node = c_ast.FuncCall(c_ast.ID(ASSEMBLER_CALL), None)
    assert family.call(node, "f", []) is None
    with pytest.raises(Unsupported, match="assembler statement"):
        family.call(node, ASSEMBLER_CALL, [c_ast.Constant("string", '""')])
