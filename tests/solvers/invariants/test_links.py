"""The engine `links`: lists of any length over object numbers, and the parts that it is made of."""

import random
import time

import pytest
import z3

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.horn.roles import Role
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Safe, Unknown
from encoders.c.encoding.encoder import encode
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64
from solvers.engine import Context
from solvers.invariants.links.address_arguments import addresses_of
from solvers.invariants.links.clause_sets import ClauseSet
from solvers.invariants.links.engine import Links
from solvers.invariants.links.link_literals import trial_facts
from solvers.invariants.links.link_vocabulary import literals_of

BEGIN = """
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    list = node;
  }
"""
SAFE_END = "while (list) { struct node *next = list->next; free(list); list = next; } }"
LEFT_OUT = "while (list && list->next) { struct node *next = list->next; free(list); list = next; } }"


def system_of(text: str, property: str) -> HornSystem:
    return encode(load_source(text, "test.c", LP64, property), property).system


def test_a_list_of_any_length_is_released() -> None:
    system = system_of(BEGIN + SAFE_END, "valid-memcleanup")
    linked = SystemVariants(time.monotonic() + 600).links(system)
    assert linked is not None
    smaller, back, _ = linked
    result = Links().solve(smaller, Context.within(600))
    assert isinstance(result, Safe)
    assert check_model(system, back.model(result.model), time.monotonic() + 600).accepted


def test_a_node_that_is_left_is_no_proof() -> None:
    linked = SystemVariants(time.monotonic() + 600).links(system_of(BEGIN + LEFT_OUT, "valid-memcleanup"))
    assert linked is not None
    assert isinstance(Links().solve(linked[0], Context.within(600)), Unknown)


PUSH = "struct node *node = malloc(sizeof *node); node->next = top; top = node;"
POP = "struct node *node = top; top = node->next; free(node);"
STACK = f"""
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node {{ struct node *next; }};
int main(void) {{
  struct node *top = 0;
  while (__VERIFIER_nondet_int()) {{ if (__VERIFIER_nondet_int()) {{ {PUSH} }} else if (top) {{ {POP} }} }}
  while (top) {{ {POP} }}
}}
"""
BACKWARDS = (
    STACK.replace("*next;", "*next, *back;")
    .replace(POP, "struct node *node = top; top = node->back; free(node);")
    .replace(PUSH, "struct node *node = malloc(sizeof *node); node->back = top; if (top) top->next = node; top = node;")
)


WALKED = """
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *back; int data; };
int main(void) {
  struct node *top = malloc(sizeof *top), *last = top;
  if (!top) return 0;
  top->next = top->back = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->next = 0;
    node->back = last;
    last->next = node;
    last = node;
  }
  for (; last; last = last->back) last->data = 1;
  while (top) { struct node *node = top; top = node->next; free(node); }
}
"""


APPENDED = f"""
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node {{ struct node *next; int data; }};
int main(void) {{
  struct node *top = 0;
  while (__VERIFIER_nondet_int()) {{
    struct node *node = malloc(sizeof *node), *last = top;
    node->next = 0;
    if (!top) top = node;
    else {{ while (last->next) last = last->next; last->next = node; }}
  }}
  while (top) {{ {POP} }}
}}
"""  # the last node is older than the one that is put behind it, as no other is newer than this


@pytest.mark.parametrize("text", [STACK, BACKWARDS, WALKED, APPENDED], ids=["stack", "backwards", "walked", "appended"])
def test_blocks_are_followed_by_what_leads_to_them(text: str) -> None:
    system = system_of(text, "valid-memsafety")
    linked = SystemVariants(time.monotonic() + 600).links(system)
    assert linked is not None
    result = Links().solve(linked[0], Context.within(600))
    assert isinstance(result, Safe)
    assert check_model(system, linked[1].model(result.model), time.monotonic() + 600).accepted


FAULTS = {
    "pops an empty stack": ("else if (top)", "else"),
    "leaves a node": ("while (top)", "while (top && top->next)"),
    "releases first": ("top = node->next; free(node);", "free(node); top = node->next;"),
    "releases twice": ("free(node);", "free(node); if (top) free(node);"),
    "loses the rest": ("node->next = top;", "node->next = 0;"),
    "closes a cycle": ("node->next = top;", "node->next = top; if (top) top->next = node;"),
    "keeps only a cycle": ("node->next = top; top = node;", "node->next = node;"),
}


