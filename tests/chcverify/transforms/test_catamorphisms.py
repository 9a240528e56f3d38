"""Systems over datatypes as systems over numbers: models and derivations come back, and are checked on the clauses."""

import time

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.datatypes import datatypes, sorts_of
from chcverify.horn.io.reader import read_horn_text
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unsafe
from chcverify.transforms.abstractions.catamorphisms import templates
from chcverify.transforms.abstractions.catamorphisms.folding import Folding
from chcverify.transforms.abstractions.catamorphisms.possible_values import PossibleValues
from chcverify.transforms.abstractions.catamorphisms.term_abstraction import TermAbstraction
from chcverify.transforms.base import Identity, TranslationError
from chcverify.transforms.pipeline import default_pipeline
from solvers.engine import Context
from solvers.registry import get

LISTS = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))"
NUMBERS = "(declare-datatypes ((N 0)) (((zero) (succ (pred N)))))"
TREES = "(declare-datatypes ((T 0)) (((leaf) (node (left T) (label Int) (right T)))))"

APPEND = f"""{LISTS}
(declare-fun app (L L L) Bool) (declare-fun len (L Int) Bool)
(assert (forall ((y L)) (app nil y y)))
(assert (forall ((h Int) (x L) (y L) (z L)) (=> (app x y z) (app (cons h x) y (cons h z)))))
(assert (len nil 0))
(assert (forall ((h Int) (x L) (n Int)) (=> (len x n) (len (cons h x) (+ n 1)))))
(assert (forall ((x L) (y L) (z L) (i Int) (j Int) (k Int))
  (=> (and (app x y z) (len x i) (len y j) (len z k) (not (= k (+ i j BOUND)))) false)))
"""

SWAP = f"""{LISTS}
(declare-fun swap (L L) Bool) (declare-fun often (Int L Int) Bool)
(assert (forall ((x L)) (swap x x)))
(assert (forall ((a Int) (b Int) (x L) (y L)) (=> (swap x y) (swap (cons a (cons b x)) (cons b (cons a y))))))
(assert (forall ((a Int)) (often a nil 0)))
(assert (forall ((a Int) (x L) (n Int)) (=> (often a x n) (often a (cons a x) (+ 1 n)))))
(assert (forall ((a Int) (b Int) (x L) (n Int)) (=> (and (often a x n) (not (= a b))) (often a (cons b x) n))))
(assert (forall ((a Int) (x L) (y L) (n Int) (m Int))
  (=> (and (swap x y) (often a x n) (often a y m) (> n m)) false)))
"""

INSERT = f"""{LISTS}
(declare-fun ins (Int L L) Bool) (declare-fun sorted (L Bool) Bool)
(assert (forall ((a Int)) (ins a nil (cons a nil))))
(assert (forall ((a Int) (h Int) (x L)) (=> (<= a h) (ins a (cons h x) (cons a (cons h x))))))
(assert (forall ((a Int) (h Int) (x L) (y L)) (=> (and (ins a x y) (> a h)) (ins a (cons h x) (cons h y)))))
(assert (sorted nil true))
(assert (forall ((a Int)) (sorted (cons a nil) true)))
(assert (forall ((a Int) (b Int) (x L) (r Bool))
  (=> (and (<= a b) (sorted (cons b x) r)) (sorted (cons a (cons b x)) r))))
(assert (forall ((a Int) (b Int) (x L)) (=> (> a b) (sorted (cons a (cons b x)) false))))
(assert (forall ((a Int) (x L) (y L)) (=> (and (ins a x y) (sorted x true) (sorted y false)) false)))
"""

DOUBLE = f"""{NUMBERS}
(declare-fun double (N N) Bool) (declare-fun even (N) Bool)
(assert (double zero zero))
(assert (forall ((x N) (y N)) (=> (double x y) (double (succ x) (succ (succ y))))))
(assert (forall ((x N)) (=> (double x STEPS) false)))
"""

MIRROR = f"""{TREES}
(declare-fun mirror (T T) Bool) (declare-fun member (Int T) Bool)
(assert (mirror leaf leaf))
(assert (forall ((a T) (b T) (c T) (d T) (n Int))
  (=> (and (mirror a b) (mirror c d)) (mirror (node a n c) (node d n b)))))
(assert (forall ((n Int) (a T) (b T)) (member n (node a n b))))
(assert (forall ((n Int) (m Int) (a T) (b T)) (=> (member n a) (member n (node a m b)))))
(assert (forall ((n Int) (m Int) (a T) (b T)) (=> (member n b) (member n (node a m b)))))
(assert (forall ((n Int) (a T)) (=> (and (mirror a leaf) (member n a)) false)))
"""

