"""The clauses of accesses through pointers that functions without a body have made."""

from encoders.c.analysis.storage import UNKNOWN
from encoders.c.cfa import ir
from encoders.c.encoding.encoder import Encoding, encode
from encoders.c.encoding.memory.elsewhere_changes import ElsewhereChanges
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

PROGRAM = """int *make(void); void ext(int **p); int t[4];
int main(void) {{ int *p = &t[1], *q = {value}; {call} *p = 2; return *p; }}"""


def _encoding(value: str, call: str) -> Encoding:
    program = load_source(PROGRAM.format(value=value, call=call), "a.c", LP64, "undefined-behaviour")
    return encode(program, "undefined-behaviour")


def _open(encoding: Encoding) -> int:
    return sum(info.failure is not None and info.failure.is_open for info in encoding.infos)


def test_accesses_through_what_a_function_has_stored_are_open() -> None:
    assert _open(_encoding("0", "ext(&p);")) > 0
    assert _open(_encoding("0", "ext(&q);")) == 0


def test_a_write_may_change_what_functions_without_a_body_know() -> None:
    encoding = _encoding("0", "ext(&p);")
    edges = [edge for edge in encoding.flat.edges() if encoding.memory.unknown_target(edge) is not None]
    assert {type(edge.operation) for edge in edges} == {ir.Assign}
    leaves = encoding.memory.changed_by_unknown()
    assert {leaf.region.label for leaf in leaves} >= {"t"}
    assert ElsewhereChanges(
        encoding.memory,
        encoding.objects,
        encoding.theory,
        None,
        None,
        -1,  # type: ignore[arg-type]
    ).is_followed
    assert str(UNKNOWN) in str(encoding.system.clauses)
