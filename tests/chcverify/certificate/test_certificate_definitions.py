"""Models with definitions: what is accepted, what is refused, and that they are never better than written out."""

import itertools
import json
import random
import subprocess
import time

import pytest
import z3

from chcverify.certificate.files.certificate_text import model_from_text, model_to_text
from chcverify.certificate.kernel.certificate_obligations import model_obligations
from chcverify.certificate.kernel.checkers import bitwuzla_checker, cvc5_checker, z3_checker
from chcverify.certificate.kernel.checkers.z3_checker import CheckFinding, check_model
from chcverify.certificate.kernel.obligation import Obligation
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Definition, Model
from chcverify.horn.system import Clause, HornSystem, Predicate

INT = z3.IntSort()
x, y, v = z3.Ints("x y v")
P, Q = Predicate("P", (INT,)), Predicate("Q", (INT,))
H, G = Predicate("h", (INT,)), Predicate("g", (INT,))
(f,) = H.formals


def system(bound: int) -> HornSystem:
    return HornSystem.of(
        [
            # x = 1 => P(x)
            Clause(P(x), (), x == 1),
            # P(x) & 0 <= v <= 4 => Q(x + v)
            Clause(Q(x + v), (P(x),), z3.And(v >= 0, v <= 4)),
            # Q(x) & x > bound => false
            Clause(None, (Q(x),), x > bound),
        ]
    )


def model(bound: int) -> Model:
    """Q is g, g(f) says f <= bound; P is h, h(f) says that g holds for all that a step makes of f."""
    g = Definition(G, f <= bound)
    h = Definition(H, z3.ForAll([v], z3.Implies(z3.And(v >= 0, v <= 4), G(f + v).term)))
    return Model({P: H(f).term, Q: G(f).term}, (g, h))


def accepted(clauses: HornSystem, certificate: Model) -> bool:
    return certify(clauses, certificate, time.monotonic() + 30).accepted


def test_right_ones_are_accepted() -> None:
    assert accepted(system(5), model(5))
    again = model_from_text(system(5), model_to_text(system(5), model(5)))
    assert [item.predicate.name for item in again.definitions] == ["g", "h"]
    assert accepted(system(5), again)


def test_wrong_ones_are_not() -> None:
    assert not accepted(system(4), model(4))  # the fact does not hold
    assert not accepted(system(4), model(5))  # the query does not
    strange = Model({P: H(f).term, Q: f <= 5}, model(5).definitions)  # h leads to g, not to Q
    assert not accepted(system(5), strange)


@pytest.mark.parametrize(
    ("definitions", "reason"),
    [
        ([Definition(H, G(f).term), Definition(G, f <= 5)], "does not come before"),
        ([Definition(G, f <= 5), Definition(H, H(f).term)], "does not come before"),
        ([Definition(G, f <= 5), Definition(G, f <= 6)], "same name"),
        ([Definition(G, f <= y), Definition(H, G(f).term)], "more than its arguments"),
        ([Definition(G, z3.Exists([v], f <= v)), Definition(H, G(f).term)], "universal"),
        ([Definition(G, z3.Not(z3.ForAll([v], f > v))), Definition(H, G(f).term)], "in front"),
        ([Definition(P, f <= 5)], "predicate of the clauses"),
        ([Definition(G, f <= 5), Definition(H, P(f).term)], "more than its arguments"),
    ],
)
def test_what_is_no_definition_is_refused(definitions: list[Definition], reason: str) -> None:
    certificate = Model(model(5).interpretations, tuple(definitions))
    verdict = check_model(system(5), certificate, time.monotonic() + 30)
    assert not verdict.accepted
    assert reason in verdict.reason


def test_negative_uses_prove_nothing() -> None:
    """Q says that g does not hold."""
    certificate = Model({P: f == 1, Q: z3.Not(G(f).term)}, (Definition(G, f > 5),))
    clauses = HornSystem.of([Clause(Q(x), (), x == 1), Clause(None, (Q(x),), x > 5)])
    assert not accepted(clauses, Model({Q: certificate[Q]}, certificate.definitions))


