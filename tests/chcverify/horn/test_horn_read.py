"""The readers: forms of Horn clauses in both dialects, and input that is refused with its place."""

from pathlib import Path

import pytest
import z3

from chcverify.errors import InputError
from chcverify.horn.io.reader import read_horn, read_horn_text
from chcverify.horn.system import HornSystem

HEAD = """(set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun Q (Int Int) Bool)
(declare-const b Bool)
"""


def read(text: str) -> HornSystem:
    return read_horn_text(text, "f")


def shown(text: str) -> list[str]:
    return [" ".join(str(clause).split()) for clause in read(text).clauses]


FORMS = {
    "(assert (P 1))": ["true => P(1)"],
    "(assert (not (P 0)))": ["P(0) => false"],
    "(assert (! (P 3) :named fact))": ["true => P(3)"],
    "(assert (forall ((x Int)) (P x)))": ["true => P(x)"],
    "(assert (forall ((x Int)) (=> (and (P x) (> x 0)) false)))": ["P(x) & x > 0 => false"],
    "(assert (forall ((x Int)) (=> (P x) (=> (> x 0) (Q x (+ x 1))))))": ["P(x) & x > 0 => Q(x, x + 1)"],
    "(assert (forall ((x Int)) (=> (P x) (> x 0) (Q x x))))": ["P(x) & x > 0 => Q(x, x)"],
    "(assert (forall ((x Int)) (or (not (P x)) (<= x 0) (Q x 1))))": ["P(x) & Not(x <= 0) => Q(x, 1)"],
    "(assert (not (exists ((x Int)) (and (P x) (> x 0)))))": ["P(x) & x > 0 => false"],
    "(assert (forall ((x Int)) (not (and (P x) (> x 0)))))": ["P(x) & x > 0 => false"],
    "(assert (forall ((x Int)) (=> (P x) (and (P (+ x 1)) (Q x x) (> x 0)))))": [
        "P(x) => P(x + 1)",
        "P(x) => Q(x, x)",
        "P(x) & Not(x > 0) => false",
    ],
    "(assert (forall ((x Int)) (=> (or (P x) (and (Q x 1) (> x 2))) b)))": ["P(x) => b", "Q(x, 1) & x > 2 => b"],
    "(assert (forall ((x Int)) (=> (exists ((y Int)) (Q x y)) (forall ((x Int)) (P x)))))": ["Q(x, y) => P(x_1)"],
    "(assert (forall ((x Int)) (= (P x) (and b (Q x 2)))))": ["P(x) => b", "P(x) => Q(x, 2)", "b & Q(x, 2) => P(x)"],
    "(assert (=> (xor (P 1) (P 2)) false))": ["P(1) => P(2)", "P(2) => P(1)"],
    "(assert (forall ((x Int)) (ite (> x 0) (P x) (Q x x))))": ["x > 0 => P(x)", "Not(x > 0) => Q(x, x)"],
    "(assert (= b (> 1 2)))": ["b & Not(1 > 2) => false", "1 > 2 => b"],
    "(assert (let ((z 3)) (let ((z (+ z 1))) (P z))))": ["true => P(3 + 1)"],
    "(define-fun two () Int 2)(define-fun f ((x Int)) Bool (P (+ x two)))(assert (f 1))": ["true => P(1 + 2)"],
    "(assert (forall ((x Int)) (=> (forall ((y Int)) (> x y)) b)))": ["ForAll(y, x > y) => b"],
    "(assert (forall ((x Int) (x Int) (P Int)) (Q x P)))": ["true => Q(x_1, P_1)"],
    "(declare-const N Int)(declare-fun M () Int)(assert (= M (+ N 1)))(assert (= 5 N))(assert (P M))": [
        "true => P(5 + 1)"
    ],
    "(assert (> 1 2))": ["Not(1 > 2) => false"],
    "(assert true)": [],
    "(assert (P 1))(check-sat)(get-model)(exit)(assert (not (P 1)))": ["true => P(1)"],
    '(set-info :status "unsat") ; (comment\n(assert (P 1))': ["true => P(1)"],
}


@pytest.mark.parametrize("text", FORMS)
def test_form(text: str) -> None:
    assert shown(HEAD + text) == FORMS[text]


def test_place_of_clauses_and_declared_predicates() -> None:
    system = read(HEAD + "(assert (P 1))\n  (assert (P 2))")
    assert [predicate.name for predicate in system.predicates] == ["P", "Q", "b"]
    assert [str(clause.origin) for clause in system.clauses] == ["f:5:1", "f:6:3"]


