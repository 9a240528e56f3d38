"""Witnesses of termination and of runs that do not end: written, read, confirmed, rejected."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from chcverify.run.witnesses.witness_marks import invariant_marks, path_of, target_of, unrolled
from encoders.c.witnesses.witness_reader import Invariant, SourcePosition, Waypoint, Witness
from encoders.c.witnesses.witness_schema import check_witness

NESTED = """extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), j;
  for (unsigned i = 0; i < n; i++) {
    j = n;
    while (j > i) j--;
  }
  return 0;
}
"""
RESETS = """extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 3) return 0;
  while (i < n) {
    if (__VERIFIER_nondet_int() == 5) i++; else i = 0;
  }
  return 0;
}
"""
WRAPS = """extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  while (x != 0) x += 2;
  return 0;
}
"""
PLAIN = "int main(void) { int x = 3; while (1) { x = 3; } }\n"


def command(folder: Path, *arguments: str) -> str:
    words = [sys.executable, "-m", "chcverify", *arguments]
    return subprocess.run(words, capture_output=True, text=True, timeout=600, check=False, cwd=folder).stdout


def written(folder: Path, code: str, verdict: str) -> str:
    """The text of the witness of a program."""
    (folder / "p.c").write_text(code)
    assert command(folder, "p.c", "--property", "termination", "--witness", "w.yml") == f"{verdict}\n"
    text = (folder / "w.yml").read_text()
    data = yaml.safe_load(text)
    assert check_witness(data, {"p.c": code}) == [] and data[0]["metadata"]["format_version"] == "2.1"
    return text


def validated(folder: Path, text: str) -> str:
    (folder / "w.yml").write_text(text)
    return command(folder, "validate", "--witness", "w.yml", "p.c", "--property", "termination", "--timeout", "60")


def test_ranks_are_claims_about_pairs_of_visits(tmp_path: Path) -> None:
    text = written(tmp_path, NESTED, "true")
    assert text.count("type: loop_transition_invariant") == 2 and "\\at(j, AnyPrev)" in text
    assert validated(tmp_path, text) == "confirmed\n"
    wrong = text.replace("j, AnyPrev) > (__int128)j", "j, AnyPrev) > (__int128)j + 1")
    assert wrong != text and validated(tmp_path, wrong) == "rejected\n"


def test_a_claim_holds_for_all_pairs_of_visits(tmp_path: Path) -> None:
    """A relation that holds from each visit to the next one only is rejected."""
    text = written(tmp_path, NESTED, "true")
    wrong = re.sub(r"value: .*j, AnyPrev.*", r"value: \\at(j, AnyPrev) == j + 1 || \\at(i, AnyPrev) < i", text)
    assert wrong != text and validated(tmp_path, wrong) == "rejected\n"


@pytest.mark.parametrize("code", [RESETS, PLAIN, WRAPS])
def test_a_run_that_does_not_end_is_confirmed(code: str, tmp_path: Path) -> None:
    """WRAPS: no state comes again within the length of a derivation; an odd number stays odd."""
    text = written(tmp_path, code, "false(termination)")
    assert "action: cycle" in text and "type: target" not in text
    assert validated(tmp_path, text) == "confirmed\n"


def test_other_values_are_not_confirmed(tmp_path: Path) -> None:
    text = written(tmp_path, RESETS, "false(termination)")
    (value,) = re.findall(r"action: cycle(?:\n.*){6}\n.*result == (-?\d+)", text)
    wrong = re.sub(rf"(action: cycle(?:\n.*){{6}}\n.*result == ){value}", r"\g<1>5", text)  # i grows up to n
    assert wrong != text and validated(tmp_path, wrong) == "unknown\n"


def test_a_value_from_which_the_run_ends_is_not_confirmed(tmp_path: Path) -> None:
    text = written(tmp_path, WRAPS, "false(termination)")
    wrong = re.sub(r"result == -?\d+", "result == 4294967294", text)
    assert wrong != text and validated(tmp_path, wrong) == "unknown\n"


def test_a_run_of_a_program_that_ends_is_rejected(tmp_path: Path) -> None:
    text = written(tmp_path, RESETS, "false(termination)")
    ends = RESETS.replace("else i = 0;", "else i = n;")
    data = yaml.safe_load(text.replace("i = 0", "i = n"))
    (tmp_path / "p.c").write_text(ends)
    data[0]["metadata"]["task"]["input_file_hashes"]["p.c"] = hashlib.sha256(ends.encode()).hexdigest()
    assert validated(tmp_path, yaml.dump(data)) == "rejected\n"


def test_a_cycle_is_unrolled() -> None:
    place = SourcePosition("p.c", 1, 1)
    points = (
        Waypoint(0, "assumption", "follow", place, "1"),
        Waypoint(1, "assumption", "avoid", place, "0"),
        Waypoint(1, "assumption", "cycle", place, "1"),
    )
    found = unrolled(Witness("LP64", "termination", waypoints=points, segments=2), 3)
    assert found.segments == 4 and [point.segment for point in found.waypoints] == [0, 1, 1, 2, 2, 3, 3]
    assert {point.action for point in found.waypoints} == {"follow", "avoid"}
    assert target_of(found) is None and path_of(found, []).target is None


def test_a_mark_notes_the_values_that_its_claim_speaks_of() -> None:
    claim = Invariant("loop_transition_invariant", SourcePosition("p.c", 4, 3), "\\at(i, AnyPrev) < i")
    ((mark, _),) = invariant_marks(Witness("LP64", "termination", (claim,)))
    assert mark.snapshot == ("i",) and "AnyPrev" not in mark.expression
