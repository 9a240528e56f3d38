"""Calls that violate checks, with the predicates that they break."""

import time
from dataclasses import replace
from pathlib import Path

from chcverify.options import HarnessOptions, InputOptions
from chcverify.run.inference.known_calls import ViolatingCall
from chcverify.run.inference.violating_calls import CallSearchLimits, violating_calls
from chcverify.task import resolve

OBSERVED = ("\\valid_read(a)", "\\valid_read(a + (0 .. n - 1))", "n > 0")


def found(path: Path, text: str, requires: tuple[str, ...] = ()) -> tuple[ViolatingCall, ...]:
    """The violating calls of the function f in a text, whose pointers may be null."""
    path.write_text(text)
    task = resolve(InputOptions(str(path), property="undefined-behaviour", entries=("f",)))
    observed = tuple(one for one in OBSERVED if one not in requires)
    task = replace(task, harness=HarnessOptions(null=True, requires=requires, observed=observed))
    return violating_calls(task, None, CallSearchLimits(0.3, 1000, time.monotonic() + 60))


def test_calls_differ_in_what_they_break(tmp_path: Path) -> None:
    text = "int f(const int *a, unsigned n) { int s = 0; for (unsigned i = 0; i < n; i++) s ^= a[i]; return s; }"
    calls = found(tmp_path / "a.c", text)
    by_kind = {kind: [c.broken for c in calls if c.check.kind.value == kind] for kind in ("null", "bounds")}
    assert set(by_kind["bounds"]) == {frozenset({OBSERVED[1]})}
    assert by_kind["null"] and all(set(OBSERVED[:2]) <= broken for broken in by_kind["null"])
    assert len(set(calls)) == len(calls)
    assert not found(tmp_path / "a.c", text, (OBSERVED[1],))


def test_a_function_without_violations(tmp_path: Path) -> None:
    assert found(tmp_path / "a.c", "int f(const int *a, unsigned n) { return a != 0 && n > 0; }") == ()


def test_pointers_of_further_levels_are_there_where_predicates_name_them(tmp_path: Path) -> None:
    path, valid = tmp_path / "a.c", ("\\valid(s)", "\\valid(s->p)", "\\valid(s->p->p)")
    path.write_text("struct s { struct s *p; int n; }; int f(struct s *s) { return s->p->p->n; }")
    task = resolve(InputOptions(str(path), property="undefined-behaviour", entries=("f",)))
    task = replace(task, harness=HarnessOptions(null=True, observed=valid))
    calls = violating_calls(task, None, CallSearchLimits(0.3, 1000, time.monotonic() + 60))
    assert {call.broken for call in calls} == {frozenset({one}) for one in valid}
    required = replace(task, harness=HarnessOptions(null=True, requires=valid))
    assert violating_calls(required, None, CallSearchLimits(0.3, 1000, time.monotonic() + 60)) == ()


def test_a_function_without_choices_is_called_once(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int t[2]; int f(void) { return t[1]; }")
    task = resolve(InputOptions(str(path), property="undefined-behaviour", entries=("f",)))
    begin = time.process_time()
    assert violating_calls(task, None, CallSearchLimits(60, 1000, time.monotonic() + 600)) == ()
    assert time.process_time() - begin < 30