COUNT = f"""{LISTS}
(declare-fun app (L L L) Bool) (declare-fun often (Int L Int) Bool)
(assert (forall ((y L)) (app nil y y)))
(assert (forall ((h Int) (x L) (y L) (z L)) (=> (app x y z) (app (cons h x) y (cons h z)))))
(assert (forall ((a Int)) (often a nil 0)))
(assert (forall ((a Int) (x L) (n Int)) (=> (often a x n) (often a (cons a x) (+ 1 n)))))
(assert (forall ((a Int) (b Int) (x L) (n Int)) (=> (and (often a x n) (not (= a b))) (often a (cons b x) n))))
(assert (forall ((a Int) (x L) (y L) (z L) (i Int) (j Int) (k Int))
  (=> (and (app x y z) (often a x i) (often a y j) (often a z k) (not (= k (+ i j)))) false)))
"""

SPINE = f"""{TREES}
(declare-fun spine (T Int) Bool) (declare-fun ranked (T Bool) Bool) (declare-fun hang (T T) Bool)
(assert (spine leaf 0))
(assert (forall ((n Int) (a T) (b T) (i Int) (j Int)) (=> (and (spine b i) (= (- j i) 1)) (spine (node a n b) j))))
(assert (ranked leaf true))
(assert (forall ((n Int) (a T) (b T) (i Int))
  (=> (and (ranked b true) (spine b i) (= n (+ i 1))) (ranked (node a n b) true))))
(assert (forall ((n Int) (a T) (b T) (i Int))
  (=> (and (spine b i) (not (= n (+ i 1)))) (ranked (node a n b) false))))
(assert (forall ((n Int) (a T) (b T)) (=> (ranked b false) (ranked (node a n b) false))))
(assert (forall ((n Int) (a T) (b T) (c T)) (hang (node a n b) (node c (+ n 1) (node a n b)))))
(assert (forall ((x T) (y T)) (=> (and (hang x y) (ranked x true) (ranked y false)) false)))
"""


def decided(text: str, template: object, engine: str = "spacer-global") -> tuple[HornSystem, Result]:
    """The system and the engine's answer for it over numbers, carried back."""
    system = read_horn_text(f"(set-logic HORN)\n{text}\n(check-sat)\n", "test.smt2")
    changed, back = Folding("test", template).apply(system)  # type: ignore[arg-type]
    reduced, last, _ = default_pipeline().run(changed)
    result = get(engine).solve(reduced, Context.within(60))
    if isinstance(result, Safe):
        return system, Safe(back.model(last.model(result.model)))
    assert isinstance(result, Unsafe), result
    return system, Unsafe(back.derivation(last.derivation(result.derivation)))


def certified(system: HornSystem, result: Result) -> bool:
    """Does the kernel accept the certificate?"""
    assert isinstance(result, Safe | Unsafe)
    certificate = result.model if isinstance(result, Safe) else result.derivation
    return certify(system, certificate, time.monotonic() + 60).accepted


@pytest.mark.parametrize(
    ("text", "template"),
    [
        (APPEND.replace("BOUND", "0"), templates.sizes),
        (APPEND.replace("BOUND", "0"), templates.clause_folds),
        (SWAP, templates.clause_folds),
        (SWAP, templates.members),
        (INSERT, templates.clause_folds),
        (INSERT, templates.order),
        (DOUBLE.replace("STEPS", "(succ (succ (succ zero)))"), templates.sizes),
        (MIRROR, templates.sizes),
        (COUNT, templates.members),
        (SPINE, templates.clause_folds),
    ],
)
def test_models_come_back(text: str, template: object) -> None:
    system, result = decided(text, template, "df" if text is SWAP else "spacer-global")
    assert isinstance(result, Safe)
    assert certified(system, result)


@pytest.mark.parametrize(
    ("text", "template"),
    [
        (APPEND.replace("BOUND", "1"), templates.sizes),
        (SWAP.replace("(> n m)", "(> n 1)"), templates.members),
        (DOUBLE.replace("STEPS", "(succ (succ (succ (succ zero))))"), templates.sizes),
    ],
)
def test_derivations_come_back(text: str, template: object) -> None:
    system, result = decided(text, template)
    assert isinstance(result, Unsafe)
    assert certified(system, result)


def test_derivations_without_terms_do_not() -> None:
    """Sizes do not show that a list differs from its reverse."""
    text = f"""{LISTS}
    (declare-fun same (L L) Bool)
    (assert (forall ((x L)) (same x x)))
    (assert (forall ((x L)) (=> (same (cons 1 x) (cons 2 x)) false)))
    """
    with pytest.raises(TranslationError):
        decided(text, templates.sizes)


