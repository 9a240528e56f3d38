"""Each pair of kinds of checks, with nothing else: runs, and the clauses, of one small program."""

import pytest

from chcverify.results.checks import CheckKind
from encoders.c.encoding.encoder import encode
from encoders.c.execution.beyond_loss import beyond_loss
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import run
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

PROGRAM = """
void *malloc(unsigned long size); void free(void *block); void reach_error(void);
struct pair { int first[2]; struct pair *next; };
int main(void) {
  struct pair *one = malloc(sizeof *one), *two = malloc(sizeof *two);
  int local[3] = {1, 2, 3}, index = local[1], *kept = 0;
  { int inner = index << 1; kept = &inner; *kept += 4 / index; }
  one->next = two;
  two->first[index - 1] = (short)index;
  if (two->first[1] != 2) reach_error();
  free(one->next);
  free(one);
  BAD
  return 0;
}
"""
BAD = {
    CheckKind.ASSERTION: "reach_error();",
    CheckKind.BOUNDS: "local[index + 1] = 1;",
    CheckKind.NULL: "kept = 0; *kept = 1;",
    CheckKind.LIFETIME: "*kept = 1;",
    CheckKind.FREE: "free(local);",
    CheckKind.LEAK: "one = malloc(4); one = 0;",
    CheckKind.CLEANUP: "static void *held; held = malloc(4);",
    CheckKind.DIVISION: "index = index / (index - 2);",
    CheckKind.SHIFT: "index = index << 40;",
    CheckKind.OVERFLOW: "index = index + 2147483647;",
    CheckKind.CONVERSION: "index = index + 100000; short small = index;",
    CheckKind.UNINITIALISED: "int unwritten; index = unwritten;",
    CheckKind.UNREACHABLE: "__builtin_unreachable();",
    CheckKind.BUILTIN: "index = __builtin_clz(index - 2);",
    CheckKind.VLA_BOUND: "char room[index - 2]; index = sizeof room;",
}


@pytest.mark.parametrize("kind", BAD)
def test_kinds_alone_and_with_each_other(kind: CheckKind) -> None:
    others = [other for other in BAD if other >= kind]
    for other in others:
        property = ",".join(dict.fromkeys((kind.value, other.value)))
        good = load_source(PROGRAM.replace("BAD", ""), "p.c", LP64, property)
        assert run(good, Inputs(())).outcome == "end", property
        assert encode(good).system.clauses
        bad = load_source(PROGRAM.replace("BAD", BAD[kind]), "p.c", LP64, property)
        found = run(bad, Inputs(()))
        assert found.violation is not None and found.violation.check.kind is kind, property
        assert beyond_loss(bad, found).violation == found.violation, property
