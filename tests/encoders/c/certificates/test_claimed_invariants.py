"""Claims of loop invariants as formulas of the clauses, and what is said of those that are wrong."""

import time
from pathlib import Path

import pytest
import z3

from chcverify.certificate.model import Model
from chcverify.options import SourceFile
from encoders.c.certificates.invariants.claim_failures import claim_warnings, claims_model
from encoders.c.certificates.invariants.claimed_invariants import ClaimedInvariant, claimed_invariants
from encoders.c.encoding.encoder import EncodeOptions, Encoding, encode
from encoders.c.frontend import Begin, load_files
from encoders.c.types.c_types import LP64

PROGRAM = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, s = 0, unused = 0;
  if (n < 0 || n > 100) return 0;
  //@ loop invariant %s;
  for (; i < n; i++) { s += 2; unused++; }
  if (s != 2 * n) reach_error();
  return 0;
}
"""


def encoding_of(folder: Path, invariant: str, theory: str = "auto") -> Encoding:
    path = folder / "p.c"
    path.write_text(PROGRAM % invariant)
    program = load_files([SourceFile(str(path))], LP64, begin=Begin(contracts=True))
    return encode(program, options=EncodeOptions(theory=theory))


def warnings(encoding: Encoding, model: Model | None = None) -> list[str]:
    from chcverify.portfolio.variants import SystemVariants

    until = time.monotonic() + 600
    blocks, _, _ = SystemVariants(until).reduced(encoding.system)
    return [text.partition("p.c:6 ")[2] for text in claim_warnings(claimed_invariants(encoding), model, blocks, until)]


@pytest.mark.parametrize("theory", ["lia", "bv"])
def test_a_claim_is_a_formula_at_its_loop_head(theory: str, tmp_path: Path) -> None:
    (claim,) = claimed_invariants(encoding_of(tmp_path, "0 <= i <= n && s == 2 * i", theory))
    assert claim.predicate.origin is not None
    assert claim.predicate.origin.line == 7
    assert claim.formula is not None
    names = dict(zip(claim.predicate.names, claim.predicate.formals, strict=True))
    values = [
        (names[name], z3.BitVecVal(value, 32) if theory == "bv" else z3.IntVal(value))
        for name, value in {"i": 2, "n": 5, "s": 4}.items()
    ]
    assert z3.is_true(z3.simplify(z3.substitute(claim.formula, *values)))
    assert z3.is_false(z3.simplify(z3.substitute(claim.formula, *values[:2], (names["s"], values[0][1]))))


@pytest.mark.parametrize(
    ("invariant", "text"),
    [
        ("i < 50", "is not kept by the loop body (the clause of line 7): from n = "),
        ("i > 0", "does not hold where the loop is entered (the clause of line 5): with n = "),
        ("unused >= 0", "is not used: what comes behind the loop does not depend on unused"),
    ],
)
def test_a_wrong_claim_is_explained(invariant: str, text: str, tmp_path: Path) -> None:
    (found,) = warnings(encoding_of(tmp_path, invariant))
    assert text in found


def test_claims_that_are_kept_give_no_warning(tmp_path: Path) -> None:
    encoding = encoding_of(tmp_path, "0 <= i <= n <= 100 && s == 2 * i")
    assert warnings(encoding) == []
    model = claims_model(claimed_invariants(encoding))
    assert len(model.interpretations) == 1


def test_what_a_model_implies_is_not_asked_again(tmp_path: Path) -> None:
    encoding = encoding_of(tmp_path, "s >= 0")  # not inductive by itself: it wraps
    (claim,) = claimed_invariants(encoding)
    assert isinstance(claim, ClaimedInvariant)
    assert len(warnings(encoding)) == 1
    assert claim.formula is not None
    assert warnings(encoding, Model({claim.predicate: claim.formula})) == []