@pytest.mark.parametrize(("old", "new"), FAULTS.values(), ids=FAULTS)
def test_programs_with_a_fault_are_not_proved(old: str, new: str) -> None:
    assert old in STACK
    linked = SystemVariants(time.monotonic() + 600).links(system_of(STACK.replace(old, new), "valid-memsafety"))
    assert linked is None or isinstance(Links().solve(linked[0], Context.within(600)), Unknown)


REVERSED = f"""
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node {{ struct node *next; }};
int main(void) {{
  struct node *list = 0, *top = 0;
  while (__VERIFIER_nondet_int()) {{ struct node *node = malloc(sizeof *node); node->next = list; list = node; }}
  while (list) {{ struct node *next = list->next; list->next = top; top = list; list = next; }}
  while (top) {{ {POP} }}
}}
"""
REVERSAL_FAULTS = {
    "keeps the old link": ("list->next = top;", "if (__VERIFIER_nondet_int()) list->next = top;"),
    "leaves a node": ("while (list)", "while (list && list->next)"),
    "closes a cycle": ("list->next = top;", "list->next = list;"),
    "closes a longer cycle": ("list->next = top;", "list->next = top; if (top) top->next = list;"),
}


SORTED = f"""
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node {{ struct node *next; int key; }};
int main(void) {{
  struct node *top = 0;
  while (__VERIFIER_nondet_int()) {{
    struct node *node = malloc(sizeof *node), *before = top;
    node->key = __VERIFIER_nondet_int();
    if (!before || before->key >= node->key) {{ node->next = top; top = node; }}
    else {{
      while (before->next && before->next->key < node->key) before = before->next;
      node->next = before->next;
      before->next = node;
    }}
  }}
  while (top) {{ {POP} }}
}}
"""
FILTERED = f"""
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node {{ struct node *next; }};
int main(void) {{
  struct node *top = 0, *at;
  while (__VERIFIER_nondet_int()) {{ struct node *node = malloc(sizeof *node); node->next = top; top = node; }}
  at = top;
  while (at && at->next) {{
    struct node *next = at->next;
    if (__VERIFIER_nondet_int()) {{ at->next = next->next; free(next); }} else at = next;
  }}
  while (top) {{ {POP} }}
}}
"""


@pytest.mark.parametrize("text", [REVERSED, SORTED, FILTERED], ids=["reversed", "sorted", "filtered"])
def test_lists_in_another_order_than_that_of_allocations_are_proved(text: str) -> None:
    system = system_of(text, "valid-memsafety")
    linked = SystemVariants(time.monotonic() + 600).links(system)
    assert linked is not None
    assert any(Role.RANK in predicate.roles for predicate in linked[0].predicates)
    result = Links().solve(linked[0], Context.within(600))
    assert isinstance(result, Safe)
    assert check_model(system, linked[1].model(result.model), time.monotonic() + 600).accepted


@pytest.mark.parametrize(("old", "new"), REVERSAL_FAULTS.values(), ids=REVERSAL_FAULTS)
def test_reversals_with_a_fault_have_violations_or_are_not_modelled(old: str, new: str) -> None:
    assert old in REVERSED
    linked = SystemVariants(time.monotonic() + 600).links(system_of(REVERSED.replace(old, new), "valid-memsafety"))
    assert linked is None or isinstance(Links().solve(linked[0], Context.within(600)), Unknown)


RING = """
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
int main(void) {
  struct node *head = malloc(sizeof *head), *node;
  head->next = head;
  while (__VERIFIER_nondet_int()) {
    node = malloc(sizeof *node);
    node->next = head->next;
    head->next = node;
  }
  for (node = head->next; node != head;) {
    struct node *next = node->next;
    free(node);
    node = next;
  }
  free(head);
}
"""
RING_FAULTS = {
    "leaves a node": ("node != head;", "node != head && node->next != head;"),
    "goes around again": ("node != head;", "node;"),
    "releases the head first": ("for (node", "free(head); for (node"),
    "leads not on": ("node->next = head->next;", "node->next = head;"),
    "keeps only a cycle": ("head->next = node;", "node->next = node;"),
    "loses the head": ("free(head);", "head = 0;"),
}


