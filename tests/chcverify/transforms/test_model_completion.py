"""Interpretations of eliminated predicates: locals that say nothing, and the smaller of two sides."""

import time

import z3

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.variants import SystemVariants
from chcverify.terms.core.traversal import subterms
from chcverify.terms.native.arena import Arena
from chcverify.terms.quantifiers.existentials import eliminate_existentials
from chcverify.transforms import model_completion
from chcverify.transforms.exact.unfolding import Unfold

from .law import assert_model

INT, ARRAY = z3.IntSort(), z3.ArraySort(z3.IntSort(), z3.IntSort())
x, y, v, w = z3.Ints("x y v w")
a, b = z3.Consts("a b", ARRAY)


def left(parts: list[z3.BoolRef], kept: list[z3.ExprRef]) -> set[str]:
    arena = Arena()
    found = eliminate_existentials([arena.handle(part) for part in parts], {arena.handle(k) for k in kept}, arena)
    return {str(z3.simplify(arena.wrap(part))) for part in found}


def test_locals_that_are_only_bounded_go() -> None:
    assert left([v >= 1, v <= 5, x >= w, w <= 3], [x]) == {"x >= w", "w <= 3"}
    assert left([v >= 1, z3.Not(v <= 0), x >= 2], [x]) == {"x >= 2"}
    assert left([v >= 1, x >= 2], [x, v]) == {"v >= 1", "x >= 2"}


def test_contradictory_bounds_are_false() -> None:
    assert left([v >= 1, v <= 0, x >= 2], [x]) == {"False"}


def test_local_arrays_below_writes_go() -> None:
    # exists b. a = store(store(b, 0, v), 1, x)
    assert left([a == z3.Store(z3.Store(b, 0, v), 1, x)], [a, x]) == {"a[0] == v", "a[1] == x"}
    # the last write counts
    assert left([z3.Store(z3.Store(b, 1, v), 1, x) == a], [a, x]) == {"a[1] == x"}


def test_local_arrays_that_occur_elsewhere_stay() -> None:
    written = a == z3.Store(b, 0, v)
    assert left([written, b[1] == w], [a]) == {str(written), "b[1] == w"}
    for part in (a == z3.Store(b, y, v), a == z3.Store(b, 0, b[1])):
        assert left([part], [a, y]) == {str(part)}


def test_constants_are_told_as_values() -> None:
    # rows of a matrix are filled with constants, one clause per entry, then all are compared: the values of a prefix
    # say it with one equation each, what must hold before grows with all that is to come
    n = 30
    places = [Predicate(f"L{i}", (INT, ARRAY)) for i in range(n + 1)]
    clauses = [Clause(places[0](z3.IntVal(0), a), (), z3.BoolVal(True))]
    for i in range(n):
        clauses.append(Clause(places[i + 1](x + 1, z3.Store(a, x, x * x)), (places[i](x, a),), z3.BoolVal(True)))
    total = z3.Sum([a[i] for i in range(n)])
    clauses.append(Clause(None, (places[n](x, a),), total != sum(i * i for i in range(n))))
    system = HornSystem.of(clauses)
    reduced, back, _ = SystemVariants(time.monotonic() + 600).reduced(system)
    assert not reduced.predicates
    model = back.model(Model({}))
    assert_model(system, model)
    assert all(len(list(subterms(model[place]))) < 6 * n + 20 for place in places)


def test_no_witness_is_needed_where_a_neighbour_holds_of_all_elements() -> None:
    # A: all elements are not negative. A & v >= 0 => B(a[x := v]); B & w >= 0 => A(b[y := w])
    first, second = Predicate("A", (ARRAY,)), Predicate("B", (ARRAY,))
    system = HornSystem.of(
        [
            Clause(first(a), (), a == z3.K(INT, z3.IntVal(0))),
            Clause(second(z3.Store(a, x, v)), (first(a),), v >= 0),
            Clause(first(z3.Store(b, y, w)), (second(b),), w >= 0),
            Clause(None, (first(a),), a[x] < 0),
        ]
    )
    smaller, back = Unfold().apply(system)
    assert second not in smaller.predicates
    model = back.model(Model({first: z3.ForAll([x], first.formals[0][x] >= 0)}))
    quantifiers = [term for term in subterms(model[second]) if z3.is_quantifier(term)]
    assert quantifiers and all(term.is_forall() for term in quantifiers)
    assert check_model(system, model, time.monotonic() + 600).accepted


def test_the_undefined_remainder_of_a_division_needs_no_quantifier() -> None:
    # A(i, n); i mod n, any number v if n = 0, and n != 0 => B(i, n, i mod n); it is less than |n|
    first, second = Predicate("A", (INT, INT)), Predicate("B", (INT, INT, INT))
    remainder = z3.If(y == 0, v, x % z3.If(y > 0, y, -y))
    system = HornSystem.of(
        [
            Clause(first(x, y), (), z3.And(x >= 0, y != 0)),
            Clause(second(x, y, w), (first(x, y),), z3.And(w == remainder, y != 0, w <= 100)),
            Clause(first(x + 1, y), (second(x, y, w),), z3.If(y == 0, v, w) >= 0),
            Clause(None, (second(x, y, w),), z3.Or(w < 0, z3.And(w >= y, w >= -y))),
        ]
    )
    smaller, back = Unfold().apply(system)
    assert second not in smaller.predicates
    model = back.model(Model({first: first.formals[1] != 0}))
    assert not any(z3.is_quantifier(term) for term in subterms(model[second]))
    assert check_model(system, model, time.monotonic() + 600).accepted


def test_cases_along_a_chain_do_not_double() -> None:
    # P0 => P1 => ... => Pk => P0, each with an undefined remainder by a variable of its own
    k = 8
    divisors, others = z3.Ints(" ".join(f"n{i}" for i in range(k))), z3.Ints(" ".join(f"j{i}" for i in range(k)))
    places = [Predicate(f"P{i}", (INT,) * (2 * k + 1)) for i in range(k + 1)]
    state = (*divisors, *others)
    clauses = [Clause(places[0](w, *state), (), z3.And(w == 0, *[j >= 0 for j in others]))]
    for i, n in enumerate(divisors):
        remainder = z3.If(n == 0, v, w % z3.If(n > 0, n, -n))
        clauses.append(Clause(places[i + 1](y, *state), (places[i](w, *state),), y == remainder))
    clauses.append(Clause(places[0](w, *state), (places[k](w, *state),), z3.BoolVal(True)))
    clauses.append(Clause(None, (places[0](w, *state),), z3.Or([j < 0 for j in others])))
    system = HornSystem.of(clauses)
    _, back = Unfold().apply(system)
    model = back.model(Model({places[0]: z3.And([each >= 0 for each in places[0].formals[k + 1 :]])}))
    assert all(len(list(subterms(model[place]))) < 100 for place in places)
    assert check_model(system, model, time.monotonic() + 600).accepted


def test_no_elimination_below_the_quantifier_of_a_neighbour(monkeypatch) -> None:
    def eliminate(*arguments):
        raise AssertionError("asked in vain")

    monkeypatch.setattr(model_completion, "eliminate", eliminate)
    test_no_witness_is_needed_where_a_neighbour_holds_of_all_elements()
