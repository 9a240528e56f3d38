"""Threads in automata: what calls become, models of mutexes and their like, and what is refused."""

import pytest

from encoders.c.cfa import ir
from encoders.c.cfa.model_origins import MODELS
from encoders.c.frontend import load_source
from encoders.c.library.model_files import RUN_DESTRUCTORS
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import ILP32, INT

DECLARATIONS = """
typedef unsigned long pthread_t; typedef int pthread_attr_t; typedef int pthread_condattr_t;
struct __pthread_mutex_s { int __lock; unsigned __count; int __owner; unsigned __nusers; int __kind; };
typedef union { struct __pthread_mutex_s __data; char __size[24]; long __align; } pthread_mutex_t;
typedef union { char __size[4]; int __align; } pthread_mutexattr_t;
typedef union { char __size[20]; long __align; } pthread_barrier_t;
typedef union { struct { unsigned __r; } __data; char __size[32]; long __align; } pthread_rwlock_t;
typedef union { char __size[16]; long __align; } sem_t;
typedef union { char __size[48]; long __align; } pthread_cond_t;
typedef int pthread_once_t; typedef volatile int pthread_spinlock_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **); void pthread_exit(void *); pthread_t pthread_self(void);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *); int pthread_cond_signal(pthread_cond_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *); int pthread_rwlock_unlock(pthread_rwlock_t *);
int sem_wait(sem_t *); int pthread_barrier_wait(pthread_barrier_t *);
int pthread_spin_lock(pthread_spinlock_t *); int pthread_once(pthread_once_t *, void (*)(void));
int pthread_key_create(unsigned *, void (*)(void *)); int pthread_key_delete(unsigned);
int pthread_setspecific(unsigned, const void *); void *pthread_getspecific(unsigned); int pthread_cancel(pthread_t);
typedef unsigned long thrd_t; int thrd_create(thrd_t *, int (*)(void *), void *); int thrd_join(thrd_t, int *);
void thrd_exit(int); typedef union { char __size[40]; long __align; } mtx_t; int mtx_init(mtx_t *, int);
int mtx_lock(mtx_t *); int mtx_trylock(mtx_t *); int mtx_unlock(mtx_t *); typedef struct { int __data; } once_flag;
void call_once(once_flag *, void (*)(void)); typedef union { char __size[48]; } cnd_t; int cnd_wait(cnd_t *, mtx_t *);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
int x;
"""


def operations(text: str, threads: bool = True) -> dict[str, list[ir.Operation]]:
    """The operations of each function, those of models included."""
    program = load_source(DECLARATIONS + text, "test.c", ILP32, threads=threads)
    return {name: [edge.operation for edge in function.edges] for name, function in program.functions.items()}


def names(found: list[ir.Operation]) -> list[str]:
    return [type(operation).__name__ for operation in found]


def test_create_join_and_exit() -> None:
    found = operations(
        "void *f(void *p) { pthread_exit(p); return 0; }"
        " int main(void) { pthread_t t; void *r; pthread_create(&t, 0, f, &x); pthread_join(t, &r); return 0; }"
    )
    (created,) = [operation for operation in found["main"] if isinstance(operation, ir.CreateThread)]
    assert created.function == "f" and len(created.arguments) == 1
    assert any(isinstance(operation, ir.JoinThread) and operation.lvalue for operation in found["main"])
    assert names(found["f"]) == ["Assign", "ExitThread"]


def test_threads_of_c11_end_with_numbers() -> None:
    found = operations(
        "int f(void *p) { thrd_exit(3); return 0; }"
        " int main(void) { thrd_t t; int r; thrd_create(&t, f, 0); thrd_join(t, &r); return r; }"
    )
    assert [item.function for item in found["main"] if isinstance(item, ir.CreateThread)] == ["f"]
    (joined,) = [item for item in found["main"] if isinstance(item, ir.JoinThread)]
    assert joined.lvalue is not None and joined.lvalue.type == INT
    (end,) = [item for item in found["f"] if isinstance(item, ir.ExitThread)]
    assert end.value.type == INT


def test_a_thread_ends_with_the_destructors_of_its_keys() -> None:
    found = operations(
        "unsigned k; void d(void *p) {} void *f(void *p) { pthread_setspecific(k, p); return pthread_getspecific(k); }"
        " void *g(void *p) { pthread_exit(0); return 0; }"
        " int main(void) { pthread_t t; pthread_key_create(&k, d); pthread_create(&t, 0, f, &x);"
        " pthread_create(&t, 0, g, 0); return 0; }"
    )
    (begin, _) = [item.function for item in found["main"] if isinstance(item, ir.CreateThread)]
    called = [
        item.function for item in found[begin.removeprefix("<thread ").removesuffix(">")] if isinstance(item, ir.Call)
    ]
    assert called == ["f", RUN_DESTRUCTORS]
    assert [item.function for item in found["g"] if isinstance(item, ir.Call)] == [RUN_DESTRUCTORS]


