"""Operations without a result for some operands are seen on the edges of programs."""

from pathlib import Path

import pytest

from chcverify.options import SourceFile
from encoders.c.frontend import load_files
from encoders.c.termination.partial_operations import is_undefined_for_some_values
from encoders.c.types.c_types import DATA_MODELS

PARTIAL = [
    "c = a / b",
    "c = a % b",
    "c = a << b",
    "c = a >> b",
    "c = i << 1",
    "c = (unsigned)f",
    "c = a / 0",
    "i = p - q",
]
TOTAL = ["c = a / 2", "c = a % 3", "c = a << 4", "c = i >> 1", "c = a + b", "f = a", "c = a / 4294967295u", "c = *p"]


@pytest.mark.parametrize("statement", PARTIAL + TOTAL)
def test_partial_operations(statement: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(f"unsigned a, b, c; int i, *p, *q; float f; int main(void) {{ {statement}; }}", encoding="utf-8")
    program = load_files([SourceFile(str(path))], DATA_MODELS["LP64"], "termination")
    edges = [edge for function in program.functions.values() for edge in function.edges]
    assert is_undefined_for_some_values(edges) == (statement in PARTIAL)
