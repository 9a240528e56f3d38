"""When the end of a block of unknown size changes what is allocated where it is."""

from functools import partial

import z3

from encoders.c.cfa import ir
from encoders.c.encoding.encoder import encode
from encoders.c.encoding.initial_values import constant_of
from encoders.c.encoding.memory.forgotten_contents import ForgottenContents
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

HEADER = """
void *malloc(unsigned long); void free(void *); void reach_error(void); unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  int *a = malloc(n), *b = malloc(n), *c = n > 9 ? a : b;
  *a = *b = 1;
"""


def condition(after: str, live: bool = True) -> z3.BoolRef:
    """The condition on the state before `free(c)` under which other contents are chosen. live: is all state used?"""
    encoding = encode(load_source(f"{HEADER} free(c); {after} }}", "a.c", LP64, "unreach-call"))
    memory, blocks = encoding.memory, encoding.objects.forgotten
    for edge in encoding.flat.edges():
        if isinstance(edge.operation, ir.Forget):
            block = blocks.of(edge.operation, edge.frame)
            assert block is not None
            every = sum(1 << variable.index for variable in memory.variables)
            theory = encoding.theory
            found = ForgottenContents(
                memory, blocks, theory, partial(constant_of, theory), every if live else 0, edge.frame
            )
            return found.is_led_to(block)
    raise AssertionError


def test_no_variable_that_is_used_leads_there() -> None:
    assert z3.is_false(condition("if (*a) reach_error();", live=False))


def test_a_variable_leads_there_or_not() -> None:
    found = condition("if (*a) reach_error();")
    solver = z3.Solver()
    for answer in (True, False):
        solver.push()
        solver.add(found == answer)
        assert solver.check() == z3.sat
        solver.pop()
