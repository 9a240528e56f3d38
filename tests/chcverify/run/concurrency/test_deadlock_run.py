"""Deadlocks: executed where there are some, proved absent by a model of the product, refused where there is none."""

import time
from pathlib import Path

import pytest

from chcverify.options import InputOptions, Limits, Options
from chcverify.properties.deadlocks import NO_DEADLOCK
from chcverify.run.concurrency import deadlock_run
from chcverify.task import Task

HEAD = """
typedef unsigned long pthread_t;
typedef struct { struct { int __owner, __count, __kind; } __data; } pthread_mutex_t;
extern int pthread_create (pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
pthread_mutex_t m, n; pthread_t t;
"""
BODY = "%s %s pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);"
OTHER = f"void *f(void *p) {{ {BODY} return 0; }}\n"
MAIN = f"int main(void) {{ pthread_create(&t, 0, f, 0); {BODY} pthread_join(t, 0); return 0; }}"
M, N = "pthread_mutex_lock(&m);", "pthread_mutex_lock(&n);"
OFTEN = "int main(void) { for (int i = 0; i < 3; i++) pthread_create(&t, 0, f, 0); return 0; }"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (OTHER % (M, N) + MAIN % (M, N), "true"),
        (OTHER % (M, N) + MAIN % (N, M), "false(no-deadlock)"),
        (OTHER % (M, N) + OFTEN, "unknown"),
        (f"int main(void) {{ {M} {M} return 0; }}", "false(no-deadlock)"),
    ],
)
def test_verdicts(tmp_path: Path, text: str, verdict: str) -> None:
    file = tmp_path / "a.c"
    file.write_text(HEAD + text)
    options = Options(InputOptions(str(file)), Limits(timeout=120.0, jobs=1))
    outcome = deadlock_run.run(Task(str(file), "c", NO_DEADLOCK.name), options, time.monotonic())
    assert outcome.word == verdict
    assert any("waits at" in line for line in outcome.explanation) == (verdict == "false(no-deadlock)")
