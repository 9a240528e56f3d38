"""Both formats carry every sort there and back, read what solvers print, and refuse the rest with a place."""

import json

import pytest
import z3
from certificate_systems import DERIVATION, INT, MODEL, SAFE, UNSAFE, P, Q, integers

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.files.certificate_text import (
    derivation_from_text,
    derivation_to_text,
    model_from_text,
    model_to_text,
)
from chcverify.certificate.model import Model
from chcverify.errors import InputError
from chcverify.horn.system import Clause, HornSystem, Predicate


def _datatypes() -> tuple[z3.DatatypeSortRef, z3.DatatypeSortRef, z3.DatatypeSortRef]:
    """Trees of lists of trees, mutually recursive, and an enumeration with odd names."""
    tree, children = z3.Datatype("tree"), z3.Datatype("my trees")
    tree.declare("leaf", ("value", INT))
    tree.declare("node", ("kids", children))
    children.declare("none")
    children.declare("some more", ("first", tree), ("others", children))
    color = z3.Datatype("color")
    color.declare("red")
    color.declare("x y")
    made = z3.CreateDatatypes(tree, children)
    return made[0], made[1], color.create()


TREE, TREES, COLOR = _datatypes()
BYTE, WIDE = z3.BitVecSort(8), z3.BitVecSort(70)
INTS, TABLE = z3.ArraySort(INT, INT), z3.ArraySort(BYTE, z3.ArraySort(z3.BoolSort(), z3.RealSort()))
SORTS = (INT, z3.RealSort(), z3.BoolSort(), BYTE, WIDE, INTS, TABLE, TREE, TREES, COLOR)
ALL = Predicate("all the.sorts", SORTS, names=("div", "x!0", "b", "v", "a!1", "mem", "t", "", "forall", "c"))
NONE = Predicate("none of it", ())
VARIABLES = [z3.Const(f"v{i}", sort) for i, sort in enumerate(SORTS)]
SYSTEM = HornSystem.of(
    [
        Clause(ALL(*VARIABLES), (), z3.BoolVal(True)),
        Clause(NONE(), (ALL(*VARIABLES),), z3.BoolVal(True)),
        Clause(None, (NONE(),), z3.BoolVal(True)),
    ]
)
leaf = TREE.constructor(0)(z3.IntVal(-4))
trees = TREES.constructor(1)(leaf, TREES.constructor(0)())
table = z3.Store(
    z3.K(BYTE, z3.K(z3.BoolSort(), z3.RealVal("-1/3"))), z3.BitVecVal(7, 8), z3.K(z3.BoolSort(), z3.RealVal(2))
)
VALUES = (
    z3.IntVal(-(10**30)),
    z3.RealVal("-7/3"),
    z3.BoolVal(True),
    z3.BitVecVal(200, 8),
    z3.BitVecVal(2**69 + 1, 70),
    z3.Store(z3.Store(z3.K(INT, z3.IntVal(0)), -1, 5), 2, -6),
    table,
    TREE.constructor(1)(trees),
    trees,
    COLOR.constructor(1)(),
)


def same(system: HornSystem, left: Model, right: Model) -> bool:
    """Equivalent formulas for the same predicates?"""
    assert set(left.interpretations) == set(right.interpretations)
    for predicate, formula in left.interpretations.items():
        solver = z3.Solver()
        solver.add(z3.Xor(formula, right[predicate]))
        if solver.check() != z3.unsat:
            return False
    return True


@pytest.mark.parametrize("for_people", [True, False])
def test_models_of_every_sort(for_people):
    i, r, b, v, w, a, t, tree, forest, c = ALL.formals
    y = z3.Int("y")
    formulas = [
        z3.And(i >= -3, r < z3.RealVal("1/3"), b, z3.ULT(v, 3), z3.Extract(68, 61, w) == v),
        z3.And(a[i] == 1, t[v][b] > r, TREE.recognizer(0)(tree), TREE.accessor(0, 0)(tree) == i),
        z3.Or(c == COLOR.constructor(1)(), TREES.recognizer(1)(forest), TREES.accessor(1, 0)(forest) == tree),
        z3.ForAll([y], z3.Implies(z3.And(y >= 0, y < i), a[y] == y)),
        z3.And(*(value == formal for value, formal in zip(VALUES, ALL.formals, strict=True))),
        z3.BoolVal(True),
        z3.And(i % 3 == 1, i / 2 > -5, z3.If(b, i, -i) == 4, z3.ToReal(i) == r, z3.Distinct(i, a[0], a[1])),
        z3.And(z3.BV2Int(v) == i, v >> 1 == z3.LShR(v, 1), z3.Concat(v, v) == 5, z3.SRem(v, 3) == v % 3),
    ]
    for formula in formulas:
        model = Model({ALL: formula, NONE: z3.BoolVal(False)})
        text = model_to_text(SYSTEM, model, for_people=for_people)
        assert same(SYSTEM, model_from_text(SYSTEM, text), model), text


