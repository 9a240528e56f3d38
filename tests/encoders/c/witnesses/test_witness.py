"""Witnesses of hand-made verdicts and of tiny programs, and the checker of their format."""

import hashlib
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from chcverify.horn.system import Origin
from chcverify.results.outcome import Outcome
from chcverify.results.source_facts import SAME_INPUTS, WITH_INPUTS, SourceInvariant, TraceStep
from chcverify.task import Task
from encoders.c.source_map.c_expressions import c_conjuncts
from encoders.c.source_map.source_map import source_map_of
from encoders.c.witnesses.witness_schema import check_witness
from encoders.c.witnesses.witness_writer import NoWitness, witness, witness_text

INT, UNSIGNED = (-(2**31), 2**31 - 1), (0, 2**32 - 1)
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
  if (n == 2) {
    reach_error();
  }
  return 0;
}
"""
SAFE = """void reach_error(void) {}
int sum(int m) {
  int s = 0;
  for (int k = 0; k < m; k++)
    s = s + 2;
  return s;
}
int main(void) {
  unsigned x = 0;
  while (x < 10) {
    x = x + 2;
  }
  if (sum(3) % 2)
    reach_error();
  if (x > 10)
    reach_error();
  return 0;
}
"""


def step(line: int, column: int, kind: str, text: str, function: str = "main", **changes: str) -> TraceStep:
    value = next(iter(changes.values()), "") if kind in ("input", "return") else ""
    return TraceStep(Origin("p.c", line, column), function, kind, text, tuple(changes.items()), value=value)


TRACE = (
    TraceStep(Origin("p.c", 6, 5), "<init>", "call", "main()"),
    step(7, 11, "input", "__VERIFIER_nondet_int()", n="1"),
    step(8, 11, "statement", "i = 0", i="0"),
    step(9, 10, "condition", "i < n"),
    step(10, 5, "statement", "i = i + 1", i="1"),
    step(9, 10, "condition", "i < n"),
    step(12, 7, "call", "twice(i)", v="1"),
    step(4, 3, "statement", "return v + v;", "twice"),
    step(12, 7, "return", "twice(i)", n="2"),
    step(13, 7, "condition", "n == 2"),
    step(14, 5, "violation", "reach_error()"),
)


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    monkeypatch.chdir(tmp_path)

    def build(source: str, **outcome: Any) -> Any:
        Path("p.c").write_text(source)
        return witness(Outcome(**outcome), Task("p.c", "c", "unreach-call"), "1")

    return build


def invariants(*items: tuple[int, int, str, bool, str]) -> tuple[SourceInvariant, ...]:
    return tuple(SourceInvariant(Origin("p.c", line, column), f, head, text) for line, column, f, head, text in items)


def test_a_trace_becomes_waypoints_in_its_order(make: Callable[..., Any]) -> None:
    entry = make(UNSAFE, status="unsafe", word="false", trace=TRACE)
    points = [segment["segment"][0]["waypoint"] for segment in entry["content"]]
    assert [
        (p["type"], p["location"]["line"], p["location"]["column"], p.get("constraint", {}).get("value"))
        for p in points
    ] == [
        ("function_return", 7, 33, "\\result == 1"),
        ("branching", 9, 3, "true"),
        ("branching", 9, 3, "false"),
        ("function_enter", 12, 14, None),
        ("function_return", 12, 14, "\\result == 2"),
        ("branching", 13, 3, "true"),
        ("target", 14, 5, None),
    ]
    assert check_witness([entry], {"p.c": UNSAFE}) == []


LONG = """int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int s = 0;
  for (int i = 0; i < 1000; i++) {
    int v = __VERIFIER_nondet_int();
    if (v != 7)
      return 0;
  }
  reach_error();
  return 0;
}
"""


def long_trace(values: str, said: str) -> tuple[TraceStep, ...]:
    """A loop with an input each time: two iterations, what is left out, and one more."""

    def iteration(value: str) -> list[TraceStep]:
        return [
            step(5, 19, "condition", "i < 1000"),
            step(6, 13, "input", "__VERIFIER_nondet_int()", v=value),
            step(7, 9, "condition", "v != 7"),
        ]

    one, two, last = map(iteration, values)
    end = [step(5, 19, "condition", "i < 1000"), step(10, 3, "violation", "reach_error()")]
    left_out = TraceStep(Origin("p.c", 5, 3), "main", "repeated", f"997 more iterations of the loop at line 5{said}")
    return (*one, *two, left_out, *last, *end)


def test_equal_inputs_that_were_left_out_avoid_other_values(make: Callable[..., Any]) -> None:
    entry = make(LONG, status="unsafe", word="false", trace=long_trace("777", SAME_INPUTS))
    points = [[item["waypoint"] for item in segment["segment"]] for segment in entry["content"]]
    assert [[(p["type"], p["action"], p["location"]["line"]) for p in segment] for segment in points] == [
        [("function_return", "avoid", 6), ("target", "follow", 10)]
    ]
    assert points[0][0]["constraint"]["value"] == "\\result != 7"
    assert check_witness([entry], {"p.c": LONG}) == []


@pytest.mark.parametrize(("values", "said"), [("777", WITH_INPUTS), ("776", SAME_INPUTS)])
def test_of_inputs_that_are_not_known_to_be_equal_nothing_is_avoided(
    make: Callable[..., Any], values: str, said: str
) -> None:
    entry = make(LONG, status="unsafe", word="false", trace=long_trace(values, said))
    points = [item["waypoint"] for segment in entry["content"] for item in segment["segment"]]
    assert all(point["action"] == "follow" for point in points)
    assert [p["constraint"]["value"][-1] for p in points if p["type"] == "function_return"] == list(values)


def test_conditions_that_are_known_to_hold_are_branches_wherever_they_lead(make: Callable[..., Any]) -> None:
    empty = UNSAFE.replace("    i = i + 1;", "    ;")
    known = (*TRACE[:3], replace(TRACE[3], holds=True), replace(TRACE[5], holds=False), TRACE[-1])
    entry = make(empty, status="unsafe", word="false", trace=known)
    points = [segment["segment"][0]["waypoint"] for segment in entry["content"]]
    assert [p["constraint"]["value"] for p in points if p["type"] == "branching"] == ["true", "false"]
    operand = (*TRACE[:3], replace(TRACE[3], text="i < 5", holds=True), TRACE[-1])
    entry = make(UNSAFE, status="unsafe", word="false", trace=operand)
    points = [segment["segment"][0]["waypoint"] for segment in entry["content"]]
    assert [p["constraint"]["value"] for p in points if p["type"] == "branching"] == ["false"]  # as the next step tells


def test_what_the_trace_does_not_tell_is_left_out(make: Callable[..., Any]) -> None:
    hidden = UNSAFE.replace("  int i = 0;\n", "  { int n = 3; } int i = 0;\n").replace("i = i + 1;", "L: i = i + 1;")
    entry = make(hidden, status="unsafe", word="false", trace=(*TRACE[:4], TRACE[-1]))
    assert [s["segment"][0]["waypoint"]["type"] for s in entry["content"]] == ["function_return", "target"]


def test_columns_after_macros_are_not_believed(make: Callable[..., Any]) -> None:
    expanded = UNSAFE.replace("int twice", "#define N 2\nint twice").replace("n == 2", "n == N")
    shifted = tuple(replace(s, origin=Origin("p.c", s.origin.line + 1, s.origin.column + 1)) for s in TRACE)
    entry = make(expanded, status="unsafe", word="false", trace=shifted)
    points = [segment["segment"][0]["waypoint"] for segment in entry["content"]]
    assert [(p["type"], p["location"]["line"], p["location"]["column"]) for p in points] == [
        ("assumption", 9, 3),
        ("target", 15, 5),
    ]
    assert check_witness([entry], {"p.c": expanded}) == []


def test_a_violation_that_is_elsewhere_has_no_witness(make: Callable[..., Any]) -> None:
    far = TraceStep(Origin("other.h", 3, 1), "main", "violation", "overflow")
    with pytest.raises(NoWitness):
        make(UNSAFE, status="unsafe", word="false", trace=(far,))
    with pytest.raises(NoWitness):
        make(UNSAFE, status="unknown", word="unknown")


def test_line_markers_are_followed(make: Callable[..., Any]) -> None:
    marked = '# 1 "q.c"\n' + UNSAFE
    end = TraceStep(Origin("q.c", 14, 5), "main", "violation", "reach_error()")
    entry = make(marked, status="unsafe", word="false", trace=(end,))
    assert entry["content"][-1]["segment"][0]["waypoint"]["location"]["line"] == 15


def test_invariants_speak_of_what_is_in_scope(make: Callable[..., Any]) -> None:
    found = invariants(
        (10, 3, "main", True, "x <= 10 && x % 2 == 0 && s == 1 && x!1 == 0 && x at entry == 0"),
        (4, 3, "sum", True, "k >= 0 && m == 3 && x == 10 && s % 2 == 0"),
        (5, 5, "sum", False, "k < m || <result> == 1"),
        (6, 3, "sum", False, "s % 2 == 0"),
        (13, 7, "main", False, "x == 10"),
    )
    entry = make(SAFE, status="safe", word="true", invariants=found)
    values = {(i["invariant"]["type"], i["invariant"]["location"]["line"]): i["invariant"] for i in entry["content"]}
    assert {place: i["value"] for place, i in values.items()} == {
        ("loop_invariant", 10): "(long long)x <= 10LL && (long long)x % 2LL == 0LL",
        ("loop_invariant", 4): "k >= 0 && m == 3 && s % 2 == 0",
    }
    assert check_witness([entry], {"p.c": SAFE}) == []


def test_invariants_at_locations_are_for_loops_made_of_labels(make: Callable[..., Any]) -> None:
    source = """void reach_error(void) {}
