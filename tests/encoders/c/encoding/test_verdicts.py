"""Small programs, safe and unsafe, solved by z3: the encoding says what C says."""

import pytest
import z3

from chcverify.horn.system import HornSystem
from encoders.c.encoding.encoder import EncodeOptions, encode

SAFE = {
    "wrap unsigned": "int main(){ unsigned x = 4294967295u; x++; if (x != 0) reach_error(); }",
    "wrap signed": "int main(){ int x = nondet(); int y = x + 1; if (x == 2147483647 && y > 0) reach_error(); }",
    "promotion": "int main(){ char c = __VERIFIER_nondet_char(); if (c + 1 > 128) reach_error(); }",
    "mixed comparison": "int main(){ int x = -1; unsigned y = unondet(); if (x < y) reach_error(); }",
    "remainder": "int main(){ int x = nondet(); int r = x % 4; if (r > 3 || r < -3) reach_error(); }",
    "mask": "int main(){ unsigned x = unondet(); if ((x & 12) > 12 || (x & 12) % 4) reach_error(); }",
    "one fixed unknown": "int main(){ int x; int y = x; if (x != y) reach_error(); }",
    "static is zero": "int g[3]; int main(){ int i = nondet(); if (i >= 0 && i < 3 && g[i]) reach_error(); }",
    "array": "int main(){ int a[100]; int i = nondet(); a[i] = 5; if (a[i] != 5) reach_error(); }",
    "range of elements": "int main(){ char a[100]; int i = nondet(); if (a[i] > 127) reach_error(); }",
    "swap": "void swap(int *a, int *b){ int t = *a; *a = *b; *b = t; }"
    "int main(){ int x = 1, y = 2; swap(&x, &y); if (x != 2 || y != 1) reach_error(); }",
    "alias": "int main(){ int x = 1, y = 2; int *p = nondet() ? &x : &y; *p = 7; if (x + y < 8) reach_error(); }",
    "distinct objects": "int main(){ int *p = malloc(4), *q = malloc(4); *p = 1; *q = 2;"
    " if (*p != 1 || p == q) reach_error(); }",
    "calloc": "int main(){ int *p = calloc(10, 4); if (p[3]) reach_error(); }",
    "struct copy": "struct s { int a; int b[2]; }; int main(){ struct s x, y; x.a = 1; x.b[1] = 3; y = x; x.a = 9;"
    " if (y.a != 1 || y.b[1] != 3) reach_error(); }",
    "list": "struct n { int v; struct n *next; }; int main(){ struct n *a = malloc(16), *b = malloc(16); a->next = b;"
    " b->v = 4; a->v = 3; if (a->next->v != 4 || a->next == 0) reach_error(); }",
    "recursion": "int f(int n){ if (n <= 0) return 0; return f(n - 1) + 1; }int main(){ if (f(2) > 2) reach_error(); }",
    "globals in recursion": "int g; void f(int n){ if (n > 0) { g = g + 1; f(n - 1); } }"
    "int main(){ g = 5; f(0); if (g != 5) reach_error(); }",
    "float": "int main(){ float x = 0.1f; double y = 0.1; if (x == y) reach_error(); }",
    "either of two fields": "struct s { int a, b; } s; int main(){ int *p = nondet() ? &s.a : &s.b; s.a = 1; s.b = 2;"
    " *p = 5; if (s.a == s.b || s.a + s.b < 6) reach_error(); }",
    "union of shapes": "union u { int i; unsigned char b[4]; short h; }; int main(){ union u x; x.i = nondet();"
    " if (x.b[0] + 256 * x.b[1] != (unsigned short)x.h) reach_error(); }",
    "bytes of an object": "int main(){ int x = nondet(); unsigned char *b = (unsigned char *)&x; b[3] &= 127;"
    " if (x < 0) reach_error(); }",
    "float as bits": "union u { float f; unsigned i; }; int main(){ union u x; x.f = 1.0f; if (x.i != 0x3f800000)"
    " reach_error(); }",
    "pointer in a union": "union u { int i; int *p; }; int main(){ int g = 3; union u x; x.p = &g; *x.p = 4;"
    " if (g != 4) reach_error(); x.i = 7; if (x.i != 7) reach_error(); }",
    "link": "struct n { int v; struct n *next; }; int main(){ struct n a = { 1 }, b = { 2 }, *h = &a; a.next = &b;"
    " struct n **at = &h; while (*at && (*at)->v < 2) at = &(*at)->next; *at = 0; if (a.next || h != &a)"
    " reach_error(); }",
    "container": "struct l { struct l *n; }; struct s { int id; struct l l; }; int main(){ struct s x; x.id = nondet();"
    " struct l *p = &x.l; struct s *q = (struct s *)((char *)p - __builtin_offsetof(struct s, l));"
    " if (q->id != x.id) reach_error(); }",
    "container by integers": "struct l { struct l *n; }; struct s { int id; struct l l; }; int main(){ struct s x;"
    " x.id = nondet(); struct l *p = &x.l; struct s *q = (struct s *)((unsigned long)p -"
    " (unsigned long)&((struct s *)0)->l); if (q->id != x.id) reach_error(); }",
    "masked pointer": "int main(){ int x = 3; unsigned long m = nondet() ? ~0UL : 0;"
    " int *p = (int *)((unsigned long)&x & m); if (m ? *p != 3 : p != 0) reach_error(); }",
    "flexible array": "struct f { int n; int d[]; }; int main(){ struct f *a = malloc(12), *b = malloc(12);"
    " a->d[0] = 1; b->d[0] = 2; if (a->d[0] != 1) reach_error(); }",
    "byte of a pointer": "struct s { int *p; int n; }; int main(){ int g; struct s x; x.p = &g; x.n = 3;"
    " unsigned char *b = (unsigned char *)&x, first = b[0]; if (b[8] != 3 || first > 255) reach_error(); }",
    "objects of pointers": "int main(){ int *p = malloc(8), *q = malloc(8), *r = p + nondet() % 2;"
    " if (__CPROVER_same_object(p, q) || !__CPROVER_same_object(p, r) || __CPROVER_same_object(p, (int *)0))"
    " reach_error(); }",
    "error unreachable by syntax": "int main(){ return 0; }",
}
UNSAFE = {
    "wrap signed": "int main(){ int x = nondet(); if (x + 1 < x) reach_error(); }",
    "char is signed": "int main(){ char c = __VERIFIER_nondet_char(); if (c < 0) reach_error(); }",
    "negative remainder": "int main(){ int x = nondet(); if (x % 4 == -3) reach_error(); }",
    "truncation": "int main(){ int x = nondet(); if (x / 2 == 0 && x < 0) reach_error(); }",
    "division by zero is unspecified": "int main(){ int z = 0; if (1 / z == 42) reach_error(); }",
    "uninitialised": "int main(){ int a[10]; int i = nondet(); if (a[i] == 77) reach_error(); }",
    "alias": "int main(){ int x = 1, y = 2; int *p = nondet() ? &x : &y; *p = 7; if (x == 7) reach_error(); }",
    "malloc": "int main(){ int *p = malloc(8); if (p[1] == 3) reach_error(); }",
    "recursion": "int f(int n){ if (n <= 0) return 0; return f(n - 1) + 1; }"
    "int main(){ if (f(2) == 2) reach_error(); }",
    "error in recursion": "void f(int n){ if (n == 3) reach_error(); f(n + 1); } int main(){ f(0); }",
    "either of two fields": "struct s { int a, b; } s; int main(){ int *p = nondet() ? &s.a : &s.b; s.a = 1; s.b = 2;"
    " *p = 5; if (s.b == 5) reach_error(); }",
    "bytes of an object": "int main(){ int x = nondet(); unsigned char *b = (unsigned char *)&x;"
    " if (b[0] == 1 && b[3] == 2 && x == 0x02030401) reach_error(); }",
    "address as number": "int g; int main(){ unsigned long a = (unsigned long)&g; if (a % 64 == 5) reach_error(); }",
    "number as pointer": "union u { unsigned long i; int *p; }; int main(){ int g = 3; union u x; x.p = &g; x.i += 4;"
    " if (*x.p == 5) g = 0; }",  # not modelled, so nothing can be proved
    "masked pointer": "int main(){ int x = 3; unsigned long m = nondet() ? ~0UL : 0;"
    " int *p = (int *)(m & (unsigned long)&x); if (!p) reach_error(); }",
    "some bits of a pointer": "unsigned long __VERIFIER_nondet_ulong(void); int main(){ int x;"
    " unsigned long m = __VERIFIER_nondet_ulong(); int *p = (int *)((unsigned long)&x & m);"
    " if (m && ~m && p == &x) reach_error(); }",  # nothing is known of it, so nothing is proved
    "bits beside a part of a pointer": "union u { int *p; struct { unsigned a : 3, b : 5; } s; }; int x;"
    "int main(){ union u v; v.p = &x + 1; v.s.a = 1; if (v.s.b) reach_error(); }",
    "objects of pointers": "int main(){ int *p = malloc(8), *q = nondet() ? p + 1 : malloc(8);"
    " if (__CPROVER_same_object(p, q)) reach_error(); }",
    "shift": "int main(){ int k = nondet(); if (k > 0 && k < 31 && (1 << k) == 64) reach_error(); }",
    "bits": "int main(){ unsigned x = unondet(), y = unondet(); if ((x ^ y) == 5) reach_error(); }",
    "float": "int main(){ double x = __VERIFIER_nondet_double(); if (x != x) reach_error(); }",
}


