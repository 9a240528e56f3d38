"""check_certificate.py, the stand-alone checker: on both dialects, both kinds of certificate, and all mutations."""

import json
import subprocess
import sys

import pytest
import z3
from certificate_systems import (
    DERIVATION,
    MODEL,
    SAFE,
    SAFE_RULES,
    UNSAFE,
    UNSAFE_TEXT,
    P,
    Q,
    wrong_derivations,
    wrong_models,
)

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.files.certificate_text import derivation_to_text, model_to_text
from chcverify.certificate.model import Model
from chcverify.horn.io.writer import to_smtlib
from chcverify.horn.system import Clause, HornSystem, Predicate
from tests.chcverify.certificate.stand_alone_checker import SCRIPT, stand_alone_checker, status_of

SAFE_TEXT = UNSAFE_TEXT.replace("(P x y) (P u v) (= x 3) (= u 1)) (Q y v)", "(P x y) (>= x 10)) (Q x y)").replace(
    "(= (+ x y) 8)", "(not (= y 20))"
)
WITH_BAD = HornSystem((*SAFE.predicates, Predicate("bad", ())), SAFE.clauses)
R = Predicate("R", (z3.IntSort(),))
BAD_IS_FALSE = "(define-fun bad () Bool false)"


@pytest.fixture
def run(tmp_path, capsys):
    """Runs the checker in this process on two texts: exit status and its line."""
    module = stand_alone_checker()

    def main(certificate, clauses):
        status = status_of(module, tmp_path, certificate, clauses)
        return status, capsys.readouterr().out.strip()

    return main


def test_it_stands_alone():
    text = SCRIPT.read_text()
    assert "chcverify." not in text
    assert "import chcverify" not in text


