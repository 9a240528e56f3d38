"""Derivations about blocks that are records: each member has the contents that its own array says."""

from pathlib import Path

from chcverify.problems.c_problem import load_c_program
from chcverify.results.checks import CheckKind
from chcverify.results.result import Unsafe
from chcverify.task import Task
from encoders.c.certificates.derivation_replay import replay
from encoders.c.cfa.program_checks import assuming, checks_of, selectable
from encoders.c.encoding.encoder import encode
from solvers.engine import Context
from solvers.spacer import Spacer

TEXT = """#include <string.h>
struct part { unsigned long length; unsigned char *bytes; };
int f(const struct part *a, const struct part *b) {
  if (a->length != b->length || !a->bytes || !b->bytes) return 0;
  return memcmp(a->bytes, b->bytes, a->length);
}
"""


def test_a_length_beside_a_pointer_is_that_of_the_derivation(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(TEXT)
    program = selectable(load_c_program(Task(str(path), "c", "undefined-behaviour", entry="f")))
    wanted = {check for check in checks_of(program) if check.kind is CheckKind.BOUNDS and "memcmp" in check.text}
    encoding = encode(assuming(program, frozenset(checks_of(program)) - wanted))
    result = Spacer().solve(encoding.system, Context.within(120))
    assert isinstance(result, Unsafe)
    assert replay(encoding, result.derivation).outcome == "error"
