"""Comparisons of CBMC's numbers of objects become calls of `__CPROVER_same_object`."""

import pytest
from pycparser.c_generator import CGenerator

from encoders.c.source.parser import parse
from encoders.c.source.pointer_objects import NUMBER


@pytest.mark.parametrize(
    ("condition", "becomes"),
    [
        (f"{NUMBER}(p) == {NUMBER}(q)", "__CPROVER_same_object(p, q)"),
        (f"{NUMBER}(p) != {NUMBER}(q)", "!__CPROVER_same_object(p, q)"),
        (f"1 || f({NUMBER}(p) != {NUMBER}(q))", "1 || f(!__CPROVER_same_object(p, q))"),
        (f"{NUMBER}(p) == 0", f"{NUMBER}(p) == 0"),
        (f"{NUMBER}(p) < {NUMBER}(q)", f"{NUMBER}(p) < {NUMBER}(q)"),
    ],
)
def test_comparisons_of_objects(condition: str, becomes: str) -> None:
    tree, _ = parse(f"int f(); int g(int *p, int *q) {{ return {condition}; }}", "p.c")
    assert CGenerator().visit(tree.ext[-1].body.block_items[0]) == f"return {becomes};"