def solve(system: HornSystem) -> z3.CheckSatResult:
    solver = z3.SolverFor("HORN")
    solver.set("timeout", 60_000)  # ms; ten seconds were once too few
    for clause in system.clauses:
        head = z3.BoolVal(False) if clause.head is None else clause.head.term
        rule = z3.Implies(z3.And([*(a.term for a in clause.body), clause.constraint]), head)
        solver.add(z3.ForAll(list(clause.variables), rule) if clause.variables else rule)
    return solver.check()


@pytest.mark.parametrize("name", SAFE)
def test_safe(name, load):
    assert solve(encode(load(SAFE[name])).system) == z3.sat


@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe(name, load):
    assert solve(encode(load(UNSAFE[name])).system) == z3.unsat


@pytest.mark.parametrize("name", ["wrap unsigned", "wrap signed", "mixed comparison", "mask", "swap", "struct copy"])
def test_safe_with_bit_vectors(name, load):
    encoding = encode(load(SAFE[name]), options=EncodeOptions(theory="bv"))
    assert encoding.theory.name == "bv" and solve(encoding.system) == z3.sat


def test_theory_is_chosen_by_operations(load):
    assert encode(load(SAFE["mask"])).theory.name == "lia"
    assert encode(load(UNSAFE["bits"])).theory.name == "bv"


@pytest.mark.parametrize(("shift", "theory"), [("x << 2", "lia"), ("x << unondet() % 3", "bv")])
def test_operations_on_bits_in_arguments_of_summarised_functions(shift, theory, load):
    """They are tried before the others; the predicates for that are none of the clauses'."""
    encoding = encode(
        load(
            "unsigned low(unsigned x, unsigned n){ return n ? low(x, n - 1) : x; }"
            f"int main(){{ unsigned x = unondet() & 7; if (low({shift}, 1) > 28) reach_error(); }}"
        )
    )
    predicates = encoding.system.predicates
    assert encoding.theory.name == theory and all(predicate in encoding.arguments for predicate in predicates)
    assert not any("~" in predicate.name for predicate in predicates)