def test_circular_lists_are_proved() -> None:
    system = system_of(RING, "valid-memsafety")
    linked = SystemVariants(time.monotonic() + 600).links(system)
    assert linked is not None
    result = Links().solve(linked[0], Context.within(600))
    assert isinstance(result, Safe)
    assert check_model(system, linked[1].model(result.model), time.monotonic() + 600).accepted


@pytest.mark.parametrize(("old", "new"), RING_FAULTS.values(), ids=RING_FAULTS)
def test_circular_lists_with_a_fault_are_not_proved(old: str, new: str) -> None:
    assert old in RING
    linked = SystemVariants(time.monotonic() + 600).links(system_of(RING.replace(old, new), "valid-memsafety"))
    assert linked is None or isinstance(Links().solve(linked[0], Context.within(600)), Unknown)


OWNED = """
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int *value; };
int main(void) {
  struct node *top = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    int *value = malloc(sizeof *value);
    *value = 1;
    node->value = value;
    node->next = top;
    top = node;
  }
  while (top) {
    struct node *node = top;
    top = node->next;
    free(node->value);
    free(node);
  }
}
"""
OWNED_FAULTS = {
    "loses the values": ("free(node->value);", ""),
    "loses one value": ("node->value = value;", "node->value = value; if (top) node->value = top->value;"),
    "loses nodes and values": ("while (top)", "if (top)"),
    "loses the nodes": ("free(node);", ""),
    "reads a node after its release": ("free(node->value);\n    free(node);", "free(node);\n    free(node->value);"),
    "releases a value twice": ("free(node);", "free(node->value); free(node);"),
    "shares a value": ("node->value = value;", "node->value = top ? top->value : value; if (top) free(value);"),
}


def test_blocks_that_blocks_of_a_list_own_are_proved() -> None:
    system = system_of(OWNED, "valid-memsafety")
    linked = SystemVariants(time.monotonic() + 600).links(system)
    assert linked is not None
    result = Links().solve(linked[0], Context.within(600))
    assert isinstance(result, Safe)
    assert check_model(system, linked[1].model(result.model), time.monotonic() + 600).accepted


@pytest.mark.parametrize(("old", "new"), OWNED_FAULTS.values(), ids=OWNED_FAULTS)
def test_owned_blocks_with_a_fault_are_not_proved(old: str, new: str) -> None:
    assert old in OWNED
    linked = SystemVariants(time.monotonic() + 600).links(system_of(OWNED.replace(old, new), "valid-memsafety"))
    assert linked is None or isinstance(Links().solve(linked[0], Context.within(10)), Unknown)


MARKED = """
extern void *malloc(unsigned long);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct node { int mark; struct node *next; };
int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->mark = 1;
    node->next = list;
    list = node;
  }
  for (; list; list = list->next) if (list->mark != 1) reach_error();
}
"""
MARKED_RING = """
extern void *malloc(unsigned long);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct node { int mark; struct node *next; };
int main(void) {
  struct node *head = malloc(sizeof *head), *node;
  head->next = head;
  while (__VERIFIER_nondet_int()) {
    node = malloc(sizeof *node);
    if (!node) break;
    node->mark = 1;
    node->next = head->next;
    head->next = node;
  }
  for (node = head->next; node != head; node = node->next) if (node->mark != 1) reach_error();
}
"""


@pytest.mark.parametrize("text", [MARKED, MARKED_RING], ids=["list", "ring"])
def test_data_of_lists_that_end_where_malloc_gives_null_is_known(text: str) -> None:
    system = system_of(text, "unreach-call")
    linked = SystemVariants(time.monotonic() + 600).links(system)
    assert linked is not None
    result = Links().solve(linked[0], Context.within(600))
    assert isinstance(result, Safe)
    assert check_model(system, linked[1].model(result.model), time.monotonic() + 600).accepted


def test_programs_without_memory_properties_have_no_such_variant() -> None:
    assert SystemVariants(time.monotonic() + 600).links(system_of(BEGIN + SAFE_END, "unreach-call")) is None


