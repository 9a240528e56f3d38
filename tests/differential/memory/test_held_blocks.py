"""Random programs whose blocks other blocks hold: what loses one in a loop, which ends or not, is never proved."""

import random
import time

import pytest

from chcverify.portfolio.variants import SystemVariants
from chcverify.results.checks import CheckKind
from chcverify.results.result import Unsafe
from encoders.c.analysis.memory import lost_blocks
from encoders.c.encoding.encoder import encode
from encoders.c.execution.testing.random_runs import random_runs
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64
from solvers.bmc.engine import Bmc
from solvers.engine import Context

_STATEMENTS = (
    "box->left = 0;",
    "if (!box->left) box->left = malloc(4);",
    "free(box->left); box->left = 0;",
    "t = box->left; box->left = box->right; box->right = t;",
    "box->right = box->left; box->left = 0;",
    "if (!box->right) box->right = malloc(4);",
    "free(box->right); box->right = 0;",
    "if (box->left) *box->left = 1;",
)
_BEGIN = """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct box { int *left, *right; };
int main(void) {
  struct box *box = malloc(sizeof *box);
  int *t = 0;
  box->left = box->right = 0;
"""
_END = "  free(box->left);\n  free(box->right);\n  free(box);\n  return 0;\n}\n"
SEEDS = range(30)


def program(seed: int, ends: bool) -> str:
    """A program that loses a block in its loop or not. ends: the loop may end; else it goes on for ever."""
    source = random.Random(seed)
    lines = []
    for statement in source.choices(_STATEMENTS, k=source.randint(2, 5)):
        condition = "if (__VERIFIER_nondet_int()) " if source.random() < 0.4 else ""
        lines.append(f"    {condition}{{ t = 0; {statement} t = 0; }}\n")
    head = "__VERIFIER_nondet_int()" if ends else "1"
    return f"{_BEGIN}  while ({head}) {{\n{''.join(lines)}  }}\n{_END}"


def loses_a_block(seed: int) -> bool:
    """True if some run of the program that ends loses a block."""
    found = random_runs(load_source(program(seed, True), "held.c", LP64, "valid-memsafety"), seed=1, count=200)
    assert found is None or (found.violation is not None and found.violation.check.kind is CheckKind.LEAK)
    return found is not None


@pytest.mark.parametrize("ends", [True, False])
def test_lost_blocks_are_derived(ends: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lost_blocks, "VISITS", 2)  # derivations of more take long to find
    losing = [seed for seed in SEEDS if loses_a_block(seed)]
    assert 5 < len(losing) < len(SEEDS)
    assert [seed for seed in losing if not is_refuted(program(seed, ends))] == []


def is_refuted(source: str) -> bool:
    """True if the clauses derive a violation, or something that is not modelled."""
    system = encode(load_source(source, "held.c", LP64, "valid-memsafety"), "valid-memsafety").system
    reduced = SystemVariants(time.monotonic() + 600).reduced(system)[0]
    return isinstance(Bmc().solve(reduced, Context.within(600)), Unsafe)
