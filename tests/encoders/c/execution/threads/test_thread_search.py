"""Runs under a scheduler: what the search finds is executed again from its schedule, and safe programs have no run."""

import math
import random
import time

import pytest

from encoders.c.cfa import ir
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Inputs, Random, Recorded
from encoders.c.execution.interpreter import ExecutionLimits, Machine
from encoders.c.execution.threads.bounded_switches import BoundedSwitches
from encoders.c.execution.threads.race_prediction import predicted_races
from encoders.c.execution.threads.schedules import Recording, Schedule, Strategy, Turns
from encoders.c.execution.threads.search import ThreadSearch, ThreadViolation, Wanted, find_violation
from encoders.c.execution.threads.strategies import (
    FirstThreads,
    NewestFirst,
    RandomPriorities,
    RandomWalk,
    Rounds,
    WhileFew,
)
from encoders.c.execution.threads.thread_recorder import ThreadRecorder
from encoders.c.execution.threads.thread_run import Ending, ThreadExecution, ThreadRun
from encoders.c.execution.threads.thread_steps import ThreadSteps
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

HEAD = """
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
"""
BEHIND = """
int x, y, z;
void *one(void *p) { z = 1; y = 1; pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
void *two(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); y = 2; return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0); pthread_join(b, 0); }
"""
ENDLESS = """
void *one(void *p) { while (1); return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, one, 0); }
"""
TWO = """
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    if (BAD) reach_error();
}
"""
LOST = "int x; void *one(void *p) { x++; return 0; } void *two(void *p) { x++; return 0; }" + TWO.replace(
    "BAD", "x != 2"
)
GUARDED = """
int x;
void *one(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
void *two(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
""" + TWO.replace("BAD", "x != 2")
CROSSED = """
void *one(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n);
                     pthread_mutex_unlock(&m); return 0; }
void *two(void *p) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
                     pthread_mutex_unlock(&n); return 0; }
""" + TWO.replace("BAD", "0")
SECTIONS = """
int x, y;
void *one(void *p) { __VERIFIER_atomic_begin(); x = 1; y = 1; __VERIFIER_atomic_end(); return 0; }
void *two(void *p) { __VERIFIER_atomic_begin(); int seen = x + y; __VERIFIER_atomic_end();
                     if (seen == 1) reach_error(); return 0; }
""" + TWO.replace("BAD", "0")
HALF = SECTIONS.replace("__VERIFIER_atomic_begin(); int seen", "int seen").replace("y; __VERIFIER_atomic_end();", "y;")
MESSAGE = """
int data, ready;
void *one(void *p) { data = 7; __VERIFIER_atomic_begin(); ready = 1; __VERIFIER_atomic_end(); return 0; }
void *two(void *p) {
    int seen;
    do { __VERIFIER_atomic_begin(); seen = ready; __VERIFIER_atomic_end(); } while (!seen);
    if (data != 7) reach_error();
    return 0;
}
""" + TWO.replace("BAD", "0")
INPUT = """
int x;
void *one(void *p) { int k = __VERIFIER_nondet_int(); if (k == 77) x = k; return (void *)&x; }
int main(void) {
    pthread_t a; void *result;
    pthread_create(&a, 0, one, 0); pthread_join(a, &result);
    if (*(int *)result == 77) reach_error();
}
"""
OVERFLOW = """
int x = 2147483646;
void *one(void *p) { x++; return 0; }
void *two(void *p) { x++; return 0; }
""" + TWO.replace("BAD", "0")
RUNS = 200


def loaded(text: str, checked: str = "unreach-call") -> ir.Program:
    return load_source(HEAD + text, "a.c", LP64, checked, threads=True)


def found_in(
    text: str, race: bool = False, deadlock: bool = False, checked: str = "unreach-call"
) -> ThreadViolation | None:
    return ThreadSearch(loaded(text, checked), Wanted(race, deadlock), 1).find(math.inf, RUNS)


def executed(program: ir.Program, strategy: Strategy, inputs: Inputs | None = None) -> ThreadExecution:
    oracle = Random(0, (), 1) if inputs is None else Recorded(inputs)
    machine = Machine(Automata(program), oracle, ExecutionLimits(steps=10_000), ThreadRecorder(100))
    return ThreadRun(machine, ThreadSteps(program), watches=True).run(strategy)


@pytest.mark.parametrize("text", [LOST, HALF, INPUT], ids=["lost", "half", "input"])
def test_a_reached_error_has_a_schedule_that_repeats_it(text: str) -> None:
    found = found_in(text)
    assert found is not None and found.violation is not None
    assert found.trace[-1].kind == "violation" and {step.thread for step in found.trace} >= {1, 2}
    program = loaded(text)
    again = ThreadSearch(program, Wanted())
    machine = Machine(again.automata, Random(1, (), 1), ExecutionLimits(steps=10_000))
    run = ThreadRun(machine, again.known, watches=False).run(Recording(found.schedule))
    assert [*run.schedule][: run.turns] == [*found.schedule][: run.turns]


def test_an_overflow_of_two_threads_together() -> None:
    found = found_in(OVERFLOW, checked="no-overflow")
    assert found is not None and found.violation is not None
    assert found_in(OVERFLOW.replace("6;", "5;"), checked="no-overflow") is None


@pytest.mark.parametrize("text", [GUARDED, SECTIONS, MESSAGE], ids=["guarded", "sections", "message"])
def test_safe_programs_have_no_violation(text: str) -> None:
    assert found_in(text) is None
    assert found_in(text, race=True, deadlock=True) is None


@pytest.mark.parametrize("text", [LOST, HALF], ids=["lost", "half"])
def test_races_are_two_next_accesses(text: str) -> None:
    found = found_in(text.replace("reach_error()", "(void)0"), race=True)
    assert found is not None and found.race is not None and found.violation is None
    first, second = found.race.first, found.race.second
    assert first.conflicts(second) and first.thread != second.thread and "data race" in str(found.race)


