"""Runs end at the first read of what nobody wrote; the clauses derive that violation, and none along other runs."""

import time

import pytest

from chcverify.certificate.derivation import Step
from chcverify.certificate.kernel.checkers.z3_checker import check_derivation
from chcverify.results.checks import CheckKind
from encoders.c.analysis.memory.written_cells import WrittenCells
from encoders.c.certificates.derivation_replay import replay
from encoders.c.certificates.run_to_derivation import derivation_of_run
from encoders.c.cfa.program_checks import checks_of
from encoders.c.encoding.encoder import encode
from encoders.c.encoding.memory.record_copies import RecordCopies
from encoders.c.encoding.memory.written_terms import WrittenTerms
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import ExecutionLimits, run
from encoders.c.execution.objects import WrittenBits
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

PRELUDE = """\
typedef unsigned long size_t;
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t); void free(void *);
void *memcpy(void *, const void *, size_t), *memset(void *, int, size_t); size_t strlen(const char *);
int strcmp(const char *, const char *);
int __VERIFIER_nondet_int(void), printf(const char *, ...);
int all;
struct s { int x, y; };
struct node { struct node *next; int value; };
int first(struct s s) { return s.x; }
int second(struct s s) { return s.y; }
struct s made(void) { struct s s; s.x = 1; return s; }
int none(int c) { if (c) return 1; }
struct flags { unsigned low : 3, high : 5, wide : 12; };
union reg { struct flags f; unsigned char bytes[4]; };
int last(int n) { int x; if (n > 0) x = last(n - 1); return x; }
"""
READS = {
    "a variable": "int x; return x;",
    "a variable that is written under a condition": "int x; if (all) x = 1; return x;",
    "an element": "int a[4]; a[0] = 1; a[1] = 2; return a[2];",
    "an element behind a loop": "int a[4]; for (int i = 0; i < 3; i++) a[i] = i; return a[3];",
    "a block": "int *p = malloc(8); p[0] = 1; int x = p[1]; free(p); return x;",
    "a member of a copy": "struct s a, b; a.x = 1; b = a; return b.y;",
    "a member of an argument": "struct s a; a.x = 1; return second(a);",
    "a member of a result": "return made().y;",
    "an element that memcpy copied": "int a[2], b[2]; a[0] = 1; memcpy(b, a, sizeof a); return b[1];",
    "a member that memcpy copied": "struct s a, b; a.x = 1; memcpy(&b, &a, sizeof a); return b.y;",
    "a terminator that is missing": "char t[4]; t[0] = 'a'; return strlen(t);",
    "a pointer": "int *p; return *p;",
    "the right side of a conjunction": "int x, c = 1; return c && x;",
    "a result without return": "int x = none(0); return x + 1;",
    "through a pointer": "int x, *p = &x; return *p;",
    "an argument of printf": 'int x; printf("%d", x);',
    "a declaration that is jumped over": (
        "for (int i = 0; i < 2; i++) switch (i) { int x; case 0: break; case 1: return x; }"
    ),
    "a declaration that is jumped over, in the second iteration": (
        "int s = 0; for (int i = 0; i < 2; i++) switch (i) { int x; case 0: x = 5; s += x; break; case 1: s += x; }"
    ),
    "in memory, where a jump passes over the declaration": (
        "int s = 0, i = 0; l: { if (i) goto in; int x, *p; x = 1; in: p = &x; s += *p; i++; } if (i < 2) goto l;"
    ),
    "in the second iteration": "int s = 0; for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 1; s += x; }",
    "an array in the second iteration": (
        "int s = 0; for (int i = 0; i < 2; i++) { int x[2]; if (i == 0) x[i] = 1; s += x[0]; }"
    ),
    "a union in part": "union { int i; char c[4]; } u; u.c[0] = 1; return u.i;",
    "the new part of a block": "int *p = malloc(4); *p = 1; p = realloc(p, 8); int x = p[1]; free(p); return x;",
    "in recursion": "return last(3);",
    "an array of variable length": "int n = 3, a[n]; a[0] = 1; return a[1];",
    "an assignment": "int a, b = 2, t = a; a = b; return t;",
    "a member of a node": "struct node *p = malloc(sizeof *p); p->next = 0; int v = p->value; free(p); return v;",
    "a bit-field": "struct { unsigned u : 3, v : 5; } b; b.u = 1; return b.v;",
    "a result that is stored": "int x = none(0);",
    "a result that is returned": "return none(0);",
    "a bit-field in a byte": "union reg r; r.f.low = 0; return r.f.high;",
    "a bit-field in two bytes": "union reg r; r.bytes[1] = 0; return r.f.wide;",
    "a byte with a bit-field": "union reg r; r.f.low = 0; return r.bytes[0];",
    "a bit-field of a copy": "union reg r, q; r.f.high = 0; q = r; return q.f.low;",
    "a bit-field that memcpy copied": "union reg r, q; r.f.high = 0; memcpy(&q, &r, sizeof r); return q.f.low;",
    "a member of a copy to bytes": (
        "struct s a; a.x = 1; char b[sizeof a]; memset(b, 0, sizeof b); *(struct s *)b = a; return b[4];"
    ),
    "a member of a copy from bytes": "struct s a; char b[sizeof a]; memset(b, 0, 4); a = *(struct s *)b; return a.y;",
    "padding of a copy to bytes": (
        "struct t { char c; int i; } t; char b[8]; memset(b, 0, 8); t.c = t.i = 1; *(struct t *)b = t; return b[1];"
    ),
    "a copy of a copy": "struct s a, b, c; a.y = 1; b = a; struct s *p = &c; *p = b; return p->x;",
}
WRITTEN = {
    "all elements": "int a[4]; for (int i = 0; i < 4; i++) a[i] = i; return a[3];",
    "calloc": "int *p = calloc(2, 4); int x = p[1]; free(p); return x;",
    "a member of a copy": "struct s a, b; a.x = 1; b = a; return b.x;",
    "a member of an argument": "struct s a; a.x = 1; return first(a);",
    "a member of a result": "return made().x;",
    "what memcpy copied": "int a[2], b[2]; a[0] = 1; memcpy(b, a, sizeof a); return b[0];",
    "a terminator": "char t[4]; t[0] = 'a'; t[1] = 0; return strlen(t);",
    "the sign of a comparison": 'return strcmp("a", all ? "b" : "c") < 0;',
    "memset": "char t[4]; memset(t, 0, 4); return t[3];",
    "an initialiser": "int a[4] = {1}; struct s s = {1}; return a[3] + s.y;",
    "a compound literal": "struct s *p = &(struct s){1}; return p->y;",
    "what is not evaluated": "int x, c = 0; return (c && x) + sizeof x;",
    "a result that nobody uses": "none(0);",
    "through a pointer": "int x, *p = &x; *p = 3; return x;",
    "what is discarded": "int x; (void)x; x;",
    "static objects": "static int x; return x + all;",
    "another member of a union": "union { int i; char c[4]; } u; u.i = 1; return u.c[3];",
    "the old part of a block": "int *p = malloc(4); *p = 1; p = realloc(p, 8); int x = p[0]; free(p); return x;",
    "a result that is there": "int x = none(1);",
    "bit-fields in bytes": "union reg r; r.f.low = r.f.high = 0; return r.f.low + r.bytes[0];",
    "a bit-field in written bytes": "union reg r; r.bytes[1] = r.bytes[2] = 0; return r.f.wide;",
    "a bit-field of a copy": "union reg r, q; r.f.high = 0; q = r; return q.f.high;",
    "a bit-field that is written over": "union reg r; r.bytes[0] = 0; r.f.low = 1; return r.bytes[0];",
    "a member of a copy to bytes": "struct s a; a.x = 1; char b[sizeof a]; *(struct s *)b = a; return b[3];",
    "a member of a copy from bytes": "struct s a; char b[sizeof a]; memset(b, 0, 4); a = *(struct s *)b; return a.x;",
    "bit-fields": "struct { unsigned u : 3, v : 5; } b; b.u = 1; b.v = 2; return b.u + b.v;",
}