int main(void) {
  int x = 0, y;
again:
  x = x + 2;
  y = x;
  if (x < 10)
    goto again;
done:
  y = 0;
  return 0;
}
"""
    found = invariants(*((line, 3, "main", line == 5, "x % 2 == 0") for line in (5, 6, 10)))
    entry = make(source, status="safe", word="true", invariants=found)
    places = [(i["invariant"]["type"], i["invariant"]["location"]["line"]) for i in entry["content"]]
    assert places == [("location_invariant", 5)]
    assert check_witness([entry], {"p.c": source}) == []


def test_instances_and_bit_vectors_are_left_out(make: Callable[..., Any]) -> None:
    twice = SAFE.replace("(x > 10)", "(x > 10 + sum(2))")
    loop = invariants((4, 3, "sum", True, "m == 3"))
    assert make(twice, status="safe", word="true", invariants=loop)["content"] == []
    once = make(SAFE, status="safe", word="true", invariants=loop, certificate="(x (_ BitVec 32))")
    assert once["content"] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n <= 5 && u <= 5", ["n <= 5", "(long long)u <= 5LL"]),
        ("u >= 0 && n <= 2147483647", []),  # the types say so
        ("n + 1 <= 5", ["(long long)n + 1LL <= 5LL"]),  # would overflow
        ("!(u < -1 || n != 3)", ["!((long long)u < -1LL || (long long)n != 3LL)"]),
        ("n % 2 == 0 && n % 2 == 1", ["n % 2 == 0"]),  # -1 % 2 is 1 in mathematics and -1 in C
        ("c % 2 == 1 && c / 3 == 2", ["c % 2 == 1", "c / 3 == 2"]),
        ("n / 2 == 1", []),
        ("2 * c % 3 == 1", []),  # which comes first?
        ("c < 3 ? n == 1 : n == 2", ["c < 3 ? n == 1 : n == 2"]),
        ("0", ["0"]),
        ("<result> == 1 && \\forall k; k > 1 && a[n] == 1", []),
        ("n == 18446744073709551616", []),
        ("n * n * n <= 1", []),
        ("c == 1 &&", ["c == 1"]),
        ("(c == 1", []),
        ("c c == 1", []),
    ],
)
def test_mathematics_in_c(text: str, expected: list[str]) -> None:
    assert c_conjuncts(text, {"n": INT, "u": UNSIGNED, "c": (0, 255)}) == expected


def test_the_layout_knows_nested_statements() -> None:
    source = "int f(int a){do if(a)a=1;else{a=2;}while(a);for(;;)switch(a){case 1:a=2;default:return a?1:2;}}\n"
    layout = source_map_of(source, "f.c")
    assert layout is not None
    found = {
        (layout.text(start), layout.token(start).column): source[: layout.token(end).column][-3:]
        for start, end in layout.ends.items()
    }
    assert [(place[0], text) for place, text in sorted(found.items(), key=lambda item: item[0][1])] == [
        ("do", "a);"),
        ("if", "2;}"),
        ("a", "=1;"),
        ("{", "2;}"),
        ("a", "=2;"),
        ("for", "2;}"),
        ("switch", "2;}"),
        ("{", "2;}"),
        ("case", "=2;"),
        ("a", "=2;"),
        ("default", ":2;"),
        ("return", ":2;"),
    ]
    assert source_map_of("int f(void) { (", "f.c") is None


def good() -> dict[str, Any]:
    location = {"file_name": "p.c", "line": 14, "column": 5, "function": "main"}
    assume = {
        "type": "assumption",
        "action": "follow",
        "location": {**location, "line": 8, "column": 3},
        "constraint": {"value": "n == 1", "format": "c_expression"},
    }
    target = {"type": "target", "action": "follow", "location": location}
    return {
        "entry_type": "violation_sequence",
        "metadata": {
            "format_version": "2.0",
            "uuid": str(uuid.UUID(int=5)),
            "creation_time": "2026-01-01T00:00:00Z",
            "producer": {"name": "someone", "version": "1"},
            "task": {
                "input_files": ["p.c"],
                "input_file_hashes": {"p.c": "0" * 64},
                "specification": "CHECK( init(main()), LTL(G ! call(reach_error())) )",
                "data_model": "LP64",
                "language": "C",
            },
        },
        "content": [{"segment": [{"waypoint": assume}]}, {"segment": [{"waypoint": target}]}],
    }


def put(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Sets the value at the end of the path; without a value (...), deletes it."""
    *keys, last, value = path

    def change(entry: Any) -> None:
        for key in keys:
            entry = entry[key]
        if value is ...:
            del entry[last]
        else:
            entry[last] = value

    return change


