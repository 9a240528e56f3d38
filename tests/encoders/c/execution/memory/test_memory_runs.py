"""Runs end at the first violation of a check of memory, at the right line, and correct programs violate nothing."""

import pytest

from chcverify.results.checks import CheckKind
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import Execution, run
from encoders.c.execution.testing.random_runs import random_runs
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

PRELUDE = """\
typedef unsigned long size_t;
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), *alloca(size_t); void free(void *);
void *memcpy(void *, const void *, size_t), *memset(void *, int, size_t); size_t strlen(const char *);
char *strcpy(char *, const char *); void abort(void); void exit(int); int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; };
struct pair { int first[2]; char *text; };
"""
LINES = PRELUDE.count("\n")

BOUNDS, NULL, LIFETIME, FREE, LEAK, CLEANUP = (
    CheckKind.BOUNDS,
    CheckKind.NULL,
    CheckKind.LIFETIME,
    CheckKind.FREE,
    CheckKind.LEAK,
    CheckKind.CLEANUP,
)

VIOLATIONS = {
    "write beyond an array": (BOUNDS, "int a[3]; for (int i = 0; i <= 3; i++) a[i] = i;"),
    "read before an array": (BOUNDS, "int a[3] = {0}; int i = -1; return a[i];"),
    "write beyond a block": (BOUNDS, "char *p = malloc(3); p[3] = 0; free(p);"),
    "the last bytes of a wide access": (BOUNDS, "char *p = malloc(3); *(int *)p = 0; free(p);"),
    "an access to a block of no bytes": (BOUNDS, "char *p = malloc(0); p[0] = 0; free(p);"),
    "a member beyond a block": (BOUNDS, "struct node *p = malloc(8); p->value = 1; free(p);"),
    "beyond the end of a record's last array": (BOUNDS, "struct { int x; char c[4]; } s; int i = 4; s.c[i] = 0;"),
    "beyond an array of variable length": (BOUNDS, "int n = 3; int a[n]; a[n] = 1;"),
    "read of a string constant": (BOUNDS, 'const char *s = "ab"; int i = 3; return s[i];'),
    "memcpy beyond its target": (BOUNDS, "char a[4], b[8] = {0}; memcpy(a, b, 8);"),
    "memcpy beyond its source": (BOUNDS, "char a[8], b[4] = {0}; memcpy(a, b, 8);"),
    "memset beyond a block": (BOUNDS, "char *p = malloc(4); memset(p, 0, 5); free(p);"),
    "strlen without a zero": (BOUNDS, "char a[2] = {'a', 'b'}; return strlen(a);"),
    "strcpy into a short array": (BOUNDS, 'char a[2]; strcpy(a, "ab");'),
    "a null pointer": (NULL, "int *p = 0; *p = 1;"),
    "a member of a null pointer": (NULL, "struct node *p = 0; p->value = 1;"),
    "an uninitialised pointer": (NULL, "int *p; *p = 1;"),
    "after free": (LIFETIME, "int *p = malloc(4); free(p); *p = 1;"),
    "after realloc": (LIFETIME, "int *p = malloc(4), *q = realloc(p, 8); *p = 1; free(q);"),
    "after the end of its block": (LIFETIME, "int *p; { int x = 1; p = &x; } return *p;"),
    "of an iteration before": (
        LIFETIME,
        "int *p = 0; for (int i = 0; i < 2; i++) { int x = i; if (p) *p = 2; p = &x; }",
    ),
    "after break": (LIFETIME, "int *p = 0; while (1) { int x = 1; p = &x; break; } return *p;"),
    "after goto": (LIFETIME, "int *p = 0; { int x = 1; p = &x; goto out; } out: return *p;"),
    "beyond the end of a freed block": (LIFETIME, "char *p = malloc(1); free(p); p[1] = 0;"),
    "free twice": (FREE, "int *p = malloc(4); free(p); free(p);"),
    "free behind null": (FREE, "char *p = 0; free(p + 1);"),
    "free of the middle": (FREE, "char *p = malloc(4); free(p + 1);"),
    "free of a variable": (FREE, "int x; free(&x);"),
    "free of a string": (FREE, 'free("ab");'),
    "free of an array from alloca": (FREE, "char *p = alloca(4); free(p);"),
    "realloc of a freed block": (FREE, "int *p = malloc(4); free(p); p = realloc(p, 8);"),
    "a result that nobody takes": (LEAK, "malloc(4);"),
    "an overwritten pointer": (LEAK, "int *p = malloc(4); p = 0;"),
    "a block of main's variable": (LEAK, "int *p = malloc(4); return 0;"),
    "a pointer moved beyond the end": (LEAK, "char *p = malloc(4); p += 5; p -= 5; free(p);"),
    "the rest of a list": (
        LEAK,
        "struct node *p = malloc(sizeof *p); p->next = malloc(sizeof *p); p->next->next = 0; free(p);",
    ),
    "a lost cycle": (
        LEAK,
        "struct node *p = malloc(sizeof *p), *q = malloc(sizeof *p); p->next = q; q->next = p; p = q = 0;",
    ),
    "a lost block that points to itself": (LEAK, "struct node *p = malloc(sizeof *p); p->next = p; p = 0;"),
    "in an endless loop": (LEAK, "while (1) { char *p = malloc(1); *p = 0; }"),
    "a pointer in a record that ends": (LEAK, "{ struct pair x; x.text = malloc(1); } return 0;"),
    "a pointer overwritten by bytes": (LEAK, "char *p = malloc(1); *(char *)&p = 0;"),
    "a condition alone": (LEAK, "if (malloc(1)) return 1;"),
}

