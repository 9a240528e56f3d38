"""Loops that clear the blocks of calloc whose size has no bound."""

from encoders.c.cfa import ir
from encoders.c.encoding.encoder import encode
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

TEXT = """
typedef unsigned long size_t;
void *malloc(size_t size), *calloc(size_t count, size_t size);
unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {{
  unsigned n = __VERIFIER_nondet_uint();
  int *fresh = malloc(sizeof *fresh), *zeros = calloc({count}, sizeof *zeros);
  *fresh = 5;
  int *p = n ? zeros : fresh;
  if (n && p[n - 1] != 0) reach_error();
  return 0;
}}
"""


def clearings(program: ir.Program) -> list[ir.Clear]:
    """The operations that set an element of a block that calloc made to zero."""
    edges = (edge for function in program.functions.values() for edge in function.edges)
    return [edge.operation for edge in edges if isinstance(edge.operation, ir.Clear) and edge.operation.is_fresh]


def loop_heads(program: ir.Program) -> int:
    """How many loops a program has."""
    return sum(location.is_loop_head for function in program.functions.values() for location in function.locations)


def test_a_block_of_unbounded_size_is_cleared_by_a_loop() -> None:
    program = load_source(TEXT.format(count="n"), "calloc.c", LP64)
    encoded = encode(program).program
    assert not clearings(program)
    assert len(clearings(encoded)) == 1
    assert loop_heads(encoded) == loop_heads(program) + 1


def test_a_block_of_constant_size_is_cleared_at_once() -> None:
    program = load_source(TEXT.format(count="3"), "calloc.c", LP64)
    assert encode(program).program == program