FIRST = ("content", 0, "segment", 0, "waypoint")
LAST = ("content", 1, "segment", 0, "waypoint")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("metadata", ...), "metadata is missing"),
        (put("entry_type", "proof"), "not one of"),
        (put("extra", 1), "unknown key"),
        (put("metadata", "format_version", 2.0), "not a text"),
        (put("metadata", "format_version", "1.0"), "not one of 2.0"),
        (put("metadata", "uuid", "12"), "uuid"),
        (put("metadata", "creation_time", "yesterday"), "8601"),
        (put("metadata", "producer", "version", ...), "version is missing"),
        (put("metadata", "task", "data_model", "LP32"), "ILP32, LP64"),
        (put("metadata", "task", "language", "Java"), "language"),
        (put("metadata", "task", "specification", "true"), "specification"),
        (put("metadata", "task", "input_files", []), "empty"),
        (put("metadata", "task", "input_file_hashes", {}), "input_file_hashes"),
        (put("metadata", "task", "input_file_hashes", {"p.c": "abc"}), "SHA-256"),
        (put("content", []), "empty"),
        (put("content", 1, ...), "does not end in a target"),
        (put(*FIRST, "type", "target"), "target before the end"),
        (put(*FIRST, "type", "hope"), "not one of"),
        (put(*FIRST, "action", "avoid"), "one waypoint to follow"),
        (put(*LAST, "action", "avoid"), "cannot be avoided"),
        (put(*FIRST, "constraint", ...), "constraint is missing"),
        (put(*FIRST, "constraint", "value", ""), "value is not a text"),
        (put(*FIRST, "constraint", "format", "acsl_expression"), "the format of"),
        (put(*FIRST, "type", "branching"), "true, false"),
        (put(*FIRST, "type", "function_return"), "function_return"),
        (put(*FIRST, "type", "function_enter"), "has no constraint"),
        (put(*LAST, "constraint", {"value": "1"}), "has no constraint"),
        (put(*FIRST, "location", "column", 0), "from 1 on"),
        (put(*FIRST, "location", "line", True), "from 1 on"),
        (put(*FIRST, "location", "line", ...), "line is missing"),
        (put(*FIRST, "location", "file_name", "q.c"), "no input file"),
        (put(*FIRST, "location", "column", 7), "no place of a assumption"),
        (put(*FIRST, "location", "function", "twice"), "not in the function"),
    ],
)
def test_the_checker_finds_each_violation(change: Callable[[dict[str, Any]], None], message: str) -> None:
    entry = good()
    only_hash = check_witness([entry], {"p.c": UNSAFE})
    assert len(only_hash) == 1 and "of another file" in only_hash[0]
    assert check_witness([entry]) == []
    change(entry)
    assert any(message in error for error in check_witness([entry], {"p.c": UNSAFE})), check_witness([entry])


