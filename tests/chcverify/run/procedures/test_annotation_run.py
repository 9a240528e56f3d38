"""Found invariants written into Boogie programs, and proved again there."""

import time
from dataclasses import replace
from pathlib import Path

from chcverify.options import BoogieOptions, InputOptions, Limits, Options, OutputOptions
from chcverify.results.checks import CheckKind, CheckStatus
from chcverify.results.source_facts import SourceInvariant
from chcverify.run.procedures.annotation_run import annotated_program
from chcverify.run.supervisor import supervise
from chcverify.task import resolve

PROGRAM = """
var g: int;
procedure P(n: int) returns (r: int)
  modifies g;
  requires n >= 0;
  ensures r == n && g == old(g) + n;
{
  r := 0;
  while (r < n)
    invariant r <= n;
  { r := r + 1; g := g + 1; }
}
procedure L()
{
  var x, y: int;
  x, y := 0, 0;
Head: goto Body, End;
Body: x, y := x + 1, y + 2; goto Head;
End: assert y == 2 * x;
}
"""
LIMIT_S = 600.0


def options_of(path: Path, boogie: BoogieOptions) -> Options:
    output = OutputOptions(show_invariants=True)
    return Options(InputOptions(str(path), boogie=boogie), Limits(timeout=LIMIT_S), output=output)


def test_what_is_written_is_proved_when_it_is_read_again_and_what_does_not_hold_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "p.bpl"
    path.write_text(PROGRAM)
    options = options_of(path, BoogieOptions(ignore_invariants=True))
    task = resolve(options.input)
    outcome = supervise(task, options, time.monotonic())
    assert outcome.word == "true"
    wrong = SourceInvariant(next(found.origin for found in outcome.invariants), "P", True, "g < 5")
    outcome = replace(outcome, invariants=(*outcome.invariants, wrong))
    found = annotated_program(task, options, outcome, time.monotonic() + LIMIT_S, supervise)
    assert found.written == 2
    assert any("g < 5: it is not proved" in note for note in found.notes)
    assert "g < 5" not in found.text
    path.write_text(found.text)
    options = options_of(path, BoogieOptions())
    again = supervise(resolve(options.input), options, time.monotonic())
    assert again.word == "true"
    invariants = [check for check in again.checks if check.check.kind is CheckKind.INVARIANT]
    assert len(invariants) > 1
    assert all(check.status is CheckStatus.PROVED and check.engine == "stated invariants" for check in invariants)


WITHOUT_CONTRACTS = """
var g: int;
procedure Absolute(x: int) returns (r: int)
{ if (x < 0) { r := -x; } else { r := x; } }
procedure Later(/* ( */ x: int) returns (y: int) ;
  modifies g;
implementation Later(a: int) returns (b: int) { var c: int; c := a; b := a + 1; g := old(g); assert b > c; }
procedure Unknown(x: int) returns (y: int) { if (*) { y := x; } else { y := x + 1; } }
"""


def test_what_procedures_ensure_is_written_and_proved_again(tmp_path: Path) -> None:
    path = tmp_path / "p.bpl"
    path.write_text(WITHOUT_CONTRACTS)
    options = options_of(path, BoogieOptions())
    outcome = supervise(resolve(options.input), options, time.monotonic())
    found = annotated_program(resolve(options.input), options, outcome, time.monotonic() + LIMIT_S, supervise)
    assert found.ensured == 2
    assert "ensures y == (x + 1);" in found.text  # under the names of the declaration
    assert "ensures g == old(g);" in found.text or "ensures g == (old(g));" in found.text
    assert "ensures (x > (-1)) ==> (x == r);" in found.text
    assert found.text.count("ensures") == found.text.split("procedure Unknown")[0].count("ensures")
    path.write_text(found.text)
    again = supervise(resolve(options.input), options, time.monotonic())
    assert again.word == "true"
