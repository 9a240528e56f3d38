"""Models that are a conjunction of shared facts and a disjunction of cases with definitions: never better than written
out, and wrong ones are refused."""

import random
import time

import z3

from chcverify.certificate.files.certificate_text import model_from_text, model_to_text
from chcverify.certificate.kernel.certificate_obligations import MalformedCertificate, model_obligations
from chcverify.certificate.kernel.definition_uses import DefinitionUses
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Definition, Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.native import handles

INT = z3.IntSort()
x, y, u, v = z3.Ints("x y u v")
P, Q = Predicate("P", (INT, INT)), Predicate("Q", (INT, INT))
f, g = P.formals
H = tuple(Predicate(f"h{i}", (INT,)) for i in range(4))


def written_out(certificate: Model) -> Model:
    """The same model without definitions."""
    bodies: dict[str, tuple[z3.ExprRef, z3.BoolRef]] = {}

    def expanded(formula: z3.BoolRef) -> z3.BoolRef:
        if z3.is_quantifier(formula):
            variables = [z3.FreshConst(formula.var_sort(i)) for i in range(formula.num_vars())]
            return z3.ForAll(variables, expanded(z3.substitute_vars(formula.body(), *reversed(variables))))
        if z3.is_app(formula) and formula.decl().name() in bodies:
            formal, body = bodies[formula.decl().name()]
            return z3.substitute(body, (formal, formula.arg(0)))
        children = [expanded(child) if z3.is_bool(child) else child for child in formula.children()]
        return formula.decl()(*children) if children else formula

    for item in certificate.definitions:
        bodies[item.predicate.name] = item.predicate.formals[0], expanded(item.body)
    return Model({predicate: expanded(formula) for predicate, formula in certificate.interpretations.items()})


def are_refuted(clauses: HornSystem, certificate: Model) -> list[bool]:
    """For each obligation, whether z3 refutes its negation."""
    found = []
    for obligation in model_obligations(clauses, certificate):
        solver = z3.Solver()
        solver.add(obligation.negated())
        found.append(solver.check() == z3.unsat)
    return found


CLAUSES = HornSystem.of(
    [
        # x = 1 & y = 3 => P(x, y)
        Clause(P(x, y), (), z3.And(x == 1, y == 3)),
        # P(x, y) & x <= 1 & 0 <= v <= 2 => Q(x + v, y)
        Clause(Q(x + v, y), (P(x, y),), z3.And(x <= 1, v >= 0, v <= 2)),
        # Q(x, y) & x < 0 => P(x, y)
        Clause(P(x, y), (Q(x, y),), x < 0),
        # P(x, y) & Q(u, y) => P(x, y)
        Clause(P(x, y), (P(x, y), Q(u, y)), z3.BoolVal(True)),
        # Q(x, y) & x + y > 6 => false
        Clause(None, (Q(x, y),), x + y > 6),
    ]
)


def right() -> Model:
    """y = 3 & (x = 0 & h2(x) | x = 1 & h2(x) | x = 2 & h1(x)), and the like."""
    h0, h1, h2, _ = H
    (a,) = h0.formals
    definitions = (
        Definition(h0, a <= 3),
        Definition(h1, h0(a + 1).term),
        Definition(h2, z3.ForAll([v], z3.Implies(z3.And(v >= 0, v <= 2), h0(a + v).term))),
    )
    cases = [z3.And(f == 0, h2(f).term), z3.And(f == 1, h2(f).term), z3.And(f == 2, h1(f).term)]
    return Model({P: z3.And(g == 3, z3.Or(cases)), Q: z3.And(g == 3, f >= 0, h0(f).term)}, definitions)


def is_accepted(certificate: Model) -> bool:
    return certify(CLAUSES, certificate, time.monotonic() + 60).accepted


def test_shared_facts_and_cases_are_accepted() -> None:
    assert all(are_refuted(CLAUSES, written_out(right())))
    assert is_accepted(right())
    assert is_accepted(model_from_text(CLAUSES, model_to_text(CLAUSES, right())))