CORRECT = {
    "an array": "int a[3]; for (int i = 0; i < 3; i++) a[i] = i;",
    "one past the end": "char a[3], *end = a + 3; for (char *p = a; p < end; p++) *p = 0;",
    "free of null": "free(0);",
    "nothing copied through null": "int n = 0; memcpy(0, 0, n);",
    "a block": "int *p = malloc(8); p[1] = 2; free(p);",
    "a block of no bytes": "char *p = malloc(0); free(p);",
    "realloc": "int *p = malloc(4); *p = 7; p = realloc(p, 8); p[1] = *p; free(p);",
    "realloc of pointers": (
        "char **p = malloc(8); p[0] = malloc(1); p = realloc(p, 16); p[1] = p[0]; free(p[1]); free(p);"
    ),
    "realloc of null": "int *p = realloc(0, 4); *p = 1; free(p);",
    "a pointer to the end tracks": "char *p = malloc(4); p += 4; p -= 4; free(p);",
    "a pointer into the middle tracks": "char *p = malloc(4), *q = p + 2; p = 0; free(q - 2);",
    "a pointer in a block tracks": (
        "struct node *p = malloc(sizeof *p); p->next = malloc(sizeof *p); struct node *q = p->next; free(p); free(q);"
    ),
    "exit does not lose blocks": "int *p = malloc(4); exit(0);",
    "abort does not lose blocks": "int *p = malloc(4); abort();",
    "comparing a freed pointer": "int *p = malloc(4), *q = p; free(p); return p == q;",
    "alloca": "char *p = alloca(4); p[3] = 1;",
    "alloca lives until the function returns": "char *p; { p = alloca(4); } p[0] = 1;",
    "calloc": "int *p = calloc(2, 4); int x = p[1]; free(p); return x;",
    "an index in an inner array": "struct pair x; int i = 2; x.first[i] = 0;",
    "the address of an element that is none": "int a[3]; int i = 5; int *p = &a[i]; return p == 0;",
    "only what is evaluated": "int *p = 0; if (p && *p) return 1; return p ? *p : 0;",
    "uninitialised memory": "int *p = malloc(4); int x = *p; free(p); return x;",
    "a moved result": "char *p = malloc(4) + 1; free(p - 1);",
    "a flexible member": ("struct s { int n; char c[]; }; struct s *p = malloc(sizeof *p + 2); p->c[1] = 0; free(p);"),
    "a record copied with its pointer": (
        "struct pair *x = malloc(sizeof *x), y; x->text = malloc(1); y = *x; free(x); free(y.text);"
    ),
    "jumping back does not end a variable": (
        "int n = 0, *p = 0; again: ; int x; if (p) *p = 1; p = &x; if (n++ < 2) goto again;"
    ),
}


def executed(body: str, property: str = "valid-memsafety", before: str = "") -> Execution:
    text = f"{PRELUDE}{before}int main(void) {{ {body} }}\n"
    return run(load_source(text, "test.c", LP64, property), Inputs())


