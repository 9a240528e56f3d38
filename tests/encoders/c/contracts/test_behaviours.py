"""Behaviours of contracts, states before and after a call, and what an entry's contract says to be accessible."""

from pathlib import Path

import pytest

from chcverify.options import HarnessOptions, SourceFile
from encoders.c.cfa.ir import Program
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import Begin, load_files
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import LP64

MEMORY = "assertion,bounds,null,lifetime,contract"
ABSOLUTE = """
/*@ requires -100 <= x <= 100;
    assigns \\nothing;
    behavior negative:
      assumes x < 0;
      ensures \\result == -x;
    behavior other:
      assumes x >= 0;
      assumes x < 200;
      ensures \\result == x;
    complete behaviors negative, other;
    disjoint behaviors; */
int absolute(int x) { return x < 0 ? -x : x; }
int main(void) { int r = absolute(-7); if (r != 7) __CPROVER_assert(0, "seven"); return 0; }
"""


def load(folder: Path, text: str, entry: str | None, modular: bool) -> Program:
    path = folder / "p.c"
    path.write_text(text)
    options = HarnessOptions(contracts=True, modular=modular) if entry else None
    begin = Begin(entry or "main", options, contracts=True, modular=modular)
    return load_files([SourceFile(str(path))], LP64, MEMORY, begin=begin)


def violated(folder: Path, text: str, entry: str | None, modular: bool) -> set[str]:
    """What random runs violate: the texts of the checks."""
    program, found = load(folder, text, entry, modular), set()
    for seed in range(300):
        execution = execute(program, Random(seed, (-1, 0, 1, 2, -100, 100), 1 << seed % 5))
        if execution.violation is not None:
            found.add(execution.violation.check.text)
        elif execution.outcome == "error" and execution.trace:
            found.add(execution.trace[-1].text)
    return found


def test_a_clause_without_text_passes_the_preprocessor(tmp_path: Path) -> None:
    """Which makes one space of the two around it."""
    assert not violated(tmp_path, f"#include <stddef.h>\n{ABSOLUTE}", "absolute", True)


CHANGES = [
    ("", "", ""),
    ("return x < 0 ? -x : x;", "return x;", "ensures \\result == -x"),
    ("return x < 0 ? -x : x;", "return x < 0 ? -x : x + 1;", "ensures \\result == x"),
    ("assumes x < 0;", "assumes x < -1;", "complete behaviors"),
    ("assumes x < 0;", "assumes x < 1;", "disjoint behaviors"),
]


@pytest.mark.parametrize(("old", "new", "wrong"), CHANGES)
@pytest.mark.parametrize("modular", [False, True])
def test_each_behaviour_is_proved_where_it_applies(
    old: str, new: str, wrong: str, modular: bool, tmp_path: Path
) -> None:
    found = violated(tmp_path, ABSOLUTE.replace(old, new) if old else ABSOLUTE, "absolute", modular)
    assert bool(found) == bool(wrong)
    assert all(wrong.replace("\\", "") in text.replace("\\", "") for text in found)


def test_behaviours_stand_for_the_body(tmp_path: Path) -> None:
    assert violated(tmp_path, ABSOLUTE, None, True) == set()
    assert violated(tmp_path, ABSOLUTE.replace("assumes x < 0", "assumes x < -50"), None, True)


def test_what_a_behaviour_requires_is_required_where_it_applies(tmp_path: Path) -> None:
    text = """
/*@ assigns \\nothing;
    behavior small: assumes n < 10; requires n > 3; ensures \\result == 1; */
int f(int n) { return 1; }
int main(void) { return f(%d); }
"""
    assert violated(tmp_path, text % 2, None, True) == {"f requires n > 3"}
    assert violated(tmp_path, text % 12, None, True) == violated(tmp_path, text % 4, None, True) == set()


STATES = """
int g;
/*@ requires 0 <= g <= 5;
    ensures %s; */
void f(void) { g = g + 1; }
"""


@pytest.mark.parametrize(
    ("predicate", "holds"),
    [
        ("g == \\at(g, Pre) + 1", True),
        ("g == \\at(g, Old) + 1", True),
        ("\\at(g, Here) == \\at(g, Post) && \\at(g, Post) == \\old(g) + 1", True),
        ("g == \\at(g, Pre)", False),
    ],
)
def test_states_before_and_after_a_call(predicate: str, holds: bool, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(STATES % predicate)
    begin = Begin("f", HarnessOptions(contracts=True), contracts=True)
    program = load_files([SourceFile(str(path))], LP64, begin=begin)
    assert (execute(program, Random(0, (), 9)).outcome == "end") == holds


@pytest.mark.parametrize(
    ("clause", "what"),
    [
        ("requires \\old(x) == 1;", "\\old"),
        ("requires \\at(x, Pre) == 1;", "\\at(..., Pre)"),
        ("ensures \\at(x, Loop) == 1;", "\\at(..., Loop)"),
        ("behavior b: assigns x;", "'assigns' in a behavior"),
        ("assumes x == 1;", "'assumes' outside of a behavior"),
        ("complete behaviors b;", "no such behavior"),
        ("behavior b: assumes x > 0; ensures x == 1; behavior b: assumes x < 0;", "second behavior 'b'"),
    ],
)
def test_what_has_no_meaning_is_refused_by_name(clause: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(Unsupported) as error:
        load(tmp_path, f"/*@ {clause} */\nvoid f(int x) {{ }}", "f", False)
    assert what in str(error.value)


VALID = """
/*@ requires \\valid(p + (0 .. 1));
    ensures \\valid(p + (0 .. %d)) && \\valid_read(p); */
void f(int *p) { p[1] = 0; %s }
"""


@pytest.mark.parametrize(
    ("last", "more", "kinds"), [(1, "", set()), (5, "", {"bounds"}), (1, "__builtin_free(p);", {"lifetime"})]
)
def test_what_is_ensured_to_be_accessible_is_checked(last: int, more: str, kinds: set[str], tmp_path: Path) -> None:
    program = load(tmp_path, VALID % (last, more), "f", False)
    runs = [execute(program, Random(seed, (0, 1, 2, 3), 1 << seed % 4)) for seed in range(200)]
    assert {run.violation.check.kind.value for run in runs if run.violation is not None} == kinds
