"""Accesses and addresses beyond arrays that are members: what the clauses say of them."""

import time

import pytest

from chcverify.horn.system import HornSystem
from chcverify.portfolio.variants import SystemVariants
from chcverify.results.checks import CheckKind
from chcverify.results.result import Safe
from encoders.c.encoding.encoder import Encoding, encode
from encoders.c.encoding.memory import member_bounds
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64
from solvers.bmc.engine import Bmc
from solvers.engine import Context

TYPES = (
    "void *malloc(unsigned long); void free(void *); void reach_error(void); int __VERIFIER_nondet_int(void);"
    " struct n { struct n *next; int a[4]; int v; }; struct d { char a[4]; char v; char w[3]; };"
    " struct u { union { int i[2]; char c[8]; float f; }; char v; };"
    " struct in { int x; }; struct r { union { int x; struct in in; }; };"
    " struct e { struct e *next; struct r r[4]; int v; };\n"
)
BLOCK = (
    "struct n *x = malloc(sizeof *x), *c = x; x->v = 7; int *p = x->a, *q = p; for (int k = 0; k < 4; k++) p[k] = k;"
)


def encoded(body: str, property_: str = "unreach-call,valid-memsafety") -> Encoding:
    begin = "int i = __VERIFIER_nondet_int(); if (i < 0 || i > 4) return 0;"
    text = f"{TYPES}int main(void) {{ {begin} {body} return 0; }}"
    return encode(load_source(text, "a.c", LP64, property_), property_)


def is_safe(system: HornSystem) -> bool:
    """Does no run violate a check, or come to what is not modelled?"""
    reduced = SystemVariants(time.monotonic() + 60).reduced(system)[0]
    return isinstance(Bmc().solve(reduced, Context.within(60)), Safe)


def opens(encoding: Encoding) -> int:
    """The number of open checks of bounds."""
    failures = [info.failure for info in encoding.infos if info.failure is not None]
    return sum(failure.is_open and failure.kind is CheckKind.BOUNDS for failure in failures)


@pytest.mark.parametrize(
    "body",
    [
        "p = p + i; if (p - x->a != i) reach_error();",
        "p = x->a + 4; while (p > q) { p--; if (*p != p - q) reach_error(); }",
        "for (p = x->a; p < x->a + 4; p++) *p = 5; if (x->v != 7 || q[i & 3] != 5) reach_error();",
        "p += 4; if (p == x->a) reach_error(); p -= i; if (p < x->a || p > x->a + 4) reach_error();",
        "if (i < 4 && q[i] != i) reach_error(); p = i < 4 ? p + i : p; if (i < 4 && *p != i) reach_error();",
    ],
)
def test_inside_of_the_array_all_is_exact(body: str) -> None:
    assert is_safe(encoded(f"{BLOCK} {body} free(c);").system)


@pytest.mark.parametrize(
    "body",
    [
        "p = p + i; p = p + 1; if (p - x->a == 5) reach_error();",
        "q = p + i; *q = 1;",
        "q[i] = 1;",
        "q = &x->a[i + 1]; q--;",
        "p--; if (p == q) reach_error();",
        "p += 5; p -= 5; *p = 1;",
    ],
)
def test_what_leaves_the_array_is_not_proved(body: str) -> None:
    assert not is_safe(encoded(f"{BLOCK} {body} free(c);").system)


def test_the_member_behind_the_array_is_not_taken_for_the_next_record() -> None:
    body = "static struct d s[2]; char *q = &s[0].a[i]; *q = 1; if (s[0].v == 1) reach_error();"
    assert not is_safe(encoded(body).system)
    assert is_safe(encoded(body.replace("[i]", "[i & 3]")).system)


@pytest.mark.parametrize(
    "body",
    [
        "static struct d s[2]; char (*q)[4] = &s[0].a; (*q)[i] = 1; if (s[0].v == 1) reach_error();",
        "static struct d s[2]; char (*q)[4] = &s[0].a; char *p = &(*q)[i]; *p = 1; if (s[0].v == 1) reach_error();",
        "static struct u t[2]; char *p = t[0].c; p += 2 * i; *p = 1; if (t[0].v == 1) reach_error();",
        "static struct e s; struct r *w = s.r; w += i; int *q = &w->x; *q = 1; if (s.v == 1) reach_error();",
        "static struct e s; struct r *w = s.r; w += i; ((struct in *)w)->x = 1; if (s.v == 1) reach_error();",
        "static struct e s; struct r (*w)[4] = &s.r; (*w)[i].x = 1; if (s.v == 1) reach_error();",
    ],
    ids=["array as a whole", "its address", "union", "member of an element", "first member", "array of records"],
)
def test_behind_the_array_lies_another_member(body: str) -> None:
    assert not is_safe(encoded(body).system)
    assert is_safe(encoded(f"if (i > 3) return 0; {body}").system)


def test_the_end_of_one_array_is_not_the_beginning_of_the_next() -> None:
    body = "static struct d s[2]; char *q = &s[0].a[4], *r = s[1].a; if (q != r) reach_error();"
    assert not is_safe(encoded(body, "unreach-call").system)


def test_an_address_behind_the_array_is_modelled_where_objects_are_single_records() -> None:
    several = "static struct d s[2]; char *q = &s[0].a[4], *r = s[1].a; if (q == r) reach_error();"
    assert not is_safe(encoded(several).system)
    single = f"{BLOCK} q = &x->a[4]; if (q - 4 != x->a) reach_error(); free(c);"
    assert is_safe(encoded(single).system)


def test_an_access_through_a_pointer_into_the_array_is_an_open_check() -> None:
    assert opens(encoded(f"{BLOCK} free(c);")) == 1  # p[k]
    assert opens(encoded(f"{BLOCK} q[i] = 1; free(c);")) == 2
    assert opens(encoded(f"{BLOCK} x->a[i] = 1; free(c);")) == 2


def test_nothing_is_asked_where_no_access_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(member_bounds, "computed_addresses", pytest.fail)
    found = encoded(f"{BLOCK} p = p + i; x->a[i] = 1;", "unreach-call")
    assert opens(found) == 0 and all(found.infos[index].check is not None for index in found.system.queries)