def checked(body: str):
    return load_source(f"{PRELUDE}int main(void) {{ {body} return 0; }}\n", "test.c", LP64, "uninitialised")


@pytest.mark.parametrize("name", sorted(READS))
def test_reads_of_what_nobody_wrote_are_derived(name: str) -> None:
    program = checked(READS[name])
    execution = run(program, Inputs(), ExecutionLimits(trace=0))
    violation = execution.violation
    assert violation is not None, execution.reason
    assert violation.check.kind is CheckKind.UNINITIALISED and violation.check in checks_of(program)
    encoding = encode(program, "uninitialised")
    derivation = derivation_of_run(encoding, execution.path, execution.inputs, violation=violation)
    assert derivation is not None
    assert check_derivation(encoding.system, derivation, time.monotonic() + 600).accepted
    last = derivation.steps[-1]
    assert isinstance(last, Step) and encoding.infos[last.clause].check == violation.check
    again = replay(encoding, derivation, traced=False)
    assert again.violation is not None and again.violation.check == violation.check


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_other_reads_are_none(name: str) -> None:
    program = checked(WRITTEN[name])
    execution = run(program, Inputs(), ExecutionLimits(trace=0))
    assert execution.outcome == "end", execution.violation
    encoding = encode(program, "uninitialised")
    assert derivation_of_run(encoding, execution.path, execution.inputs) is None


def test_what_is_certainly_written_has_no_check() -> None:
    body = "int x = all, y; if (x) y = 1; else y = 2; for (int i = 0; i < y; i++) x += i; return x;"
    assert checks_of(checked(body)) == ()


def test_programs_without_the_check_have_no_state_for_it() -> None:
    encoding = encode(load_source("int main(void) { int x; return x; }\n", "test.c", LP64))
    assert isinstance(encoding.objects.written, WrittenCells) and not encoding.objects.written.asked
    assert not any("written" in variable.name for variable in encoding.memory.variables)


def test_copies_and_terms_are_of_the_encoding() -> None:
    assert RecordCopies.copy.__doc__ and WrittenTerms.stored.__doc__


def test_bits_are_written_one_by_one() -> None:
    bits = WrittenBits()
    bits.add(3, 7)
    assert bits.holds(3, 7) and not bits.holds(2, 8) and not bits.holds(3, 8)
    bits.put(16, bits.of(0, 16))
    assert bits.holds(19, 7) and not bits.holds(16, 4)