def newer(**changes: Any) -> dict[str, Any]:
    """An entry of version 2.1."""
    entry = {**good(), **changes}
    return {**entry, "metadata": {**entry["metadata"], "format_version": "2.1"}}


def test_version_2_1_has_more() -> None:
    place = {"file_name": "p.c", "line": 3}
    contract = {
        "location": place,
        "requires": "v >= 0",
        "ensures": "\\result == 2 * \\old(v)",
        "format": "acsl_expression",
    }
    transition = {"type": "loop_transition_invariant", "value": "\\at(i, AnyPrev) < i", "format": "ext_c_expression"}
    content = [{"function_contract": contract}, {"invariant": {**transition, "location": {**place, "line": 9}}}]
    ghost = {"name": "g", "type": "int", "scope": "global", "initial": {"value": "0", "format": "c_expression"}}
    change = {"variable": "g", "value": "g + 1", "format": "c_expression"}
    update = {"location": {**place, "line": 8, "column": 3}, "updates": [change]}
    ghosts = {"ghost_variables": [ghost], "ghost_updates": [update]}
    entries = [
        newer(entry_type="invariant_set", content=content),
        newer(entry_type="ghost_instrumentation", content=ghosts),
    ]
    for entry in entries:
        entry["metadata"]["task"]["input_file_hashes"]["p.c"] = hashlib.sha256(UNSAFE.encode()).hexdigest()
    assert check_witness(entries, {"p.c": UNSAFE}) == []
    for entry in entries:
        old = {**entry, "metadata": {**entry["metadata"], "format_version": "2.0"}}
        assert check_witness([old], {"p.c": UNSAFE})
    change["variable"] = "i"
    del contract["requires"], contract["ensures"]
    assert len(check_witness(entries, {"p.c": UNSAFE})) == 2
    assert any("versions" in error for error in check_witness([good(), newer()]))