def test_no_assertion_is_no_clause() -> None:
    assert read("(set-logic HORN)").clauses == ()


THEORIES = [
    "(declare-fun P ((Array Int Bool)) Bool)(assert (forall ((a (Array Int Bool))) (=> (select a 1) (P a))))",
    "(declare-fun P ((_ BitVec 8)) Bool)(assert (forall ((a (_ BitVec 8))) (=> (bvult a #x05) (P (bvadd a #x01)))))",
    "(declare-fun P (Real Bool) Bool)(assert (forall ((a Real)) (=> (> a 1) (P (+ a 0.5) (< a 3)))))",
    "(declare-datatypes ((L 0)) (((n) (c (h Int) (t L)))))(declare-fun P (L) Bool)"
    "(assert (forall ((l L)) (=> ((_ is c) l) (P (t l)))))",
    "(declare-datatypes (T) ((L n (c (h T) (t L)))))(declare-fun P ((L Int)) Bool)"
    "(assert (forall ((l (L Int))) (=> (= l (c 1 (as n (L Int)))) (P (t l)))))",
    "(define-sort I () Int)(declare-fun |a b| (I) Bool)(assert (forall ((|x y| I)) (|a b| |x y|)))",
]


@pytest.mark.parametrize("text", THEORIES)
def test_theory(text: str) -> None:
    system = read(text)
    assert len(system.clauses) == 1
    assert system.clauses[0].head is not None
    assert system.clauses[0].head.predicate.sorts == tuple(a.sort() for a in system.clauses[0].head.arguments)


RULES = """(declare-rel P (Int))
(declare-rel goal ())
(declare-var x Int)
(declare-var y Int)
(rule (P 0) start)
(rule (=> (and (P x) (= y (+ x 1))) (P y)) step)
(rule (=> (and (P x) (> x 5)) goal))
"""


def test_rule_dialect() -> None:
    system = read(RULES + "(query goal :print-certificate true)")
    assert [str(clause) for clause in system.clauses] == [
        "true => P(0)",
        "P(x) & y == x + 1 => P(y)",
        "P(x) & x > 5 => goal",
        "goal => false",
    ]
    assert [clause.name for clause in system.clauses] == ["start", "step", "", "query"]


def test_queries_of_the_rule_dialect() -> None:
    assert str(read(RULES + "(query P)").clauses[-1]) == "P(x0) => false"
    assert str(read(RULES + "(query (and (P x) (< x 0)))").clauses[-1]) == "P(x) & x < 0 => false"


