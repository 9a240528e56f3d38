"""Witnesses against programs: what is claimed is woven in where it stands, and decided with it."""

import hashlib
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from chcverify.errors import InputError
from chcverify.options import InputOptions, Limits, Options
from chcverify.problems.protocol import Refused
from chcverify.run.witnesses.witness_program import ProgramWithWitness
from chcverify.run.witnesses.witness_validation import run as validate
from chcverify.task import Task
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import Execution, run
from encoders.c.execution.testing.random_runs import random_runs
from encoders.c.witnesses.witness_reader import NotSupported, read_witness
from encoders.c.witnesses.witness_writer import SPECIFICATIONS

UNSAFE = """void reach_error(void) {}
int __VERIFIER_nondet_int(void);
int twice(int v) {
  return v + v;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  while (i < n) {
    i = i + 1;
  }
  n = twice(i);
  if (n == 6) {
    reach_error();
  }
  return 0;
}
"""
SAFE = """typedef unsigned int word;
void reach_error(void) {}
int __VERIFIER_nondet_int(void);
int main(void) {
  word x = 0;
  for (int k = 0; k < 5; k++)
    x = x + 2;
again:
  x++;
  if (x < 20 && __VERIFIER_nondet_int()) goto again;
  if (x < 11)
    reach_error();
  return 0;
}
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., tuple[str, Task]]:
    def build(source: str, content: list[Any], property_: str = "unreach-call", **changes: Any) -> tuple[str, Task]:
        program, witness = tmp_path / "p.c", tmp_path / "w.yml"
        program.write_text(source)
        invariants = not content or "invariant" in content[0]
        entry = {
            "entry_type": "invariant_set" if invariants else "violation_sequence",
            "metadata": {
                "format_version": "2.0",
                "uuid": "00000000-0000-0000-0000-000000000007",
                "creation_time": "2026-01-01T00:00:00Z",
                "producer": {"name": "somebody", "version": "1"},
                "task": {
                    "input_files": ["p.c"],
                    "input_file_hashes": {"p.c": hashlib.sha256(source.encode()).hexdigest()},
                    "specification": SPECIFICATIONS[property_],
                    "data_model": "LP64",
                    "language": "C",
                    **changes,
                },
            },
            "content": content,
        }
        witness.write_text(yaml.safe_dump([entry]))
        return str(witness), Task(str(program), "c", property_)

    return build


def location(line: int, column: int) -> dict[str, Any]:
    return {"file_name": "p.c", "line": line, "column": column}


def invariant(kind: str, line: int, column: int, value: str) -> dict[str, Any]:
    item = {"type": f"{kind}_invariant", "location": location(line, column), "value": value, "format": "c_expression"}
    return {"invariant": item}


def segment(*waypoints: dict[str, Any]) -> dict[str, Any]:
    return {"segment": [{"waypoint": waypoint} for waypoint in waypoints]}


def point(kind: str, line: int, column: int, value: str = "", action: str = "follow") -> dict[str, Any]:
    data: dict[str, Any] = {"type": kind, "action": action, "location": location(line, column)}
    if value:
        format_ = {"function_return": "acsl_expression", "branching": None}.get(kind, "c_expression")
        data["constraint"] = {"value": value, **({"format": format_} if format_ else {})}
    return data


TARGET = segment(point("target", 14, 5))
GOOD = [
    segment(point("function_return", 7, 33, "\\result == 3")),
    segment(point("branching", 9, 3, "true")),
    segment(point("assumption", 10, 5, "i == 2")),
    segment(point("branching", 9, 3, "false")),
    segment(point("function_enter", 12, 14)),
    segment(point("function_return", 12, 14, "\\result > 5")),
    segment(point("branching", 13, 3, "true")),
    TARGET,
]


def validator(path: str, task: Task) -> ProgramWithWitness:
    return ProgramWithWitness(read_witness(path, task.input_file), 0, time.monotonic() + 600)


@pytest.mark.parametrize(
    ("content", "followed"),
    [
        (GOOD, True),
        ([TARGET], False),  # nothing is known of the input: the runs on 0, and random ones, are not enough
        ([segment(point("assumption", 8, 3, "n == 3")), TARGET], True),
        ([segment(point("function_return", 7, 33, "\\result != 3", "avoid"), point("target", 14, 5))], True),
        ([segment(point("function_return", 7, 33, "\\result == 4")), TARGET], False),
        ([*GOOD[:1], segment(point("assumption", 10, 5, "i == 3")), TARGET], False),
        ([*GOOD[:1], segment(point("function_return", 12, 14, "\\result < 6")), TARGET], False),
        ([*GOOD[:1], segment(point("target", 4, 3))], False),  # the violation is not there
        ([*GOOD[:1], segment(point("assumption", 10, 5, "i == 2", "avoid"), point("target", 14, 5))], False),
        ([*GOOD[:1], segment(point("assumption", 10, 5, "i == 7", "avoid"), point("target", 14, 5))], True),
        ([*GOOD[:1], *[segment(point("branching", 9, 3, "true"))] * 3, TARGET], True),
        ([*GOOD[:1], *[segment(point("branching", 9, 3, "true"))] * 4, TARGET], False),
    ],
)
def test_runs_follow_waypoints(write: Callable[..., Any], content: list[Any], followed: bool) -> None:
    path, task = write(UNSAFE, content)
    found = validator(path, task)
    if content == [TARGET]:
        found = ProgramWithWitness(found.witness, 0, 0.0)
    assert (found.choices(found.instrumented(task)) is not None) == followed


LONG = """void reach_error(void) {}
int main(void) {
  unsigned n = 0;
  while (n < 20000) n++;
  if (n > 7)
    reach_error();
}
"""


def test_runs_too_long_for_steps_are_left_to_engines_and_no_model_counts(
    write: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chcverify.run.witnesses.witness_program.BRIEF_SHARE", 0.0)  # none for the derivation
    path, task = write(LONG, [segment(point("target", 6, 5))])
    problem = ProgramWithWitness(read_witness(path, task.input_file), 0, time.monotonic() + 600).problem(task)
    with pytest.raises(Refused, match="too long to be derived step by step"):
        problem.find_violation_by_testing(0, time.monotonic() + 600)
    options = Options(InputOptions(task.input_file), limits=Limits(timeout=600))
    outcome = validate(task, path, options, time.monotonic(), lambda phase: None)
    assert outcome.word == "confirmed" and outcome.engine == "acceleration on original"


def first_error(path: str, task: Task) -> Execution | None:
    program = validator(path, task).instrumented(task)
    found = random_runs(program, 0, 40)
    return None if found is None else run(program, found.inputs)


@pytest.mark.parametrize(
    ("kind", "line", "column", "value", "holds"),
    [
        ("loop", 6, 3, "x == 2 * k && k <= 5", True),
        ("loop", 6, 3, "k < 5", False),  # not when the loop ends
        ("location", 7, 5, "k < 5 && (word)k < 5", True),
        ("location", 7, 5, "x == 0", False),
        ("location", 8, 1, "x >= 10", True),
        ("location", 8, 1, "x == 10", False),  # jumps to the label come by
        ("location", 9, 3, "x < 20", True),
        ("location", 12, 5, "0", True),  # nobody comes there
        ("location", 13, 3, "((x)) - 1u < 20u", True),
    ],
)
def test_invariants_are_asserted_where_they_stand(
    write: Callable[..., Any], kind: str, line: int, column: int, value: str, holds: bool
) -> None:
    found = first_error(*write(SAFE, [invariant(kind, line, column, value)]))
    assert (found is None) == holds
    if found is not None:
        assert found.trace[-1].text == f"invariant {value} at line {line}"


@pytest.mark.parametrize(
    "value", ["y == 1", "x = 1", "x++", "main()", "x ==", "1); (x = 3", "k < 5", "({ 1; })", "(struct s)x", '"a" * 2']
)
def test_what_is_no_expression_of_its_place_is_refused(write: Callable[..., Any], value: str) -> None:
    path, task = write(SAFE, [invariant("location", 9, 3, value)])
    with pytest.raises(Refused):
        validator(path, task).instrumented(task)


def test_invariants_do_not_overflow(write: Callable[..., Any]) -> None:
    source = "int main(void) {\n  int x = 2147483647;\n  x = x - 1;\n  return 0;\n}\n"
    path, task = write(source, [invariant("location", 3, 3, "x + 1 < 0 && -x < 0")], "no-overflow")
    assert run(validator(path, task).instrumented(task), Inputs()).outcome == "end"


def test_lines_are_those_on_disk(write: Callable[..., Any]) -> None:
    marked = '# 7 "q.c"\n' + SAFE
    assert first_error(*write(marked, [invariant("loop", 7, 3, "x == 2 * k")])) is None
    assert first_error(*write(marked, [invariant("loop", 7, 3, "x == 3 * k")])) is not None


def test_witnesses_of_something_else(write: Callable[..., Any]) -> None:
    path, task = write(SAFE, [])
    Path(task.input_file).write_text(SAFE + "\n")
    with pytest.raises(InputError, match="hash"):
        read_witness(path, task.input_file)
    path, task = write(UNSAFE, [*GOOD[:-1]])
    with pytest.raises(InputError, match="does not end in a target"):
        read_witness(path, task.input_file)
    path, task = write(SAFE, [], specification="CHECK( init(main()), LTL(G ! data-race) )")
    with pytest.raises(NotSupported):
        read_witness(path, task.input_file)
    Path(path).write_text("- a: [")
    with pytest.raises(InputError, match="not YAML"):
        read_witness(path, task.input_file)


@pytest.mark.parametrize(
    ("source", "content", "word", "status"),
    [
        (SAFE, [invariant("loop", 6, 3, "x == 2 * k && k <= 5")], "confirmed", 0),
        (SAFE, [invariant("location", 9, 3, "x == 10")], "rejected", 1),
        (UNSAFE, GOOD, "confirmed", 0),
        (UNSAFE, [segment(point("assumption", 8, 3, "n == 3 && n == 4")), TARGET], "rejected", 1),
        (UNSAFE, [segment(point("branching", 9, 3, "default")), TARGET], "unknown", 3),
        (UNSAFE, [segment(point("assumption", 8, 3, "1", "avoid"), point("target", 14, 5))], "unknown", 3),
        (UNSAFE, [invariant("loop", 9, 3, "i >= 0")], "rejected", 1),
    ],
)
def test_the_command(write: Callable[..., Any], source: str, content: list[Any], word: str, status: int) -> None:
    path, task = write(source, content)
    command = [sys.executable, "-m", "chcverify", "validate", task.input_file, "--witness", path, "--timeout", "600"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert (ended.stdout.strip(), ended.returncode) == (word, status), ended.stderr


MEMORY = """void *malloc(unsigned long); void free(void *);
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int *p = malloc(8);
  if (n == 5)
    p[2] = n;
  p[0] = 1;
  free(p);
  if (n == 7)
    p[1] = 2;
  return 0;
}
"""
FIVE, SEVEN = (segment(point("function_return", 4, 33, f"\\result == {value}")) for value in (5, 7))


@pytest.mark.parametrize(
    ("content", "followed"),
    [
        ([FIVE, segment(point("target", 7, 5))], True),
        ([SEVEN, segment(point("target", 11, 5))], True),
        ([FIVE, segment(point("target", 11, 5))], False),  # the violation is elsewhere
        ([SEVEN, segment(point("branching", 6, 3, "true")), segment(point("target", 7, 5))], False),
        ([FIVE, segment(point("branching", 10, 3, "true")), segment(point("target", 7, 5))], False),  # it comes before
    ],
)
def test_violations_of_memory_count_in_the_target(
    write: Callable[..., Any], content: list[Any], followed: bool
) -> None:
    path, task = write(MEMORY, content, "valid-memsafety")
    found = validator(path, task)
    assert (found.choices(found.instrumented(task)) is not None) == followed
    if not followed:
        with pytest.raises(Refused, match="no run on the witness's values"):
            found.problem(task)


def test_a_witness_of_one_line_of_memory_safety_is_of_all(write: Callable[..., Any]) -> None:
    lines = SPECIFICATIONS["valid-memsafety"].split("\n")
    for text in (*lines, "\n".join(reversed(lines))):
        path, task = write(MEMORY, [FIVE, segment(point("target", 7, 5))], "valid-memsafety", specification=text)
        assert read_witness(path, task.input_file).specification == "valid-memsafety"
    path, task = write(MEMORY, [segment(point("target", 7, 5))], "valid-memsafety", specification="CHECK( of nothing )")
    with pytest.raises(InputError):
        read_witness(path, task.input_file)


@pytest.mark.parametrize(
    ("body", "property_"),
    [
        ("int n = __VERIFIER_nondet_int();\n  int a[3];\n  if (n == 4)\n    a[n] = 1;\n  return 0;", "valid-memsafety"),
        ("int *p = malloc(4);\n  p = 0;\n  return 0;", "valid-memsafety"),
        ("int *p = malloc(4);\n  *p = 1;\n  return 0;", "valid-memcleanup"),
    ],
)
def test_own_witnesses_of_memory_safety_are_confirmed(tmp_path: Path, body: str, property_: str) -> None:
    program, witness = tmp_path / "p.c", tmp_path / "w.yml"
    declared = "void *malloc(unsigned long);\nint __VERIFIER_nondet_int(void);\n"
    program.write_text(f"{declared}int main(void) {{\n  {body}\n}}\n")
    common = [str(program), "--property", property_, "--timeout", "600", "--witness", str(witness)]
    made = subprocess.run([sys.executable, "-m", "chcverify", *common], capture_output=True, text=True, check=False)
    assert made.stdout.startswith("false(valid-"), made.stderr
    asked = subprocess.run(
        [sys.executable, "-m", "chcverify", "validate", *common], capture_output=True, text=True, check=False
    )
    assert asked.stdout.strip() == "confirmed", asked.stderr