def test_both_parts_of_a_conjunction_count() -> None:
    """h(f) is g1(f) & g2(f), and one of them fails."""
    for one, other in ((1, 0), (0, 1)):
        first, second = Predicate("g1", (INT,)), Predicate("g2", (INT,))
        items = (
            Definition(first, f >= one),
            Definition(second, f >= other),
            Definition(H, z3.And(first(f).term, second(f).term)),
        )
        clauses = HornSystem.of([Clause(P(x), (), x == 0)])
        assert not accepted(clauses, Model({P: H(f).term}, items))
        assert accepted(
            clauses, Model({P: H(f).term}, (Definition(first, f >= 0), Definition(second, f >= 0), items[2]))
        )


def _written_out(certificate: Model) -> Model:
    """The same model without definitions."""
    formulas: dict[str, z3.BoolRef] = {}

    def expanded(formula: z3.BoolRef) -> z3.BoolRef:
        if z3.is_quantifier(formula):
            variables = [z3.FreshConst(formula.var_sort(i)) for i in range(formula.num_vars())]
            body = z3.substitute_vars(formula.body(), *reversed(variables))
            return z3.ForAll(variables, expanded(body))
        if z3.is_app(formula) and formula.decl().name() in formulas:
            return z3.substitute(formulas[formula.decl().name()], *zip(H.formals, formula.children(), strict=True))
        children = [expanded(child) if z3.is_bool(child) else child for child in formula.children()]
        return formula.decl()(*children) if children else formula

    for item in certificate.definitions:
        formulas[item.predicate.name] = expanded(item.body)
    return Model({predicate: expanded(formula) for predicate, formula in certificate.interpretations.items()})


def _random(generator: random.Random) -> Model:
    """A few definitions of one argument, each a tree of choices, conjunctions and implications over earlier ones."""
    predicates = [Predicate(f"h{i}", (INT,)) for i in range(5)]
    items: list[Definition] = []
    for i, predicate in enumerate(predicates):

        def leaf(i: int = i) -> z3.BoolRef:
            if i and generator.random() < 0.8:
                return predicates[generator.randrange(i)](f + generator.randint(-1, 2)).term
            return generator.choice((f <= generator.randint(2, 9), f >= generator.randint(-6, 0)))

        def condition() -> z3.BoolRef:
            return generator.choice((f > generator.randint(-2, 3), f % 2 == 0))

        shape = generator.randrange(5)
        if shape == 0:
            body = z3.If(condition(), leaf(), leaf())
        elif shape == 1:
            body = z3.And(leaf(), leaf())
        elif shape == 2:
            body = z3.Implies(condition(), leaf())
        elif shape == 3:
            body = z3.Or(z3.Not(condition()), leaf())
        else:
            low = generator.randint(-2, 0)
            body = z3.ForAll([v], z3.Implies(z3.And(v >= low, v <= low + 2), z3.substitute(leaf(), (f, f + v))))
        items.append(Definition(predicate, body))
    return Model({P: predicates[-1](f).term}, tuple(items))


def test_never_better_than_written_out() -> None:
    """A fact for a few values: accepted with definitions iff without."""
    generator = random.Random(1)
    found = set()
    for _ in range(60):
        certificate = _random(generator)
        value = generator.randint(-3, 5)
        clauses = HornSystem.of([Clause(P(x), (), z3.And(x >= value, x <= value + 1))])
        (obligation,) = model_obligations(clauses, certificate)
        solver = z3.Solver()
        solver.add(obligation.negated())
        (plain,) = model_obligations(clauses, _written_out(certificate))
        other = z3.Solver()
        other.add(plain.negated())
        assert solver.check() == other.check()
        found.add(str(solver.check()))
    assert found == {"sat", "unsat"}