@pytest.mark.parametrize(
    ("certificate", "clauses", "status"),
    [
        (model_to_text(SAFE, MODEL), SAFE_TEXT, 0),
        (derivation_to_text(UNSAFE, DERIVATION), UNSAFE_TEXT, 0),
        (model_to_text(SAFE, MODEL), UNSAFE_TEXT, 1),
        ("(assert", SAFE_TEXT, 2),
    ],
)
def test_as_a_command(tmp_path, certificate, clauses, status):
    (tmp_path / "certificate").write_text(certificate)
    (tmp_path / "clauses.smt2").write_text(clauses)
    command = [sys.executable, "-I", str(SCRIPT), "certificate", "clauses.smt2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    assert done.stdout.startswith(("accepted\n", "rejected: ", "unusable: ")[status])
    assert done.stderr == ""


def test_exports_of_several_queries_have_one_more_predicate(run):
    """Which certificates, of the system as it was, do not know."""
    x = z3.Int("x")
    facts = [Clause(R(x), (), x == 3), Clause(None, (R(x),), x == 4), Clause(None, (R(x),), x == 5)]
    safe, unsafe = HornSystem.of(facts), HornSystem.of([*facts, Clause(R(x), (), x == 5)])
    model = model_to_text(safe, Model({R: R.formals[0] == 3}))
    steps = (Step(3, (z3.IntVal(5),), ()), Step(2, (), (0,)))
    derivation = derivation_to_text(unsafe, Derivation(steps))
    assert "error" in to_smtlib(safe)
    assert run(model, to_smtlib(safe)) == run(derivation, to_smtlib(unsafe)) == (0, "accepted")
    assert run(model, to_smtlib(unsafe))[0] == run(derivation, to_smtlib(safe))[0] == 1
    unguarded = to_smtlib(safe).replace("error\n    false", "error\n    true")
    assert unguarded != to_smtlib(safe) and run(model, unguarded) == (1, "rejected: error is not defined")


def test_rule_dialect(run):
    model = model_to_text(SAFE, MODEL).rstrip()[:-1] + BAD_IS_FALSE + ")"
    assert run(model, SAFE_RULES) == (0, "accepted")
    assert run(model.replace(BAD_IS_FALSE, "(define-fun bad () Bool true)"), SAFE_RULES)[0] == 1
    assert run(model_to_text(SAFE, MODEL), SAFE_RULES) == (1, "rejected: bad is not defined")
    # A query may also name a predicate with arguments, or be a formula.
    for query in ("Q", "(and (Q x y) (> x 3))"):
        text = SAFE_RULES.replace("(query bad)", f"(query {query})")
        facts = [{"clause": 0, "predicate": "P", "arguments": ["0", "0"], "premises": []}]
        for i in range(10):
            arguments = [str(i + 1), str(2 * i + 2)]
            facts.append({"clause": 1, "predicate": "P", "arguments": arguments, "premises": [i]})
        facts.append({"clause": 2, "predicate": "Q", "arguments": ["10", "20"], "premises": [10]})
        facts.append({"clause": 4, "predicate": None, "arguments": [], "premises": [11]})
        data = {"format": "chcverify-derivation", "version": 1, "values": [], "steps": facts}
        assert run(json.dumps(data), text) == (0, "accepted")
        facts[5]["arguments"][1] = "11"
        assert run(json.dumps(data), text)[0] == 1


def test_definitions_without_free_constants(run):
    """The variables of rules are universal: a relation for each value of x is no relation."""
    clauses = """(declare-var x Int) (declare-var y Int) (declare-rel R (Int))
    (rule (=> (= x 0) (R x))) (rule (=> (and (R y) (= x (+ y 1))) (R x))) (query (and (R x) (= x 1)))"""
    assert run("(define-fun R ((a Int)) Bool (and (= a x) (not (= x 1))))", clauses)[0] == 2
    safe = clauses.replace("(= x 1))", "(= x (- 1)))")
    assert run("(define-fun R ((a Int)) Bool (>= a 0))", safe) == (0, "accepted")
    constant = "(declare-const c Int) " + safe
    assert run("(define-fun R ((a Int)) Bool (or (>= a 0) (= a c)))", constant)[0] == 2


def test_wrong_models(run):
    for change, model in wrong_models():
        if set(model.interpretations) <= {P, Q} and all(
            f.sort().name() == "Bool" for f in model.interpretations.values()
        ):
            assert run(model_to_text(SAFE, model), SAFE_TEXT)[0] != 0, change


def test_wrong_derivations(run):
    """Those that are wrong here: the clause index is only a hint, a premise more is no harm, and z3 reads 1.0 as 1."""
    for change, derivation in wrong_derivations():
        harmless = change.startswith(("clause of step", "premise more")) or change.endswith(": 1")
        if harmless or not _writable(derivation):
            continue
        text = derivation_to_text(UNSAFE, derivation)
        assert run(text, UNSAFE_TEXT)[0] != 0, change


def _writable(derivation):
    return all(0 <= step.clause < len(UNSAFE.clauses) for step in derivation.steps)


def test_shapes_of_assertions(run):
    """A nested quantifier in a body, several clauses in one assertion, a query by negation, Boolean arguments."""
    clauses = """
    (set-logic HORN)
    (declare-fun R (Bool Int) Bool)
    (declare-fun S () Bool)
    (assert (and (R true 1) (forall ((n Int)) (=> (R true n) (R false (+ n 1))))))
    (assert (=> (exists ((b Bool) (n Int)) (and (R b n) (not b) (> n 1))) S))
    (assert (not S))
    """
    steps = [
        {"clause": 0, "predicate": "R", "arguments": ["true", "1"], "premises": []},
        {"clause": 1, "predicate": "R", "arguments": ["false", "2"], "premises": [0]},
        {"clause": 2, "predicate": "S", "arguments": [], "premises": [1]},
        {"clause": 3, "predicate": None, "arguments": [], "premises": [2]},
    ]
    data = {"format": "chcverify-derivation", "version": 1, "values": [], "steps": steps}
    assert run(json.dumps(data), clauses) == (0, "accepted")
    for index, change in ((1, {"arguments": ["false", "3"]}), (1, {"premises": []}), (2, {"premises": [0]})):
        changed = [{**step, **(change if i == index else {})} for i, step in enumerate(steps)]
        assert run(json.dumps({**data, "steps": changed}), clauses)[0] == 1


def test_division_by_zero_and_free_constants_prove_nothing(run):
    steps = [
        {"clause": 0, "predicate": "R", "arguments": ["5"], "premises": []},
        {"clause": 1, "predicate": None, "arguments": [], "premises": [0]},
    ]
    data = json.dumps({"format": "chcverify-derivation", "version": 1, "values": [], "steps": steps})
    start = "(declare-fun R (Int) Bool)(assert (not (R 5)))"
    assert run(data, start + "(assert (forall ((n Int)) (=> (= n (div 1 0)) (R n))))")[0] == 1
    assert run(data, start + "(declare-const c Int)(assert (R c))")[0] == 2
    assert run(data, start + "(assert (forall ((n Int)) (=> (= n (div 11 2)) (R n))))")[0] == 0


@pytest.mark.parametrize(
    "definition",
    [
        "(define-fun R ((n Int)) Bool true)(define-fun R ((n Int)) Bool true)",
        "(define-fun R ((n Int)) Bool true)(define-fun f ((n Int)) Int 0)",
        "(define-fun R ((n Int)) Bool true)(assert false)",
        "(define-fun R () Bool true)",
        "(define-fun R ((n Int)) Bool (R n))",
        "(define-fun-rec R ((n Int)) Bool (R n))",
        "(define-fun R ((n Int)) Bool (= n m))",
    ],
)
def test_models_that_define_other_things(run, definition):
    clauses = "(declare-fun R (Int) Bool)(assert (forall ((n Int)) (=> (R n) (R (+ n 1)))))(check-sat)"
    assert run("((define-fun R ((n Int)) Bool (> n 3)))", clauses) == (0, "accepted")
    assert run(f"({definition})", clauses)[0] in (1, 2)


@pytest.mark.parametrize(
    "clauses", ["(push)", "(define-fun-rec f () Bool f)", "(assert", "(assert (> x 1))", "(declare-fun)"]
)
def test_unusable_clauses(run, clauses):
    assert run("()", clauses)[0] == 2


WITH_DEFINITIONS = """(
(define-fun-rec g ((c0 Int)) Bool (<= c0 5))
(define-fun-rec h ((c0 Int)) Bool (forall ((w Int)) (=> (and (>= w 0) (<= w 4)) (g (+ c0 w)))))
(define-fun P ((x Int)) Bool (h x))
(define-fun Q ((x Int)) Bool (g x))
)"""
FOR_DEFINITIONS = """
(declare-fun P (Int) Bool)
(declare-fun Q (Int) Bool)
(assert (forall ((x Int)) (=> (= x 1) (P x))))
(assert (forall ((x Int) (v Int)) (=> (and (P x) (>= v 0) (<= v 4)) (Q (+ x v)))))
(assert (forall ((x Int)) (=> (and (Q x) (> x 5)) false)))
"""


def test_definitions(run):
    assert run(WITH_DEFINITIONS, FOR_DEFINITIONS) == (0, "accepted")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(<= c0 5)", "(<= c0 4)"),  # the fact does not hold
        ("(<= c0 5)", "(<= c0 6)"),  # the query does not
        ("(g (+ c0 w))", "(g c0)"),  # nor the step
        ("(<= w 4)", "(<= w 3)"),
        ("(g (+ c0 w))", "(h (+ c0 w))"),  # defined by itself
        ("(<= c0 5)", "(not (h c0))"),
        ("(forall ((w Int))", "(exists ((w Int))"),
        ("(g x))", "true)\n(define-fun-rec g ((c0 Int)) Bool true)"),  # defined twice
        ("(define-fun P ((x Int)) Bool (h x))", "(define-fun P ((x Int)) Bool (or (h x) (not (h x))))"),
    ],
)
def test_wrong_definitions(run, old, new):
    assert old in WITH_DEFINITIONS
    status, line = run(WITH_DEFINITIONS.replace(old, new), FOR_DEFINITIONS)
    assert status in (1, 2) and line != "accepted"


def test_definitions_with_many_paths(run):
    """Forty choices, one after the other."""
    steps = "".join(
        f"(define-fun-rec h{i} ((c0 Int) (c1 Int)) Bool"
        f" (forall ((w Int)) (ite (> w c0) (h{i - 1} c0 (+ c1 1)) (h{i - 1} c0 c1))))\n"
        for i in range(1, 41)
    )
    first = "(define-fun-rec h0 ((c0 Int) (c1 Int)) Bool (<= c1 BOUND))\n"
    text = f"({first}{steps}(define-fun P ((x Int)) Bool (h40 x 0)))"
    clauses = "(declare-fun P (Int) Bool)(assert (forall ((x Int)) (=> (= x 1) (P x))))"
    assert run(text.replace("BOUND", "40"), clauses) == (0, "accepted")
    assert run(text.replace("BOUND", "39"), clauses)[0] == 1