def test_the_version_is_chosen(make: Callable[..., Any]) -> None:
    make(UNSAFE, status="unsafe", word="false", trace=TRACE)
    outcome = Outcome("unsafe", "false", trace=TRACE)
    entry = witness(outcome, Task("p.c", "c", "unreach-call"), "1", format_version="2.1")
    assert entry["metadata"]["format_version"] == "2.1"
    assert check_witness([entry], {"p.c": UNSAFE}) == []


def test_no_witness_at_all() -> None:
    for data in (None, [], {}, [3], [good(), {**good(), "entry_type": "invariant_set"}]):
        assert check_witness(data)


def test_only_identifier_and_time_differ(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(SAFE)
    task = Task(str(tmp_path / "p.c"), "c", "unreach-call")
    texts = {
        witness_text(witness(Outcome("safe", "true"), task, "1", datetime(2026, 1, 1, tzinfo=UTC), uuid.UUID(int=7)))
        for _ in range(2)
    }
    assert len(texts) == 1
    assert check_witness(yaml.safe_load(texts.pop()), {task.input_file: SAFE}) == []


def asserting(source: str, content: list[dict[str, Any]]) -> str:
    """The program with every invariant as an assertion at its place."""
    lines = source.split("\n")
    items = [item["invariant"] for item in content]
    for item in sorted(items, key=lambda i: (-i["location"]["line"], -i["location"]["column"])):
        row, column = item["location"]["line"] - 1, item["location"]["column"] - 1
        check, line = f"(({item['value']}) ? 1 : (abort(), 0))", lines[row]
        if item["type"] == "loop_invariant":
            cut = line.index(";", column) + 1 if line.startswith("for", column) else line.index("(", column) + 1
            lines[row] = f"{line[:cut]} {check} && {line[cut:]}"
        else:
            lines[row] = f"{line[:column]}{{ {check}; {line[column:]} }}"
    return "void abort(void);\n" + "\n".join(lines)


def test_the_command_writes_witnesses(tmp_path: Path) -> None:
    for name, source, status in (("safe", SAFE, 0), ("unsafe", UNSAFE, 1)):
        program, target = tmp_path / f"{name}.c", tmp_path / f"{name}.yml"
        program.write_text(source)
        command = [sys.executable, "-m", "chcverify", str(program), "--timeout", "600", "--witness", str(target)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        assert ended.returncode == status, ended.stderr
        data = yaml.safe_load(target.read_text())
        assert check_witness(data, {str(program): source}) == []
        if name == "safe" and shutil.which("gcc"):
            assert data[0]["content"]
            checked = tmp_path / "checked.c"
            checked.write_text(asserting(source, data[0]["content"]))
            subprocess.run(["gcc", "-w", "-o", str(tmp_path / "checked"), str(checked)], check=True)
            assert subprocess.run([str(tmp_path / "checked")], check=False).returncode == 0
