"""Random programs with circular lists through members of larger records, whose faults runs on all inputs show.

`python -m tests.differential.memory.embedded_lists FIRST COUNT` compares those of COUNT seeds: what the clauses derive,
and what the interpreter finds with each input. A program with a violation must not be proved.
"""

import random
import sys
import time
from collections.abc import Callable, Iterable

from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Result
from encoders.c.encoding.encoder import encode
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64
from solvers.bmc.engine import Bmc
from solvers.engine import Context

from .sanitizers import PROTOTYPES
from .verdicts import possible_verdicts

PROPERTIES = ("valid-memsafety", "unreach-call")
_SECONDS = 60  # for one proof: a safety net, most take one

_BEGIN = """\
void reach_error(void);
struct link { struct link *next, *prev; };
struct item { LAYOUT };
#define around(p, member) ((struct item *)((char *)(p) - (unsigned long)&((struct item *)0)->member))
static void put(struct link *x, struct link *at) { x->next = at->next; x->prev = at; at->next->prev = x; at->next = x; }
static void cut(struct link *x) { x->prev->next = x->next; x->next->prev = x->prev; x->next = x->prev = x; }
static struct item *make(int v) {
  struct item *x = malloc(sizeof *x);
  x->v = v; x->w = 1; x->k.next = x->k.prev = &x->k; x->l.next = x->l.prev = &x->l;
  return x;
}
"""
_LAYOUTS = (
    "int v; struct link l; int w; struct link k;", "struct link l; struct link k; int v; int w;",
    "char t; struct { int v; struct link l; }; struct link k; long w;", "int v, w; struct link k, l;",
)  # fmt: skip


def make(seed: int) -> str:
    """The program of a seed."""
    rng = random.Random(seed)
    statements = "\n".join("  " + _statement(rng, 0) for _ in range(rng.randint(3, 8)))
    heads = "struct link h = {&h, &h}, g = {&g, &g};"
    is_global, is_used = rng.random() < 0.5, rng.random() < 0.5
    stack = " struct item s = {.v = 2}; s.l.next = s.l.prev = &s.l; s.k.next = s.k.prev = &s.k; b = &s;"
    return (
        f"{PROTOTYPES}{_BEGIN.replace('LAYOUT', rng.choice(_LAYOUTS))}{f'static {heads}' if is_global else ''}\n"
        "int main(void) {\n  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();\n"
        "  if (n < 0 || n > 3 || m < 0 || m > 3) return 0;\n"
        f"  {'' if is_global else heads} struct item *a = make(1), *b = a, *c = a; struct link *p = &h;"
        f"{stack if is_used else ''}\n{statements}\n  {rng.choice(_ENDS)}\n  return 0;\n}}\n"
    )


_ENDS = (
    "free(a);", "if (a != c) free(c); free(a);", "", "while (h.next != &h) { p = h.next; cut(p); free(around(p, l)); }",
    "for (p = h.next; p != &h; p = p->next) n += around(p, l)->v; if (n > 3) reach_error(); free(a);",
)  # fmt: skip


def _statement(rng: random.Random, depth: int) -> str:
    x, y = rng.choice("abc"), rng.choice("abc")
    head, member = rng.choice((("h", "l"), ("h", "l"), ("g", "k")))
    simple = (
        f"{x} = make(n);", f"{x} = {y};", f"put(&{x}->{member}, &{head});", f"put(&{x}->{member}, &{head});",
        f"cut(&{x}->{member});", f"{x} = around({head}.next, {member});", "p->prev = p;",
        f"{x} = around({y}->{member}.prev, {member});",
        f"if ({head}.next != &{head}) {x} = around({head}.next, {member});", f"p = {head}.next;", "p = p->next;",
        f"if (p != &{head}) m = around(p, {member})->v;", f"{x}->w = m;", f"n = {x}->v;", f"n = {x}->w;",
        f"if (&{x}->{member} != &{head}) free({x});", f"if ({x}->v > 1) reach_error();", f"p = &{x}->{member};",
        f"if ({x} == {y}) {x}->v = 3;", f"{x}->{member}.next = &{head};",
    )  # fmt: skip
    if depth > 1 or rng.random() < 0.6:
        return rng.choice(simple)
    inner = " ".join(_statement(rng, depth + 1) for _ in range(rng.randint(1, 2)))
    walk = f"for (struct link *q = {head}.next; q != &{head}; q = q->next)"
    return rng.choice(
        (
            f"if (n == {rng.randint(0, 3)}) {{ {inner} }}",
            f"if (m > {rng.randint(0, 3)}) {{ {inner} }} else {{ {_statement(rng, depth + 1)} }}",
            f"{walk} m += around(q, {member})->v;",
            f"{walk} around(q, {member})->w = n;",
            f"if (&{x}->{member} != &{head}) {{ {inner} }}",
        )
    )


def result(text: str, property_: str) -> Result:
    """What bounded model checking finds of a program."""
    system = encode(load_source(text, "lists.c", LP64, property_), property_).system
    reduced = SystemVariants(time.monotonic() + _SECONDS).reduced(system)[0]
    return Bmc().solve(reduced, Context.within(_SECONDS))


def compare_all(make_program: Callable[[int], str], properties: Iterable[str], seeds: Iterable[int]) -> int:
    """Prints what is found of the programs of these seeds; how many wrong proofs there are."""
    wrong = 0
    for seed in seeds:
        text = make_program(seed)
        for property_ in properties:
            try:
                possible = possible_verdicts(text, property_)
            except ValueError as error:
                print(seed, property_, "no runs:", error, flush=True)
                continue
            found = type(result(text, property_)).__name__
            is_wrong = found == "Safe" and possible != {"true"}
            wrong += is_wrong
            print(seed, property_, found, *sorted(possible), "WRONG" if is_wrong else "", flush=True)
    print(wrong, "wrong proofs")
    return wrong


def main(first: int, count: int) -> int:
    """Compares the programs of some seeds; how many wrong proofs there are."""
    return compare_all(make, PROPERTIES, range(first, first + count))


if __name__ == "__main__":
    sys.exit(min(1, main(int(sys.argv[1]), int(sys.argv[2]))))
