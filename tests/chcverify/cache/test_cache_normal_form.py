"""Keys do not depend on names, positions or the process; certificates go there and back."""

import os
import subprocess
import sys

import pytest
import z3

import chcverify
from chcverify.cache.normal_form import NormalForm
from chcverify.certificate.derivation import Cycle, Derivation, Link, Step
from chcverify.horn.system import Clause, HornSystem, Predicate

PROGRAM = """extern void reach_error(void);
int twice(int count) { int sum = 0; for (int i = 0; i < count; i++) sum += 2; return sum; }
int main(void) { if (twice(4) > LIMIT) reach_error(); return 0; }
"""


def _key(text: str) -> str:
    return NormalForm.of(chcverify.load(text)).key


def test_renaming_and_moving_lines_keeps_the_key() -> None:
    program = PROGRAM.replace("LIMIT", "8")
    moved = "\n\n" + program.replace("twice", "f").replace("sum", "total").replace("count", "n").replace("{", "{\n")
    assert _key(program) == _key(moved)
    assert _key(program) != _key(PROGRAM.replace("LIMIT", "9"))
    assert _key(program) != _key(program.replace("i < count", "i <= count"))


def test_the_key_is_the_same_in_every_process(tmp_path) -> None:
    """Of processes that encode one program: what was made before may change the order in which z3 keeps arguments."""
    path = tmp_path / "p.c"
    path.write_text(PROGRAM.replace("LIMIT", "8"))
    script = "import sys, chcverify; from chcverify.cache.normal_form import NormalForm\n"
    script += "print(NormalForm.of(chcverify.load(sys.argv[1])).key)"
    keys = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", script, str(path)], env=environment, capture_output=True, text=True
        )
        keys.add(done.stdout.strip())
    assert len(keys) == 1 and keys != {""}


@pytest.mark.parametrize("limit", ["8", "7"])
def test_certificates_go_there_and_back(limit: str) -> None:
    system = chcverify.load(PROGRAM.replace("LIMIT", limit))
    form = NormalForm.of(system)
    answer = chcverify.solve(system, engines=["bmc" if limit == "7" else "spacer"], timeout=600)
    if limit == "8":
        assert isinstance(answer, chcverify.Safe)
        other = form.model_to_normal(answer.model)
        assert chcverify.check(form.system, other).accepted
        assert chcverify.check(system, form.model_from_normal(other)).accepted
    else:
        assert isinstance(answer, chcverify.Unsafe)
        steps = form.derivation_to_normal(answer.derivation)
        assert chcverify.check(form.system, steps).accepted
        assert chcverify.check(system, form.derivation_from_normal(steps)).accepted


def test_values_in_cycles_get_the_other_names() -> None:
    count = Predicate("count", (z3.IntSort(),))
    x, y, n = z3.Ints("x y n")
    system = HornSystem.of(
        [
            Clause(count(x), (), x == 0),  # x = 0 => count(x)
            Clause(count(y), (count(x),), y == x + 1),  # count(x) & y = x + 1 => count(y)
            Clause(None, (count(x),), x >= 1000),  # count(x) & x >= 1000 => false
        ]
    )
    link = Link(1, (n + 1,), (None,), ((y, n + 1),))
    cycle = Cycle(n, 1000, 0, (link,))
    derivation = Derivation((Step(0, (z3.IntVal(0),), ()), cycle, Step(2, (), (1,))))
    assert chcverify.check(system, derivation).accepted
    form = NormalForm.of(system)
    steps = form.derivation_to_normal(derivation)
    assert chcverify.check(form.system, steps).accepted
    assert chcverify.check(system, form.derivation_from_normal(steps)).accepted