def test_selectors_testers_and_choices() -> None:
    """Formulas over terms that are not built by constructors are weakened, never strengthened."""
    text = f"""{LISTS}
    (declare-fun p (L Int) Bool)
    (assert (forall ((x L)) (=> (= x nil) (p x 0))))
    (assert (forall ((x L) (n Int)) (=> (and ((_ is cons) x) (p (tail x) n)) (p x (ite ((_ is cons) x) (+ n 1) 7)))))
    (assert (forall ((x L) (n Int)) (=> (and (p x n) (not (= x nil)) (distinct x (cons 1 nil)) (< n 1)) false)))
    """
    system, result = decided(text, templates.sizes)
    assert isinstance(result, Safe)
    assert certified(system, result)


list_terms = st.lists(st.integers(-2, 2), max_size=4)
tree_terms = st.recursive(st.none(), lambda below: st.tuples(below, st.integers(-2, 2), below), max_leaves=6)


def _list(sort: z3.DatatypeSortRef, values: list[int]) -> z3.ExprRef:
    term: z3.ExprRef = sort.constructor(0)()
    for value in values:
        term = sort.constructor(1)(z3.IntVal(value), term)
    return term


def _tree(sort: z3.DatatypeSortRef, value: object) -> z3.ExprRef:
    if not isinstance(value, tuple):
        leaf: z3.ExprRef = sort.constructor(0)()
        return leaf
    left, label, right = value
    node: z3.ExprRef = sort.constructor(1)(_tree(sort, left), z3.IntVal(label), _tree(sort, right))
    return node


@settings(max_examples=30, deadline=None)
@given(numbers=list_terms, tree=tree_terms, ghost=st.integers(-2, 2))
def test_possible_values_hold_of_every_term(numbers: list[int], tree: object, ghost: int) -> None:
    known = z3.IntVal(ghost)
    for text in (APPEND, SWAP, INSERT, MIRROR, SPINE):
        system = read_horn_text(f"(set-logic HORN)\n{text.replace('BOUND', '0')}\n(check-sat)\n", "test.smt2")
        for make in templates.TEMPLATES.values():
            template = make(system)
            if template is None:
                continue
            (sort,) = (s for s in datatypes(sorts_of(system)))
            term = _tree(sort, tree) if sort.name() == "T" else _list(sort, numbers)
            values = TermAbstraction(template, [(known,) * template.ghosts]).values(term)
            possible = PossibleValues(template).relation(sort, (known,) * template.ghosts, values)
            assert z3.is_true(z3.simplify(possible)), (term, values)


def test_values_that_no_term_has_are_not_possible() -> None:
    """A list without elements is sorted, and no number occurs in it."""
    system = read_horn_text(f"(set-logic HORN)\n{INSERT}\n(check-sat)\n", "test.smt2")
    template = templates.order(system)
    assert template is not None
    (sort,) = datatypes(sorts_of(system))
    names = [component.fold.name for component in template.of_sort(sort)]
    values = [z3.IntVal(1 if name.startswith("root") else 0) for name in names]
    assert z3.is_false(z3.simplify(PossibleValues(template).relation(sort, (), values)))


def test_systems_without_datatypes_stay() -> None:
    text = "(declare-fun p (Int) Bool) (assert (p 0)) (assert (forall ((x Int)) (=> (and (p x) (> x 0)) false)))"
    system = read_horn_text(f"(set-logic HORN)\n{text}\n(check-sat)\n", "test.smt2")
    changed, back = Folding("test", templates.sizes).apply(system)
    assert changed is system
    assert isinstance(back, Identity)


def test_no_folds_without_any_in_the_clauses() -> None:
    system = read_horn_text(f"(set-logic HORN)\n{MIRROR}\n(check-sat)\n", "test.smt2")
    assert templates.clause_folds(system) is None
    system = read_horn_text(f"(set-logic HORN)\n{DOUBLE.replace('STEPS', 'zero')}\n(check-sat)\n", "test.smt2")
    assert templates.order(system) is None
    assert templates.members(system) is None


def test_a_model_has_the_definitions_of_its_folds() -> None:
    _, result = decided(APPEND.replace("BOUND", "0"), templates.sizes)
    assert isinstance(result, Safe)
    assert isinstance(result.model, Model)
    assert [item.name for item in result.model.folds] == ["size_L"]
    (item,) = result.model.folds
    assert z3.is_app_of(item.body, z3.Z3_OP_ITE)