@pytest.mark.parametrize("for_people", [True, False])
@pytest.mark.parametrize("name", ["x", "total_0", "arg_0", "a!1", "q!0", "?x3", "$x3", "$0"])
def test_bound_names_capture_nothing(name, for_people):
    bound = z3.Int(name)
    first, second = Q.formals
    formula = z3.Exists([bound], z3.And(bound > first, bound + first < second, bound + first > second - 2))
    model = Model({P: z3.BoolVal(True), Q: formula})
    assert same(SAFE, model_from_text(SAFE, model_to_text(SAFE, model, for_people=for_people)), model)


def test_names_of_arguments_are_kept_where_they_are_plain():
    text = model_to_text(SAFE, MODEL)
    assert "(define-fun Q ((total_0 Int) (arg_1 Int)) Bool" in text


def test_large_models_share():
    """Printed as a tree, this formula would have 2^200 leaves."""
    term = P.formals[0]
    for _ in range(200):
        term = z3.If(term > P.formals[1], term + 1, term - 1)
    model = Model({P: term > 0, Q: z3.BoolVal(True)})
    for text in (model_to_text(SAFE, model), model_to_text(SAFE, model, for_people=False)):
        assert len(text) < 40_000
        assert model_from_text(SAFE, text)[P].sort() == z3.BoolSort()


@pytest.mark.parametrize("name", ["a(b", "a)b", "a;b", 'a"b', "a b", "define-fun", "a|", "(define-fun x () Bool true)"])
def test_quoted_names_are_skipped_as_a_whole(name):
    predicate = Predicate(name.replace("|", "!"), (INT,))
    system = HornSystem((predicate,), ())
    model = Model({predicate: predicate.formals[0] > 3})
    text = model_to_text(system, model)
    remark = "warning: | is unexpected\n"
    for changed in (text, f"; | and (\n{text}", text.replace("\n", " ; )\n"), f"sat\n{text}; end", remark + text):
        assert same(system, model_from_text(system, changed), model), changed


FOREIGN = {
    "z3": "sat\n(\n  (define-fun Q ((x!0 Int) (x!1 Int)) Bool\n (and (= x!0 10) (= x!1 20)))\n"
    "  (define-fun P ((x!0 Int) (x!1 Int)) Bool\n"
    "    (let ((a!1 (* 2 x!0))) (and (= x!1 a!1) (>= x!0 0) (<= x!0 10))))\n)",
    "z3, older": "sat\n(model \n  (define-fun P ((a Int) (b Int)) Bool (and (= b (* 2 a)) (<= 0 a 10)))\n"
    "  (define-fun Q ((a Int) (b Int)) Bool (and (= b 20) (= a 10)))\n)",
    "one after the other": "sat\n(define-fun P ((A Int) (B Int)) Bool (and (= B (* 2 A)) (>= A 0) (>= 10 A)))\n"
    "; done\n(define-fun |Q| ((A Int) (B Int)) Bool (and (= B 20) (= A 10)))",
    "with a helper": "((define-fun twice ((n Int)) Int (* 2 n))"
    "(define-fun P ((A Int) (B Int)) Bool (and (= B (twice A)) (>= A 0) (>= 10 A)))"
    "(define-fun Q ((A Int) (B Int)) Bool (and (P A B) (= B (twice 10)))))",
}


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN.keys())
def test_models_as_solvers_print_them(text):
    assert same(SAFE, model_from_text(SAFE, text), MODEL)


def test_missing_definitions_are_left_to_the_checker():
    assert model_from_text(SAFE, "(model)").interpretations == {}


BAD_MODELS = [
    ("", 0, "empty"),
    ("unsat", 1, "unsat"),
    ("sat\n(model (define-fun P", 2, "( without its )"),
    ("sat\n)", 2, "unexpected )"),
    ("((define-fun-rec P ((x Int) (y Int)) Bool (P x y)))", 1, "P is recursive"),
    ("((define-fun P ((x Int) (y Int)) Bool (P x y)))", 1, "P is recursive"),
    ("(\n(define-fun P ((x Int) (y Int)) Bool (> x z)))", 2, "unknown constant z"),
    ("(\n\n(define-fun P ((x Int)) Bool true))", 3, "P takes 2 arguments"),
    ("((define-fun P ((x Int) (y Bool)) Bool true))", 1, "P takes Int Int, not Int Bool"),
    ("((define-fun P ((x Int) (y Int)) Int x))", 1, "P gives Int, not Bool"),
    ("((define-fun P ((x Int) (y Int)) Bool true false))", 1, "exactly one body"),
    ("((define-fun P ((x Int) (y Int)) Bool true)(define-fun P ((x Int) (y Int)) Bool true))", 1, "twice"),
    ("((declare-fun c () Int))", 1, "declare-fun"),
    ("(assert false)", 1, "assert"),
    ("((define-fun P ((x Int) (y Int)) Bool (= x |y)))", 1, "| without its end"),
]