def test_cases_of_which_no_single_one_follows() -> None:
    """Accepted only if written out: each case of the head is taken where its plain parts hold first."""
    generator = random.Random(2)
    found = set()
    for _ in range(150):
        chain = _random(generator)
        heads = [Predicate(f"h{generator.randrange(5)}", (INT,)) for _ in range(3)]
        ends = [z3.BoolVal(True) if generator.random() < 0.2 else head(f).term for head in heads]
        bounds = sorted(generator.sample(range(-3, 7), 2))
        plain = [f <= bounds[0], z3.And(f > bounds[0], f <= bounds[1]), f >= bounds[1]]
        cases = z3.Or([z3.And(part, end) for part, end in zip(plain, ends, strict=True)])
        certificate = Model({P: z3.And(f > -10, cases)}, chain.definitions)
        value = generator.randint(-3, 5)
        clauses = HornSystem.of([Clause(P(x), (), z3.And(x >= value, x <= value + 4))])
        (obligation,) = model_obligations(clauses, certificate)
        (written_out,) = model_obligations(clauses, _written_out(certificate))
        answers = []
        for formula in (obligation.negated(), written_out.negated()):
            solver = z3.Solver()
            solver.add(formula)
            answers.append(str(solver.check()))
        assert answers != ["unsat", "sat"]
        found.add(tuple(answers))
    assert {("unsat", "unsat"), ("sat", "sat")} <= found


def test_exponentially_many_paths() -> None:
    """Sixty choices one after the other: written out, 2^60 atoms."""
    predicates = [Predicate(f"h{i}", (INT, INT)) for i in range(61)]
    a, b = predicates[0].formals
    items = [Definition(predicates[0], b <= 60)]
    for last, predicate in itertools.pairwise(predicates):
        body = z3.If(a > v, last(a, b + 1).term, last(a, b).term)
        items.append(Definition(predicate, z3.ForAll([v], body)))
    clauses = HornSystem.of([Clause(P(x), (), x == 0)])
    assert accepted(clauses, Model({P: predicates[-1](f, z3.IntVal(0)).term}, tuple(items)))
    assert not accepted(clauses, Model({P: predicates[-1](f, z3.IntVal(1)).term}, tuple(items)))


def test_names_of_quantified_variables() -> None:
    """A clause that was renamed: its variable is found by its sort."""
    w = z3.Int("w")
    fact, _, query = system(5).clauses
    step = Clause(Q(x + w), (P(x),), z3.And(w >= 0, w <= 4))
    assert accepted(HornSystem.of([fact, step, query]), model(5))


def test_bitwuzla_decides_what_is_about_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """With definitions, z3's silence is no objection where bitwuzla has an answer; what it refutes is refused."""
    pytest.importorskip("bitwuzla")
    silent = [CheckFinding("unknown", "timeout")]
    monkeypatch.setattr(z3_checker, "discharge", lambda obligations, deadline, *_: silent * len(obligations))
    monkeypatch.setattr(z3_checker, "discharge_quickly", lambda obligations, deadline: silent * len(obligations))
    monkeypatch.setattr(cvc5_checker, "discharge", lambda obligations, deadline, spare=None: silent * len(obligations))
    byte = z3.BitVec("b", 8)
    bits = Predicate("B", (z3.BitVecSort(8),))
    (b,) = bits.formals
    for bound, expected in ((16, True), (15, False)):
        clauses = HornSystem.of(
            [Clause(bits(byte), (), byte & 15 == byte), Clause(None, (bits(byte),), z3.UGE(byte, 16))]
        )
        item = Definition(Predicate("h", bits.sorts), z3.ULT(b, bound))
        certificate = Model({bits: item.predicate(b).term}, (item,))
        result = certify(clauses, certificate, time.monotonic() + 30)
        assert result.accepted == expected, result.reason
        # Without definitions it is not asked.
        assert not certify(clauses, Model({bits: z3.ULT(b, bound)}), time.monotonic() + 30).accepted


@pytest.mark.parametrize(("first", "accepting"), [("sat", False), ("unsat", True), ("unknown", False)])
def test_only_unsat_counts(monkeypatch: pytest.MonkeyPatch, first: str, accepting: bool) -> None:
    """Whatever the worker answers."""
    reply = json.dumps({"answer": first, "reason": ""}).encode()
    monkeypatch.setattr(
        bitwuzla_checker.subprocess, "run", lambda *a, **k: subprocess.CompletedProcess(a, 0, stdout=reply)
    )
    byte = z3.BitVec("b", 8)
    obligation = Obligation("one", lambda: (byte == 1, byte != 1), variables=(byte,))
    (finding,) = bitwuzla_checker.discharge([obligation], time.monotonic() + 10)
    assert (finding.status == "holds") == accepting
