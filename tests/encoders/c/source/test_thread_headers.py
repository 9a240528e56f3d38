"""The headers for programs with threads that stand in where the system has none for the data model."""

import subprocess

import pytest

from encoders.c.cfa.ir import CreateThread
from encoders.c.frontend import load_source
from encoders.c.source.preprocessor import INCLUDE, accepted_by_compiler
from encoders.c.types.c_types import ILP32, LP64, DataModel

TEXT = """
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t b;
sem_t s;
volatile sig_atomic_t flag;
void *f(void *p) { pthread_mutex_lock(&r); flag = 1; pthread_mutex_unlock(&r); return p; }
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 1);
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, f, 0);
  pthread_rwlock_rdlock(&w);
  pthread_rwlock_unlock(&w);
  pthread_join(t, 0);
  return sizeof m;
}
"""


@pytest.mark.parametrize("model", [ILP32, LP64])
def test_a_program_with_threads_is_read_with_them(model: DataModel) -> None:
    command = ["gcc", "-E", "-nostdinc", "-isystem", str(INCLUDE), f"-m{8 * model.pointer}", "-"]
    text = subprocess.run(command, input=TEXT, capture_output=True, encoding="utf-8", check=True).stdout
    assert accepted_by_compiler(text, model)
    program = load_source(text, "a.c", model, threads=True)
    operations = [edge.operation for function in program.functions.values() for edge in function.edges]
    assert sum(isinstance(each, CreateThread) for each in operations) == 1
    assert "pthread_mutex_lock" in program.functions