@pytest.mark.parametrize(("text", "line", "message"), BAD_MODELS)
def test_bad_models(text, line, message):
    with pytest.raises(InputError) as caught:
        model_from_text(SAFE, text, "file")
    assert message in caught.value.message
    assert caught.value.file == "file"
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


def test_derivations_of_every_sort():
    derivation = Derivation((Step(0, VALUES, ()), Step(1, (), (0,)), Step(2, (), (1,))))
    text = derivation_to_text(SYSTEM, derivation)
    back = derivation_from_text(SYSTEM, text)
    assert [(step.clause, step.premises) for step in back.steps] == [(0, ()), (1, (0,)), (2, (1,))]
    for value, expected in zip(back.steps[0].arguments, VALUES, strict=True):
        assert value.eq(z3.simplify(expected))
    assert derivation_to_text(SYSTEM, back) == text


@pytest.mark.parametrize("digits", [1, 20, 6000])
def test_integers_of_any_length(digits):
    number = z3.IntVal("-" + "7" * digits)
    derivation = Derivation((Step(0, (number, z3.IntVal("8" * digits)), ()), *DERIVATION.steps[1:]))
    back = derivation_from_text(UNSAFE, derivation_to_text(UNSAFE, derivation))
    assert back.steps[0].arguments[0].eq(number)
    assert back.steps[0].arguments[1].as_string() == "8" * digits


def test_long_values_are_written_once():
    memory = z3.K(INT, z3.IntVal(0))
    for i in range(50):
        memory = z3.Store(memory, i, i + 1)
    holds = Predicate("holds", (INT, INTS))
    i, a = z3.Int("i"), z3.Const("a", INTS)
    system = HornSystem.of([Clause(holds(i, a), (), z3.BoolVal(True)), Clause(None, (holds(i, a),), z3.BoolVal(True))])
    steps = [Step(0, (z3.IntVal(n), memory), ()) for n in range(300)]
    derivation = Derivation((*steps, Step(1, (), (7,))))
    text = derivation_to_text(system, derivation)
    assert text.count("store") == 50
    back = derivation_from_text(system, text)
    assert all(step.arguments[1].eq(back.steps[0].arguments[1]) for step in back.steps[:-1])


GOOD = json.loads(derivation_to_text(UNSAFE, DERIVATION))


def _changed(**fields):
    return json.dumps({**GOOD, **fields})


def _step(**fields):
    return _changed(steps=[{**GOOD["steps"][0], **fields}, *GOOD["steps"][1:]])


BAD_DERIVATIONS = [
    ("", "no JSON"),
    ("{", "no JSON"),
    ("[" * 100_000, "no JSON"),
    ("[]", "not a derivation"),
    ("{}", "not a derivation"),
    (_changed(format="other"), "not a derivation"),
    (_changed(version=3), "version 3"),
    (_changed(steps=3), '"steps"'),
    (_changed(steps=[3]), "step 0"),
    (_changed(steps=[None]), "step 0"),
    (_changed(values=[3]), '"values"'),
    (_step(clause="0"), "step 0"),
    (_step(clause=True), "step 0"),
    (_step(clause=-1), "step 0"),
    (_step(clause=99), "no clause 99"),
    (_step(predicate="Q"), "does not derive Q"),
    (_step(predicate=None), "does not derive"),
    (_step(arguments=["0"]), "2 arguments"),
    (_step(arguments=["0", 5]), "no value 5"),
    (_step(arguments=["0", None]), "step 0"),
    (_step(arguments=["0", "x"]), "unusable value"),
    (_step(arguments=["0", "true"]), "unusable value"),
    (_step(arguments=["0", "0.5"]), "unusable value"),
    (_step(arguments=["0", "(+ 1"]), "not one value"),
    (_step(arguments=["0", "0)) (assert (= 0 0"]), "not one value"),
    (_step(arguments=["0", ""]), "not one value"),
    (_step(premises=["0"]), "step 0"),
]


@pytest.mark.parametrize(("text", "message"), BAD_DERIVATIONS)
def test_bad_derivations(text, message):
    with pytest.raises(InputError) as caught:
        derivation_from_text(UNSAFE, text, "file")
    assert message in caught.value.message
    assert "\n" not in str(caught.value)


def test_good_derivation():
    back = derivation_from_text(UNSAFE, json.dumps(GOOD))
    assert [step.premises for step in back.steps] == [step.premises for step in DERIVATION.steps]
    assert back.steps[4].arguments[0].eq(integers(6)[0])