REFUSED = {
    "": "f:1:1: the file is empty",
    " ; only a comment\n": "f:1:1: the file is empty",
    "hello": "f:1:1: expected a command",
    "(set-logic HORN) x": "f:1:18: expected a command",
    "\x00\x01(": "f:1:1: not a text file",
    "(assert (and true\n": "f:1:1: the file ends within this command",
    "(assert true))": "f:1:14: unexpected ')'",
    '(echo "abc)': 'f:1:7: " is never closed',
    "(assert |abc)": "f:1:9: | is never closed",
    "()": "f:1:1: expected the name of a command",
    "(push 1)": "f:1:1: unsupported command 'push'",
    "(frobnicate)": "f:1:1: unsupported command 'frobnicate'",
    "(declare-sort U 0)": "f:1:1: 'declare-sort': uninterpreted sorts",
    "(declare-fun)": "f:1:1: incomplete command",
    "(declare-fun P (Foo) Bool)": "f:1:17: ",
    "(assert foo)": "f:1:9: unknown constant foo",
    "\n  (assert\n   (> foo 0))": "f:3:7: unknown constant foo",
    HEAD + "(assert (P 1 2))": "f:5:15: unknown constant P (Int Int); declared: (declare-fun P (Int) Bool)",
    HEAD + "(assert (P 1))(check-sat)(assert b)": "f:5:26: 'assert' after 'check-sat'",
    HEAD + "(declare-fun P (Bool) Bool)": "f:5:1: 'P' is declared twice",
    HEAD + "(assert (forall ((x Int)) (or (P x) (Q x x))))": "f:5:1: two predicates occur positively",
    HEAD + "(assert (forall ((x Int)) (=> (not (P x)) b)))": "f:5:1: two predicates occur positively",
    HEAD + "(assert (forall ((x Int)) (=> (> (ite (P x) 1 2) 1) b)))": "f:5:1: a predicate stands below",
    HEAD + "(declare-fun g (Bool) Bool)(assert (g (P 1)))": "f:5:28: a predicate stands in an argument of 'g'",
    HEAD + "(assert (forall ((x Int)) (=> (forall ((y Int)) (Q x y)) b)))": "f:5:1: a predicate stands under a quant",
    HEAD + "(assert (exists ((x Int)) (P x)))": "f:5:1: a predicate stands under a quantifier",
    HEAD + "(assert (forall ((a (Array Int Bool))) (=> (= a (_ as-array P)) b)))": "f:5:1: 'P' is used as an array",
    HEAD + "(declare-fun f (Int) Int)\n(assert (P (f 1)))": "f:6:1: 'f' is an uninterpreted function",
    HEAD + "(declare-const N Int)\n(assert (P N))": "f:5:1: the constant 'N' is free",
    HEAD + "(declare-const N Int)(assert (= N (+ N 1)))(assert (P N))": "f:5:1: the constant 'N' is free",
    HEAD + "(define-fun-rec f ((x Int)) Int (f x))": "f:5:1: 'define-fun-rec': recursive functions",
    RULES + "(query goal)(rule (P 7))": "f:8:13: 'rule' after 'query'",
    RULES + "(rule (=> (> z 0) (P x)))": "f:8:14: unknown constant z",
    RULES + "(query R)": "f:8:8: unknown constant R",
    RULES + "(query)": "f:8:1: incomplete command",
    RULES + "(query x)": "f:8:9: Sort mismatch",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert str(caught.value).startswith(REFUSED[text])
    assert "\n" not in str(caught.value)


def test_unreadable_files(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.smt2", tmp_path):
        with pytest.raises(InputError) as caught:
            read_horn(str(path))
        assert (caught.value.file, caught.value.line) == (str(path), 0)
    junk = tmp_path / "junk.smt2"
    junk.write_bytes(bytes(range(256)) * 4)
    with pytest.raises(InputError, match="not a text file"):
        read_horn(str(junk))


def test_every_prefix_of_a_file_is_refused_or_ends_between_commands() -> None:
    text = HEAD + "(assert (forall ((x Int)) (=> (and (P x) (> x 0)) false)))"
    for end in range(1, len(text)):
        if text[:end].rstrip().endswith(")") and text[:end].count("(") == text[:end].count(")"):
            assert read(text[:end]).clauses == ()
        else:
            with pytest.raises(InputError):
                read(text[:end])


def test_deep_formulas() -> None:
    depth = 20_000
    constraint = "(not " * depth + "(> x 0)" + ")" * depth
    nested = "".join(f"(and (Q x {i}) " for i in range(500)) + "b" + ")" * 500
    term = "(+ 1 " * depth + "x" + ")" * depth
    text = f"(assert (forall ((x Int)) (=> (and {constraint} {nested}) (P {term}))))"
    (clause,) = read(HEAD + text).clauses
    assert len(clause.body) == 501
    assert str(clause.constraint) == "x > 0"


def test_too_many_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chcverify.horn.io.clausify.MAX_VISITED", 200)
    body = " ".join(f"(or (P {i}) (P {i + 100}))" for i in range(40))
    with pytest.raises(InputError, match="needs more than"):
        read(HEAD + f"(assert (=> (and {body}) false))")


def test_clauses_are_equivalent_to_the_formula() -> None:
    """The clauses of formulas with nested connectives, checked by z3 as plain first-order formulas."""
    formulas = [
        "(=> (ite (P 1) (Q 1 1) (and (P 2) (> 1 0))) false)",
        "(=> (and (or (P 1) (P 2)) (or (Q 1 1) (and b (P 3)))) (ite b (P 4) true))",
        "(= b (or (P 1) (> 0 1)))",
        "(not (= (and b (P 1)) (and b (P 1))))",
        "(=> (=> (> 0 1) (P 1)) b)",
    ]
    for text in formulas:
        formula = z3.parse_smt2_string(HEAD + f"(assert {text})")[0]
        try:
            clauses = read(HEAD + f"(assert {text})").clauses
        except InputError as error:
            assert "positively" in error.message
            continue
        rewritten = [
            z3.Implies(
                z3.And(*(atom.term for atom in clause.body), clause.constraint),
                z3.BoolVal(False) if clause.head is None else clause.head.term,
            )
            for clause in clauses
        ]
        solver = z3.Solver()
        solver.add(formula != z3.And(rewritten))
        assert solver.check() == z3.unsat, text