@pytest.mark.parametrize("name", VIOLATIONS)
def test_violations(name: str) -> None:
    kind, body = VIOLATIONS[name]
    execution = executed(body)
    assert execution.outcome == "error", (execution.outcome, execution.reason)
    assert execution.violation is not None
    assert execution.violation.check.kind is kind, str(execution.violation)
    assert (execution.violation.check.origin.file, execution.violation.check.origin.line) == ("test.c", LINES + 1)


@pytest.mark.parametrize("name", CORRECT)
def test_correct_programs(name: str) -> None:
    execution = executed(CORRECT[name])
    assert execution.outcome == "end", (execution.reason, str(execution.violation))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("int *p = malloc(4);", CLEANUP),
        ("static int *p; p = malloc(4);", CLEANUP),
        ("int *p = malloc(4); exit(0);", None),  # not decided: the run is stuck
        ("int *p = malloc(4); free(p);", None),
        ("int *p = malloc(4); p = realloc(p, 8); free(p);", None),
    ],
)
def test_cleanup(body: str, kind: CheckKind | None) -> None:
    violation = executed(body, "valid-memcleanup").violation
    assert (violation and violation.check.kind) == kind


def test_a_global_tracks() -> None:
    assert executed("kept = malloc(4);", before="int *kept;").outcome == "end"


def test_a_function_loses_its_block() -> None:
    execution = executed("f(2);", before="static int f(int n) { int *p = malloc(4); *p = n; return *p; }\n")
    assert execution.violation is not None and execution.violation.check.kind is LEAK
    assert execution.violation.check.origin.line == LINES + 1  # in the function, and not where it is called


def test_a_function_returns_its_block() -> None:
    made = "static int *f(void) { int *p = malloc(4); return p; }\n"
    assert executed("int *p = f(); free(p);", before=made).outcome == "end"
    assert executed("free(f());", before=made).outcome == "end"
    execution = executed("f();", before=made)
    assert execution.violation is not None and execution.violation.check.kind is LEAK


def test_the_address_of_a_local_that_is_returned() -> None:
    execution = executed("return *f();", before="static int *f(void) { int x = 1; int *p = &x; return p; }\n")
    assert execution.violation is not None and execution.violation.check.kind is LIFETIME
    assert execution.violation.check.origin.line == LINES + 2


def test_the_violation_describes_the_object() -> None:
    execution = executed("char *p = malloc(12);\nfree(p);\np[3] = 1;")
    violation = execution.violation
    assert violation is not None and violation.object is not None
    assert str(violation.object) == (
        f"a heap block of 12 bytes, allocated at test.c:{LINES + 1}:28, freed at test.c:{LINES + 2}:1"
    )
    assert execution.trace[-1].kind == "violation"
    assert "after it was freed" in execution.trace[-1].text


def test_pointers_made_from_numbers_violate_nothing() -> None:
    for body in ("*(int *)16 = 1;", "free((void *)16);", "int n = 4096; int *p = (int *)(long)n; return *p;"):
        execution = executed(body)
        assert execution.outcome == "stuck" and "made from a number" in execution.reason


def test_only_what_is_asked_for_is_a_violation() -> None:
    body = "int *p = malloc(4); p[1] = 1; free(p); return *p;"
    assert [v.check.kind for v in [executed(body, "bounds").violation] if v] == [BOUNDS]
    assert [v.check.kind for v in [executed(body, "lifetime").violation] if v] == [LIFETIME]
    assert executed(body, "null").outcome == "end"
    assert executed(body).violation == executed(body, "undefined-behaviour").violation


def test_random_runs_end_at_violations() -> None:
    body = "int a[4], n = __VERIFIER_nondet_int(); if (n > 2 && n < 5) a[n] = 1; return 0;"
    program = load_source(f"{PRELUDE}int main(void) {{ {body} }}", "test.c", LP64, "valid-memsafety")
    execution = random_runs(program, seed=1, count=200)
    assert execution is not None and execution.violation is not None
    assert execution.violation.check.kind is BOUNDS
    assert execution.path[-1] is execution.last
    again = run(program, execution.inputs)
    assert (again.outcome, again.violation, again.last) == ("error", execution.violation, execution.last)


def test_random_runs_free_uninitialised_pointers() -> None:
    program = load_source(f"{PRELUDE}int main(void) {{ int *p; free(p); }}", "test.c", LP64, "valid-memsafety")
    execution = random_runs(program, seed=1, count=20)
    assert execution is not None and execution.violation is not None
    assert execution.violation.check.kind is FREE