def test_a_race_is_predicted_from_a_run_without_one() -> None:
    program = loaded(BEHIND)
    runs = [executed(program, RandomPriorities(random.Random(seed), 10, 0)) for seed in range(20)]
    schedules = [each for run in runs if run.ending is Ending.END for each in predicted_races(run.log, run.schedule)]
    assert schedules
    assert all(executed(program, Recording(each), each.inputs).ending is Ending.RACE for each in schedules)


def test_deadlocks_are_found_where_they_are_asked_for() -> None:
    found = found_in(CROSSED, deadlock=True)
    assert found is not None and {thread for thread, _ in found.waiting} == {1, 2, 3}
    assert found_in(CROSSED) is None


def test_main_ends_all_threads_and_joins_wait() -> None:
    run = executed(loaded(ENDLESS), RandomPriorities(random.Random(0), 10, 1))
    assert run.ending in (Ending.END, Ending.LIMIT)
    walked = executed(loaded(LOST.replace("x != 2", "x == 0")), RandomWalk(random.Random(0), 0.5))
    assert walked.ending in (Ending.END, Ending.RACE)


def test_few_switches_come_first_and_each_schedule_once() -> None:
    program, bounded, seen = loaded(LOST), BoundedSwitches(limit=1), []
    while (strategy := bounded.next()) is not None:
        machine = Machine(Automata(program), Random(0, (), 1), ExecutionLimits(steps=10_000))
        run = ThreadRun(machine, ThreadSteps(program), watches=False).run(strategy)
        seen.append((strategy.preemptions, tuple(run.schedule), run.ending))
        bounded.ended(strategy, tuple(run.schedule))
    assert [number for number, *_ in seen] == sorted(number for number, *_ in seen)
    whole = [turns for _, turns, ending in seen if ending is not Ending.STUCK]
    assert len(whole) == len(set(whole)) > 4
    assert all(ending is Ending.END for number, _, ending in seen if number == 0)
    assert any(ending is Ending.VIOLATION for _, _, ending in seen)


def test_schedules_are_kept_as_turns_in_a_row() -> None:
    schedule = Schedule.of([1, 1, 2, 1], Inputs())
    assert schedule.turns == (Turns(1, 2), Turns(2, 1), Turns(1, 1))
    assert [*schedule] == [1, 1, 2, 1]


def test_the_search_stops_in_time() -> None:
    assert find_violation(loaded(GUARDED), 0, time.monotonic() - 1) is None


MANY = """
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void reach_error(void) {}
int x;
void *f(void *p) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin(); x--; __VERIFIER_atomic_end(); return 0; }
int main(void) { pthread_t t[6000]; for (int i = 0; i < 6000; i++) pthread_create(&t[i], 0, f, 0);
  __VERIFIER_atomic_begin(); int y = x; __VERIFIER_atomic_end(); if (y) reach_error(); return 0; }
"""


def test_programs_that_start_thousands_of_threads_get_long_runs() -> None:
    program = load_source(MANY, "a.c", LP64, threads=True)
    search = ThreadSearch(program, Wanted())
    assert search.find(math.inf, 40) is not None
    assert search.runs <= 40


ENDLESS = (
    MANY[: MANY.index("void *f")]
    + """
void *f(void *p) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); if (x == 3) reach_error(); return 0; }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }
"""
)


def test_a_loop_that_starts_threads_without_end_is_interrupted() -> None:
    search = ThreadSearch(load_source(ENDLESS, "a.c", LP64, threads=True), Wanted())
    assert search.find(math.inf, 20) is not None
    assert search.runs <= 20


def test_few_threads_end_a_run() -> None:
    few = WhileFew(RandomWalk(random.Random(1), 0.0), 2)
    assert few.choose([1], 1, 0) == 1
    assert {few.choose([1, 2, 3, 4], 1, turn) for turn in range(20)} == {2, 3}
    assert few.choose([1, 4], 1, 21) is None


def test_a_thread_that_waits_goes_on_when_no_newer_one_can() -> None:
    newest = NewestFirst(random.Random(1), 0.0)
    turns = [newest.choose(candidates, 1, turn) for turn, candidates in enumerate(([1], [1, 2], [1, 2, 3], [1, 2, 3]))]
    assert turns == [1, 2, 3, 3]
    assert newest.choose([1, 2], 3, 4) == 2  # 3 has ended
    assert newest.choose([1, 2], 2, 5) == 2
    assert newest.choose([1], 2, 5) == 1  # asked again: 2 waits
    assert newest.choose([1, 2], 1, 6) == 1
    assert newest.choose([1, 2], 1, 7) == 1
    assert newest.choose([2], 1, 7) == 2  # and so does 1


def test_rounds_give_each_thread_a_few_turns_and_main_the_last_ones() -> None:
    rounds, chosen = Rounds(2, 0), []
    for turn in range(6):
        chosen.append(rounds.choose((1, 2, 3), 1, turn))
    assert chosen == [2, 2, 3, 3, 2, 2]
    assert [rounds.choose((1, 3), 2, 6), rounds.choose((1,), 3, 7)] == [3, 1]
    rounds = Rounds(1, 2)
    assert [rounds.choose((1, 2), 1, turn) for turn in range(6)] == [1, 1, 2, 1, 1, 2]


def test_of_very_many_threads_the_first_take_turns() -> None:
    few = FirstThreads(RandomWalk(random.Random(0), 0.5), 3)
    assert {few.choose(tuple(range(1, 5000)), 1, turn) for turn in range(50)} == {1, 2, 3}
    assert few.choose((7, 8), 7, 50) is None