def test_forged_models_are_refused() -> None:
    """Each number of the model changed, each case left out, each definition in the place of another."""
    model, changed = right(), []
    for predicate in (P, Q):
        formula = model[predicate]
        for number in range(4):
            for other in (number - 1, number + 1):
                pairs = (z3.IntVal(number), z3.IntVal(other))
                changed.append(model.updated({predicate: z3.substitute(formula, pairs)}))
        shared = formula.children()
        changed += [model.updated({predicate: z3.And(shared[:i] + shared[i + 1 :])}) for i in range(len(shared))]
    cases = model[P].arg(1).children()
    changed += [model.updated({P: z3.And(g == 3, z3.Or(cases[:i] + cases[i + 1 :]))}) for i in range(3)]
    h0, h1, h2, _ = H
    for one, other in ((h0, h1), (h1, h0), (h2, h1), (h1, h2)):
        renamed = z3.substitute_funs(model[P], (one.function, other(z3.Var(0, INT)).term))
        changed.append(model.updated({P: renamed}))
    refused = 0
    for forged in changed:
        holds = all(are_refuted(CLAUSES, written_out(forged)))
        assert holds or not is_accepted(forged)
        refused += not holds
    assert refused > 10


def test_never_better_than_written_out() -> None:
    """Random facts, cases and definitions: no obligation is refuted that is not refuted when written out."""
    generator = random.Random(4)
    refuted = 0
    for _ in range(150):
        certificate = _random(generator)
        try:
            found = are_refuted(CLAUSES, certificate)
        except MalformedCertificate:
            continue
        plain = are_refuted(CLAUSES, written_out(certificate))
        assert all(there for here, there in zip(found, plain, strict=True) if here)
        refuted += sum(found)
    assert refuted > 100


def _random(generator: random.Random) -> Model:
    (a,) = H[0].formals
    definitions = []
    for i, predicate in enumerate(H):
        leaf = a <= generator.randint(1, 5) if i == 0 else H[generator.randrange(i)](a + generator.randint(0, 1)).term
        range_ = z3.And(v >= 0, v <= generator.randint(0, 2))
        bodies = (leaf, z3.And(leaf, a >= 0), z3.ForAll([v], z3.Implies(range_, z3.substitute(leaf, (a, a + v)))))
        definitions.append(Definition(predicate, generator.choice(bodies)))

    def case() -> z3.BoolRef:
        value = generator.randint(0, 2)
        fact = generator.choice((f == value, z3.And(f >= value, f <= 3), f <= value))
        atom = generator.choice(H)(f).term
        return generator.choice((fact, z3.And(fact, atom), z3.And(atom, z3.And(fact, g == 3)), atom))

    def formula() -> z3.BoolRef:
        cases = z3.Or([case() for _ in range(generator.randint(1, 3))])
        shared = generator.choice((g == 3, g >= 3, z3.BoolVal(True), H[0](f).term, z3.And(g == 3, f >= 0)))
        return generator.choice((z3.And(shared, cases), z3.And(cases, shared), cases))

    return Model({P: formula(), Q: formula()}, tuple(definitions))


def test_uses_in_shared_terms() -> None:
    """A formula of 2^40 paths, in which each subterm is looked at once; what another formula had is of no effect."""
    numbers = {handles.handle(predicate.function): i for i, predicate in enumerate(H)}
    lasting = DefinitionUses(numbers)
    assert lasting.of(H[3](f).term) == {3}
    uses = DefinitionUses(numbers, lasting)
    assert uses.of(f == 1) == frozenset()
    deep = z3.Or(H[0](f).term, H[1](f).term)
    for _ in range(40):
        deep = z3.And(z3.Or(deep, f > 0), z3.Or(deep, f < 0))
    assert uses.of(deep) == {0, 1}
    assert uses.of(z3.And(deep, H[3](f).term)) == {0, 1, 3}
    assert [str(atom) for atom in uses.conjoined_atoms(z3.And(H[2](g).term, z3.And(H[3](f).term, deep)))] == [
        str(H[2](g).term),
        str(H[3](f).term),
    ]
    assert len(uses.atoms(z3.And(deep, H[2](H[2].formals[0]).term))) == 3