def test_main_ends_with_the_destructors_of_its_keys_too() -> None:
    found = operations("unsigned k; int main(void) { pthread_key_create(&k, 0); pthread_exit(0); }")
    assert RUN_DESTRUCTORS in found


@pytest.mark.parametrize("null", ["0", "(void *)0", "((void *)0)", "(void **)0"])
def test_a_join_without_a_result(null: str) -> None:
    found = operations("int main(void) { pthread_t t = 2; pthread_join(t, " + null + "); return 0; }")
    assert [item.lvalue for item in found["main"] if isinstance(item, ir.JoinThread)] == [None]


def test_sections() -> None:
    found = operations(
        "void __VERIFIER_atomic_add(void) { x++; }"
        " int main(void) { __VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end(); __VERIFIER_atomic_add();"
        " __sync_fetch_and_add(&x, 1); return 0; }"
    )
    kinds = [kind for kind in names(found["main"]) if kind in ("AtomicBegin", "AtomicEnd", "Call")]
    assert kinds == ["AtomicBegin", "AtomicEnd", "AtomicBegin", "Call", "AtomicEnd", "AtomicBegin", "AtomicEnd"]


@pytest.mark.parametrize(
    "call",
    [
        "pthread_mutex_t m; int main(void) { pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); }",
        "pthread_mutex_t m = {{0, 0, 0, 1, 0}}; int main(void) { pthread_mutex_trylock(&m); }",
        "pthread_mutex_t m; pthread_cond_t c; int main(void) { pthread_cond_wait(&c, &m); pthread_cond_signal(&c); }",
        "pthread_rwlock_t l = {{0}}; int main(void) { pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); }",
        "sem_t s; int main(void) { sem_wait(&s); }",
        "pthread_barrier_t b; int main(void) { pthread_barrier_wait(&b); }",
        "pthread_spinlock_t s; int main(void) { pthread_spin_lock(&s); }",
        "pthread_once_t o; void g(void) {} int main(void) { pthread_once(&o, g); }",
        "mtx_t m; int main(void) { mtx_init(&m, 1); if (mtx_trylock(&m)) mtx_lock(&m); mtx_unlock(&m); }",
        "mtx_t m; cnd_t c; int main(void) { cnd_wait(&c, &m); }",
        "once_flag o; void g(void) {} int main(void) { call_once(&o, g); }",
    ],
)
def test_models(call: str) -> None:
    program = load_source(DECLARATIONS + call, "test.c", ILP32, threads=True)
    edges = [edge for function in program.functions.values() for edge in function.edges]
    assert not any(isinstance(edge.operation, ir.Trap) for edge in edges)
    sections = [edge for edge in edges if isinstance(edge.operation, ir.AtomicBegin)]
    assert sections and all(edge.origin.file.startswith(MODELS) for edge in sections)


def test_what_is_not_modelled_is_refused_by_name() -> None:
    found = operations("int main(void) { pthread_cancel(1); return 0; }")
    traps = [operation.what for operation in found["main"] if isinstance(operation, ir.Trap)]
    assert traps == ["threads and atomics (call of pthread_cancel)"]
    with pytest.raises(Unsupported, match="'y'"):
        operations("extern _Thread_local int y; int main(void) { return y; }")


@pytest.mark.parametrize("change", ["y += 2", "y++", "--y", "*p += 2", "z.n++", "a[1] ^= 1"])
def test_a_change_of_an_atomic_object_is_one_section(change: str) -> None:
    declared = "_Atomic int y, *p = &y; typedef struct { _Atomic int n; } cell; cell z; _Atomic int a[2];"
    found = operations(f"{declared} int main(void) {{ int x = 0; {change}; return x; }}")["main"]
    bounds = [type(operation) for operation in found if isinstance(operation, ir.AtomicBegin | ir.AtomicEnd)]
    assert bounds == [ir.AtomicBegin, ir.AtomicEnd]


def test_a_change_of_a_plain_object_is_no_section() -> None:
    found = operations("int y, *p = &y; int main(void) { y++; *p += 2; return 0; }")["main"]
    assert not any(isinstance(operation, ir.AtomicBegin) for operation in found)


def test_without_threads_all_is_as_before() -> None:
    found = operations(
        "void *f(void *p) { return p; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }",
        threads=False,
    )
    assert any(isinstance(operation, ir.Trap) for operation in found["main"])
