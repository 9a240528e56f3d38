"""Runs for programs with threads: models prove, executed schedules violate, everything else is unknown."""

import time
from pathlib import Path

import pytest

from chcverify.options import InputOptions, Limits, Options, SourceFile
from chcverify.properties.data_races import NO_DATA_RACE
from chcverify.run.concurrency import race_run, threaded_run
from chcverify.task import Task

HEAD = """
typedef unsigned long pthread_t;
extern int pthread_create (pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void reach_error(void) {}
int x; pthread_t t, u;
"""
MAIN = """int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
  pthread_join(t, 0); pthread_join(u, 0); if (x > 7) reach_error(); return 0; }
"""
SECTION = "void *f(void *p) { __VERIFIER_atomic_begin(); if (x < 7) x = x + 1; __VERIFIER_atomic_end(); return 0; }\n"
RACE = "void *f(void *p) { x = x + 1; return 0; }\n"
READ = 'int printf(const char *, ...); void *f(void *p) { printf("%d", x); return 0; }\n'
UNUSED = "void *f(void *p) { (void)x; return 0; }\n"
RECORD = "struct s { int n; } s; void *f(void *p) { s; return 0; }\n"
TOO_MUCH = "void *f(void *p) { __VERIFIER_atomic_begin(); x = x + 4; __VERIFIER_atomic_end(); return 0; }\n"
UNUSED_READS = ((READ, "x = 1; return"), (UNUSED, "x = 1; return"), (RECORD, "s.n = 1; return"))


@pytest.mark.parametrize(
    ("text", "property", "verdict"),
    [
        (SECTION, "no-data-race", "true"),
        (SECTION, "unreach-call", "true"),
        (RACE, "no-data-race", "false(no-data-race)"),
        (READ, "no-data-race", "true"),
        *((text.replace("return", more), "no-data-race", "false(no-data-race)") for text, more in UNUSED_READS),
        (TOO_MUCH, "unreach-call", "false(unreach-call)"),
    ],
)
def test_verdicts(tmp_path: Path, text: str, property: str, verdict: str) -> None:
    file = tmp_path / "a.c"
    file.write_text(HEAD + text + MAIN)
    options = Options(InputOptions(str(file)), Limits(timeout=120.0, jobs=1))
    decider = race_run if property == NO_DATA_RACE.name else threaded_run
    outcome = decider.run(Task(str(file), "c", property), options, time.monotonic())
    assert outcome.word == verdict
    assert bool(outcome.trace) == (verdict != "true") == (not outcome.checkers)


def test_what_is_assumed_and_what_is_refused_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    options = Options(InputOptions(str(file)), Limits(timeout=120.0, jobs=1))
    other = "int other(int *); void *f(void *p) { int n; other(&n); %s return 0; }\n"
    for body, status in (("", "safe"), ("x = x + 1;", "unsafe")):
        file.write_text(HEAD + other % body + MAIN)
        outcome = race_run.run(Task(str(file), "c", NO_DATA_RACE.name), options, time.monotonic())
        assert outcome.status == status
        assert {"other", "pthread_create"} <= {each.subject for each in outcome.assumptions}
    outcome = race_run.run(Task(str(file), "c", NO_DATA_RACE.name, entry="f"), options, time.monotonic())
    assert outcome.word == "unknown" and "--entry" in outcome.reason


def test_what_is_not_modelled_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    options = Options(InputOptions(str(file)), Limits(timeout=3.0, jobs=1))
    file.write_text(HEAD + SECTION + MAIN.replace("(&t, 0, f, 0)", "(&t, 0, unknown_start, 0)"))
    file.write_text("extern void *(*unknown_start)(void *);\n" + file.read_text())
    outcome = threaded_run.run(Task(str(file), "c", "unreach-call"), options, time.monotonic())
    assert outcome.word == "unknown" and "thread that begins at a function which is not named" in outcome.reason
    assert "a.c:9" in outcome.reason


def test_declarations_create_no_threads(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(HEAD + "int main(void) { return 0; }\n")
    task = Task(str(file), "c", "unreach-call", sources=(SourceFile(str(file)),))
    assert not threaded_run.may_create_threads(task)
    file.write_text(HEAD + RACE + MAIN)
    assert threaded_run.may_create_threads(task)
    assert race_run.RaceRun.decider == NO_DATA_RACE.decider