def _cells() -> HornSystem:
    """P(x, end, k, c): x and c are addresses, multiples of 4; null is -4."""
    x, end, k, c, d = z3.Ints("x end k c d")
    p = Predicate("P", (z3.IntSort(),) * 4, roles=(Role.SCALAR, Role.END, Role.INDEX, Role.CELL))
    start = Clause(p(x, end, k, c), (), z3.And(x == -4, end == 4))
    grow = Clause(p(end, end + 4, k, z3.If(k == end, x, c)), (p(x, end, k, c),), z3.BoolVal(True))
    follow = Clause(p(c, end, k, d), (p(x, end, x, c), p(x, end, k, d)), x != -4)
    return HornSystem.of([start, grow, follow])


SENTINELS = """
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *back; };
int main(void) {
  struct node *first = malloc(sizeof *first), *last = malloc(sizeof *last);
  first->back = last->next = 0;
  first->next = last;
  last->back = first;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->next = last;
    node->back = last->back;
    last->back->next = node;
    last->back = node;
  }
  while (first) { struct node *node = first; first = node->next; free(node); }
}
"""


def test_what_was_allocated_at_first_stays_below_the_end_whatever_other_addresses_there_are() -> None:
    linked = SystemVariants(time.monotonic() + 600).links(system_of(SENTINELS, "valid-memsafety"))
    assert linked is not None
    addresses = addresses_of(linked[0])
    assert addresses is not None
    heads = [clause.head for clause in linked[0].clauses if clause.is_fact and clause.head is not None]
    for predicate in {head.predicate for head in heads}:
        (end,) = (i for i in range(predicate.arity) if predicate.role(i) is Role.END)
        at, before = [0] * predicate.arity, [0] * predicate.arity
        at[end], before[end] = addresses.last, addresses.last - addresses.stride
        literals = literals_of(predicate, addresses)
        assert any(literal.holds(at) and not literal.holds(before) for literal in literals)


def test_what_meets_the_index_is_an_address() -> None:
    system = _cells()
    found = addresses_of(system)
    assert found is not None
    assert found.positions[system.predicates[0]] == {0, 1, 2, 3}
    assert (found.stride, found.constants) == (4, (-4, 4))
    assert found.links(system.predicates[0]) == [3]


def test_numbers_alone_are_no_links() -> None:
    x, k, c = z3.Ints("x k c")
    p = Predicate("P", (z3.IntSort(),) * 3, roles=(Role.SCALAR, Role.INDEX, Role.CELL))
    assert addresses_of(HornSystem.of([Clause(p(x, k, c), (), x == 0)])) is None


@pytest.mark.parametrize("seed", range(20))
def test_clauses_hold_of_all_facts_and_are_as_strong_as_literals_allow(seed: int) -> None:
    system = _cells()
    predicate, found = system.predicates[0], addresses_of(system)
    assert found is not None
    literals, source = literals_of(predicate, found), random.Random(seed)
    clauses = ClauseSet(literals, trial_facts(predicate, found, 0), 2)
    facts = [[source.choice((-4, 4, 8, 12, 16)) for _ in range(4)] for _ in range(12)]
    for fact in facts:
        clauses.add(fact)
        assert not clauses.add(fact)
    signatures = [clauses.signature(fact) for fact in facts]
    assert all(clause & signature for clause in clauses.clauses for signature in signatures)
    always = [i for i, x in enumerate(literals) if all(s >> i & 1 for s in signatures) and not x.needs]
    terms = clauses.formula(clauses.invariants())
    for i in always:  # what holds of all facts follows
        solver = z3.Solver()
        solver.add(terms, z3.Not(literals[i].formula))
        assert literals[i].is_alone or i == 0 or solver.check() == z3.unsat


@pytest.mark.parametrize("seed", range(5))
def test_literals_mean_the_same_as_formulas_and_as_functions(seed: int) -> None:
    system = _cells()
    predicate, found = system.predicates[0], addresses_of(system)
    assert found is not None
    for fact in list(trial_facts(predicate, found, seed))[:20]:
        pairs = [(formal, z3.IntVal(value)) for formal, value in zip(predicate.formals, fact, strict=True)]
        for literal in literals_of(predicate, found):
            assert z3.is_true(z3.simplify(z3.substitute(literal.formula, *pairs))) == literal.holds(fact)
