"""Quotients of a clause as polynomials: equations that its linear conditions imply, and loops that halve numbers."""

import time

import pytest
import z3

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.horn.system import Application, Clause, Predicate
from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Safe
from chcverify.terms.arithmetic.modular_polynomials import ModularPolynomials
from encoders.c.encoding.encoder import encode
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64
from solvers.engine import Context
from solvers.invariants.congruences.affine_relations import Replacements, affine_relations, linear_part
from solvers.invariants.congruences.engine import CongruenceEngine

x, y = z3.Ints("x y")
WORD = 1 << 32


def relations_of(condition: z3.BoolRef, *terms: z3.ArithRef) -> tuple[ModularPolynomials, Replacements]:
    residues = ModularPolynomials(WORD)
    for term in terms:
        residues.of(term)
    return residues, Replacements(affine_relations(condition, residues), residues)


def test_an_even_number_is_twice_its_half() -> None:
    residues, found = relations_of(x % 2 == 0, x, x / 2)
    assert found.applied(residues.of(x * y)) == found.applied(residues.of(2 * y * (x / 2)))
    residues, found = relations_of(x % 2 == 1, x, x / 2)
    assert found.applied(residues.of(x)) == found.applied(residues.of(2 * (x / 2) + 1))
    residues, found = relations_of(x >= 0, x, x / 2)
    assert found.applied(residues.of(x)) != found.applied(residues.of(2 * (x / 2)))


def test_neighbouring_quotients_are_related() -> None:
    residues, found = relations_of(x >= 0, x, x / 2, (x + 1) / 2, (x + 2) / 2)
    assert found.applied(residues.of(x / 2 + (x + 1) / 2 - x)) == {}
    assert found.applied(residues.of((x + 2) / 2 - x / 2)) == {(): 1}


def test_impossible_conditions_and_products_give_nothing() -> None:
    assert relations_of(z3.And(x > 0, x < 0), x, x / 2)[1].rest == []
    nothing = Predicate("p", (z3.IntSort(),))
    clause = Clause(Application(nothing, (x,)), (), z3.And(x * y == 3, x > 1))
    assert linear_part(clause).eq(x > 1)


HALVING = """
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), x = a, y = b, z = 0;
  while (y != 0) {
    if (z + x * y != a * b) reach_error();
    if (y % 2 == 1) { z += x; y -= 1; }
    x = 2 * x; y = y / 2;
  }
  if (z != a * b) reach_error();
}
"""
DIVIDING = """
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), q = 0, r = a, d = b;
  if (b < 1 || a > 100000) return 0;
  while (r >= d) d = 2 * d;
  while (d != b) {
    if (a != q * d + r) reach_error();
    q = 2 * q; d = d / 2;
    if (r >= d) { q = q + 1; r = r - d; }
  }
  if (a != q * b + r) reach_error();
}
"""


@pytest.mark.parametrize(
    "text, right, wrong", [(HALVING, "y -= 1;", "y -= 3;"), (DIVIDING, "q = q + 1;", "q = q + 2;")]
)
def test_loops_that_halve_are_proved(text: str, right: str, wrong: str) -> None:
    def model_of(program: str) -> bool:
        system = encode(load_source(program, "test.c", LP64, "unreach-call"), "unreach-call").system
        smaller, back, _ = SystemVariants(time.monotonic() + 600).reduced(system)
        result = CongruenceEngine().solve(smaller, Context.within(600))
        return (
            isinstance(result, Safe) and check_model(system, back.model(result.model), time.monotonic() + 600).accepted
        )

    assert model_of(text)
    assert not model_of(text.replace(right, wrong))
