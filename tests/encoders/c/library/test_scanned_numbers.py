"""Numbers that sscanf reads: where libraries differ, or none fits, there is any result, and what follows is decided."""

import pytest

from encoders.c.cfa.ir import Trap
from encoders.c.encoding.clause_origins import ClauseKind
from encoders.c.encoding.encoder import encode
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64


@pytest.mark.parametrize(
    ("text", "kind", "directive"), [("1e", "double", "%lg"), ("0x", "int", "%i"), ("9", "int", "%d")]
)
def test_what_libraries_read_in_different_ways_is_no_end_of_the_run(text: str, kind: str, directive: str) -> None:
    main = f'int main(void) {{ {kind} v = 0; return sscanf("{text}", "{directive}", &v); }}'
    program = load_source(f"#include <stdio.h>\n{main}", "a.c", LP64, "valid-memsafety")
    edges = [edge for function in program.functions.values() for edge in function.edges]
    assert not any(isinstance(edge.operation, Trap) for edge in edges)
    assert not any(info.kind is ClauseKind.TRAP for info in encode(program).infos)
