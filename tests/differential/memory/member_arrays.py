"""Random programs with pointers that are moved along arrays inside of records, whose faults runs on all inputs show.

`python -m tests.differential.memory.member_arrays FIRST COUNT` compares those of COUNT seeds: what the clauses derive,
and what the interpreter finds with each input. A program with a violation must not be proved.
"""

import random
import sys

from .embedded_lists import compare_all
from .sanitizers import PROTOTYPES

PROPERTIES = ("valid-memsafety", "unreach-call,valid-memsafety")

_BEGIN = """\
void reach_error(void);
struct row { KIND x, y; };
struct item { LAYOUT };
static int sum(KIND *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
static void fill(KIND *p, KIND *end) { while (p < end) *p++ = 1; }
static KIND *step(KIND *p, int n) { return p + n; }
"""
_BLOCKS = (
    "struct item *o = calloc(1, sizeof *o), *block = o;",
    "struct item *o = calloc(2, sizeof *o), *block = o;",
)
_LAYOUTS = (
    "KIND a[4]; int v; KIND b[3]; struct item *next; struct row r[2];",
    "struct item *next; KIND b[2]; int v; struct row r[3]; KIND a[3];",
    "int v; struct { KIND a[3]; KIND b[4]; }; struct row r[2]; struct item *next;",
    "int v; KIND b[3], a[5]; struct row r[2];",
)


def make(seed: int) -> str:
    """The program of a seed."""
    rng = random.Random(seed)
    kind = rng.choice(("int", "char", "short", "unsigned char"))
    layout = rng.choice(_LAYOUTS).replace("KIND", kind)
    linked = "next" in layout
    statements = "\n".join("  " + _statement(rng, linked, 0) for _ in range(rng.randint(3, 9)))
    first = rng.choice(
        ("struct item s = {0}; struct item *o = &s;", "struct item s[2] = {0}; struct item *o = s;", *_BLOCKS)
    )
    end = " free(block);" if first in _BLOCKS else ""
    link = " o->next = t;" if linked else ""
    return (
        f"{PROTOTYPES}{_BEGIN.replace('KIND', kind).replace('LAYOUT', layout)}"
        "int main(void) {\n  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();\n"
        "  if (n < 0 || n > 3 || m < 0 || m > 3) return 0;\n"
        f"  {first} struct item *t = calloc(1, sizeof *t), *other = t;{link}\n"
        f"  {kind} *p = o->a, *q = t->b; struct row *w = o->r;\n{statements}\n"
        f"  if (p == 0) reach_error();\n  free(other);{end} return 0;\n}}\n"
    )


def _statement(rng: random.Random, linked: bool, depth: int) -> str:
    """A statement: accesses, moved pointers, assertions."""
    p, q = rng.choice("pq"), rng.choice("pq")
    o, a = rng.choice("ot"), rng.choice("ab")
    i, c = rng.choice(("n", "m", "n + m", "1", "2", "3 - m", "n - 1")), rng.randint(0, 4)
    made = [
        f"{p} = {o}->{a};", f"{p} = {o}->{a} + {i};", f"{p} = &{o}->{a}[{i}];", f"{p} += {i};", f"{p}++;", f"{p}--;",
        f"{p} = step({q}, {i});", f"*{p} = {c};", f"{p}[{i}] = {c};", f"{o}->{a}[{i}] = {c};", f"{o}->v = {c};",
        f"{p} -= {i};", f"{p} = {q};", f"w += {i};", "w++;", f"w = {o}->r;", f"w = &{o}->r[{i}];", f"w->y = {c};",
        f"w[{i}].x = {c};", f"fill({o}->{a}, {o}->{a} + {i});", f"fill({p}, {p} + {i});", f"fill({o}->{a}, {p});",
        f"if (sum({p}, {i}) == {c}) reach_error();", f"if (*{p} == {c}) reach_error();",
        f"if ({o}->v == {c}) reach_error();", f"if ({p} == {o}->{a} + {c}) reach_error();",
        f"if ({p} - {o}->{a} == {c}) reach_error();", f"if ({o}->{a}[{i}] == {c}) reach_error();",
        f"{p} = &w->x;", f"{p} = &{o}->r[{i}].y;", f"{p} = (void *)w;",
        f"{{ __typeof__(&{o}->{a}) z = &{o}->{a}; (*z)[{i}] = {c}; {p} = *z + {i}; }}",
        f"{{ __typeof__(&{o}->r) z = &{o}->r; (*z)[{i}].y = {c}; {p} = &(*z)[{i}].x; }}",
        f"if ({p} < {o}->{a}) reach_error();", "if (w->x + w->y == 7) reach_error();",
    ]  # fmt: skip
    if linked:
        made += ["o = o->next;", "if (!o) o = t;", "t->next = o;", f"{p} = o->next ? o->next->{a} : t->{a};"]
    if depth < 2:
        inner = _statement(rng, linked, depth + 1)
        made += [f"if ({i} < {c}) {{ {inner} }}", f"for (int k = 0; k < {i}; k++) {{ {inner} }}"]
        made += [f"if ({p} != {o}->{a} + {c}) {{ {inner} }}"]
    return rng.choice(made)


def main(first: int, count: int) -> int:
    """Compares the programs of some seeds; the number of wrong proofs."""
    return compare_all(make, PROPERTIES, range(first, first + count))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])) > 0)
