"""Conditions written into the text of a Boogie program."""

from chcverify.horn.origin import Origin
from chcverify.run.procedures.annotated_boogie import annotated_boogie

PROGRAM = """procedure P(n: int) {
  while (n < (3)) // behind )
  { while (*) /* ( */ invariant true; { } }
A: goto A;
}
"""
EXPECTED = """procedure P(n: int) {
  while (n < (3))
    invariant n > 0;
    invariant n > 1;
  // behind )
  { while (*)
    invariant n > 2;
  /* ( */ invariant true; { } }
A:
  assert n > 3;
goto A;
}
"""


def test_conditions_stand_behind_guards_and_labels() -> None:
    outer, inner, label, other = (Origin("p.bpl", *place) for place in ((2, 3), (3, 5), (4, 1), (5, 1)))
    found = annotated_boogie(PROGRAM, {label: ["n > 3"], outer: ["n > 0", "n > 1"], inner: ["n > 2"], other: ["n > 4"]})
    assert found.text == EXPECTED
    assert found.without_position == (other,)
    assert found.lines == {3: (outer, "n > 0"), 4: (outer, "n > 1"), 7: (inner, "n > 2"), 10: (label, "n > 3")}
