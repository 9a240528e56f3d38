"""Combined-case k-induction: the k-cut of loops, its confluence, and the models that come back from it."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from unrolling_systems import validate

from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Origin, Predicate
from chcverify.results.result import Safe, Unknown, Unsafe
from solvers.bmc.engine import Bmc
from solvers.engine import Context, Lemma
from solvers.kinduction.combined_case import Combined, cut_all
from solvers.spacer.engine import Spacer
from solvers.unrolling.clause_graph import ClauseGraph, Loop, carried
from solvers.unrolling.k_cut import base_name, k_cut
from solvers.unrolling.model_strengthening import violating
from solvers.unrolling.shared_headers import separate_headers

INT = z3.IntSort()
BEFORE, AFTER = z3.Ints("x y z"), z3.Ints("x1 y1 z1")
x, y, z = BEFORE
x1, y1, z1 = AFTER


def location(name: str, line: int) -> Predicate:
    return Predicate(name, (INT, INT, INT), Origin("program", line))


OUTER, INNER = location("outer", 3), location("inner", 5)


def edge(source: Predicate, target: Predicate, *constraint: z3.BoolRef) -> Clause:
    return Clause(target(*AFTER), (source(*BEFORE),), z3.And(*constraint))


def swap(*start: int) -> HornSystem:
    begin = z3.And([v == value for v, value in zip(BEFORE, start, strict=True)])
    return HornSystem.of(
        [
            # start => outer(x, y, z)
            Clause(OUTER(*BEFORE), (), begin),
            # outer(x, y, z) => outer(y, z, x)
            edge(OUTER, OUTER, x1 == y, y1 == z, z1 == x),
            # outer(x, y, z) & x = y => false
            Clause(None, (OUTER(*BEFORE),), x == y),
        ]
    )


def nested(flip: z3.ArithRef) -> HornSystem:
    """x is only changed by the outer loop, and is 1 or 3 if it is flipped from x to 4 - x."""
    return HornSystem.of(
        [
            # x = 1 & y = 0 => outer(x, y, z)
            Clause(OUTER(*BEFORE), (), z3.And(x == 1, y == 0)),
            # outer(x, y, z) => inner(x, 0, z)
            edge(OUTER, INNER, x1 == x, y1 == 0, z1 == z),
            # inner(x, y, z) & y < z => inner(x, y + 1, z)
            edge(INNER, INNER, x1 == x, y1 == y + 1, z1 == z, y < z),
            # inner(x, y, z) & y >= z => outer(flip, y, z)
            edge(INNER, OUTER, x1 == flip, y1 == y, z1 == z, y >= z),
            # outer(x, y, z) & x != 1 & x != 3 => false
            Clause(None, (OUTER(*BEFORE),), z3.And(x != 1, x != 3)),
        ]
    )


def test_swap_needs_k_3() -> None:
    context = Context.within(600)
    result = Combined().solve(swap(1, 2, 3), context)
    assert isinstance(result, Safe)
    validate(swap(1, 2, 3), result)
    assert context.statistics["k"] == {"line 3": 3}


def test_violations_without_havoc_are_derivations() -> None:
    for system in (swap(1, 2, 2), nested(x + 1)):
        result = Combined().solve(system, Context.within(600))
        assert isinstance(result, Unsafe)
        validate(system, result)


def test_each_loop_has_its_own_k() -> None:
    context = Context.within(600)
    result = Combined().solve(nested(4 - x), context)
    assert isinstance(result, Safe)
    validate(nested(4 - x), result)
    assert context.statistics["k"] == {"line 5": 0, "line 3": 1}


def test_option_fixes_k_by_line() -> None:
    context = Context(Context.within(600).deadline, options={"k": "5:2,3:1"})
    result = Combined().solve(nested(4 - x), context)
    assert isinstance(result, Safe)
    validate(nested(4 - x), result)
    assert context.statistics["k"] == {"line 5": 2, "line 3": 1}


@pytest.mark.parametrize(
    ("option", "reason"), [("4:1", "no loop at line 4"), ("3", "not LINE:K"), ("5:0,3:0", "fails")]
)
def test_useless_options_are_explained(option: str, reason: str) -> None:
    result = Combined().solve(nested(4 - x), Context(Context.within(600).deadline, options={"k": option}))
    assert isinstance(result, Unknown)
    assert reason in result.reason


def test_only_what_every_path_passes_on_is_unmodified() -> None:
    system = nested(4 - x)
    inner, outer = ClauseGraph(system).loops()
    assert (inner.header, outer.header) == (INNER, OUTER)
    assert carried(system, inner) == {INNER: {0: 0, 2: 2}}
    assert carried(system, outer) == {OUTER: {2: 2}, INNER: {2: 2}}


def test_cycle_with_two_entries_is_refused() -> None:
    facts = [Clause(predicate(*BEFORE), (), x == 0) for predicate in (OUTER, INNER)]
    same = [a == b for a, b in zip(BEFORE, AFTER, strict=True)]
    system = HornSystem.of(
        # x = 0 => P(x, y, z) for both predicates; each follows from the other; outer(x, y, z) & x > 0 => false
        [*facts, edge(OUTER, INNER, *same), edge(INNER, OUTER, *same), Clause(None, (OUTER(*BEFORE),), x > 0)]
    )
    result = Combined().solve(system, Context.within(600))
    assert isinstance(result, Unknown)
    assert "irreducible" in result.reason


def shared_header(start: int) -> HornSystem:
    """The nest of `nested` after its outer head was unfolded: x is only looked at when y has reached z."""
    return HornSystem.of(
        [
            # x = start & y = 0 => inner(x, y, z)
            Clause(INNER(*BEFORE), (), z3.And(x == start, y == 0)),
            # inner(x, y, z) & y < z => inner(x, y + 1, z)
            edge(INNER, INNER, x1 == x, y1 == y + 1, z1 == z, y < z),
            # inner(x, y, z) & y >= z => inner(4 - x, 0, z)
            edge(INNER, INNER, x1 == 4 - x, y1 == 0, z1 == z, y >= z),
            # inner(x, y, z) & y >= z & x = 2 => false
            Clause(None, (INNER(*BEFORE),), z3.And(y >= z, x == 2)),
        ]
    )


def test_loops_that_share_a_header_are_separated() -> None:
    context = Context.within(600)
    result = Combined().solve(shared_header(1), context)
    assert isinstance(result, Safe)
    validate(shared_header(1), result)
    assert context.statistics["k"] == {"line 5": 0, "line 5, outer loop": 1}


def test_answers_on_separated_loops_are_answers_on_the_system() -> None:
    for start, expected in ((1, Safe), (2, Unsafe)):
        separated = separate_headers(shared_header(start))
        assert len(ClauseGraph(separated.system).loops()) == 2
        result = (Spacer() if start == 1 else Bmc()).solve(separated.system, Context.within(600))
        assert isinstance(result, expected)
        back = separated.model(result.model) if isinstance(result, Safe) else separated.derivation(result.derivation)
        validate(shared_header(start), Safe(back) if isinstance(back, Model) else Unsafe(back))


def test_loops_whose_back_edges_agree_stay() -> None:
    assert not separate_headers(nested(4 - x)).inner
    assert separate_headers(swap(1, 2, 3)).system.predicates == swap(1, 2, 3).predicates


def test_what_no_fact_reaches_does_no_harm() -> None:
    dead = location("dead", 9)
    more = [edge(dead, INNER, x1 == x), edge(dead, dead, x1 == x), Clause(None, (dead(*BEFORE),), x > 0)]
    system = HornSystem.of([*more, *nested(4 - x).clauses])
    result = Combined().solve(system, Context.within(600))
    assert isinstance(result, Safe)
    validate(system, result)


def test_auxiliary_invariants_come_from_the_bus() -> None:
    """The four-state automaton: 4-inductive with z >= 1, and without it for no k."""

    class Bus:
        def __init__(self) -> None:
            self.waiting = [Lemma(OUTER, OUTER.formals[2] >= 1)]

        def poll(self) -> list[Lemma]:
            lemmas, self.waiting = self.waiting, []
            return lemmas

        def publish(self, lemmas: list[Lemma]) -> None:
            pass

    count = z3.And(x1 == z3.If(z == 1, x + 1, x), y1 == z3.If(z == 2, y + 1, y), z1 == z3.If(z == 4, 1, z + 1))
    system = HornSystem.of(
        [
            # x = 0 & y = 0 & z = 1 => outer(x, y, z)
            Clause(OUTER(*BEFORE), (), z3.And(x == 0, y == 0, z == 1)),
            # outer(x, y, z) & count => outer(x1, y1, z1)
            edge(OUTER, OUTER, count),
            # outer(x, y, z) & z = 1 & x != y => false
            Clause(None, (OUTER(*BEFORE),), z3.And(z == 1, x != y)),
        ]
    )
    context = Context(Context.within(600).deadline, bus=Bus())
    result = Combined().solve(system, context)
    assert isinstance(result, Safe)
    validate(system, result)
    assert context.statistics["k"] == {"line 3": 4}


class Programs:
    """Random structured programs over x, y, z as linear systems; their clause graphs are reducible."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0
        self.clauses: list[Clause] = []

    def system(self, size: int) -> HornSystem:
        start = self._new()
        self.clauses.append(Clause(start(*BEFORE), (), z3.And(x == 0, y == 0, z == 1)))
        self._block(start, size, 0)
        return HornSystem.of(self.clauses)

    def _new(self) -> Predicate:
        self.count += 1
        return location(f"n{self.count}", self.count)

    def _step(self, source: Predicate, target: Predicate, guard: z3.BoolRef, changes: Sequence[z3.ExprRef]) -> None:
        self.clauses.append(edge(source, target, guard, *(a == b for a, b in zip(AFTER, changes, strict=True))))

    def _block(self, at: Predicate, size: int, depth: int) -> Predicate:
        for _ in range(size):
            kind = self.random.choice(["assign", "assign", "if", "assert"] + ["loop"] * (2 if depth < 2 else 0))
            at = getattr(self, f"_{kind}")(at, size - 1, depth)
        return at

    def _guard(self) -> z3.BoolRef:
        return self.random.choice(BEFORE) < self.random.randint(0, 3)

    def _assign(self, at: Predicate, _size: int, _depth: int) -> Predicate:
        after, changes = self._new(), list(BEFORE)
        i = self.random.randrange(3)
        changes[i] = self.random.choice([z3.IntVal(self.random.randint(0, 2)), changes[i] + 1, 3 - changes[i]])
        self._step(at, after, z3.BoolVal(True), changes)
        return after

    def _assert(self, at: Predicate, _size: int, _depth: int) -> Predicate:
        self.clauses.append(Clause(None, (at(*BEFORE),), self.random.choice(BEFORE) > self.random.randint(1, 4)))
        return at

    def _if(self, at: Predicate, size: int, depth: int) -> Predicate:
        guard, end = self._guard(), self._new()
        for condition in (guard, z3.Not(guard)):
            first = self._new()
            self._step(at, first, condition, BEFORE)
            self._step(self._block(first, min(size, 1), depth), end, z3.BoolVal(True), BEFORE)
        return end

    def _loop(self, at: Predicate, size: int, depth: int) -> Predicate:
        head, first, after, guard = self._new(), self._new(), self._new(), self._guard()
        self._step(at, head, z3.BoolVal(True), BEFORE)
        self._step(head, first, guard, BEFORE)
        last = self._block(first, size, depth + 1)
        self._step(last, head, z3.BoolVal(True), BEFORE)
        if self.random.random() < 0.3:
            self._step(last, after, self._guard(), BEFORE)
        self._step(head, after, z3.Not(guard), BEFORE)
        return after


Form = Counter[tuple[object, ...]]


def image(system: HornSystem, loop: Loop, names: set[str]) -> Loop:
    """The loop of lemma 3, M': with those copies of its predicates from which cut inner loops no longer lead back."""
    body, stack = set(loop.body), list(loop.body)
    while stack:
        clauses = [system.clauses[index] for index in system.using[stack.pop()]]
        heads = {c.head.predicate for c in clauses if c.head}
        more = {p for p in heads if base_name(p) in names} - body
        body |= more
        stack += more
    return Loop(loop.header, frozenset(body))


def copy_path(name: str) -> tuple[str, tuple[str, ...]]:
    """The name before all cuts, and the copies of loops in which the predicate lies, in canonical order."""
    name, *copies = name.split(" |[")
    return name, tuple(sorted(copies))


def cut_in_order(
    system: HornSystem, order: Sequence[Predicate], depths: dict[str, int], bad: Mapping[str, z3.BoolRef | None]
) -> Form:
    """The clauses after all copies of the loops were cut, header by header, with copies named canonically."""
    names = {loop.header.name: {p.name for p in loop.body} for loop in ClauseGraph(system).loops()}
    current = system
    for header in order:
        while copies := [loop for loop in ClauseGraph(current).loops() if base_name(loop.header) == header.name]:
            loop = image(current, copies[0], names[header.name])
            current = k_cut(current, loop, depths[header.name], lambda p: bad[base_name(p)]).system
    assert not ClauseGraph(current).loops()

    def place(application: Application | None) -> object:
        return application and (copy_path(application.predicate.name), tuple(map(str, application.arguments)))

    return Counter((place(c.head), *map(place, c.body), c.constraint.sexpr()) for c in current.clauses)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_theorem_2_the_order_of_cuts_does_not_matter(seed: int) -> None:
    shuffle = random.Random(seed)
    system = Programs(seed).system(3)
    headers = [loop.header for loop in ClauseGraph(system).loops()][:4]
    depths = {header.name: shuffle.randint(0, 2) for header in headers}
    # Loops beyond the fourth are cut first in every order, to bound the size.
    rest = [loop.header for loop in ClauseGraph(system).loops()][4:]
    depths.update({header.name: 0 for header in rest})
    other = shuffle.sample(headers, len(headers))
    bad = {p.name: violating(system, p, 1000) for p in system.predicates}
    one, another = ([*rest, *some] for some in (headers, other))
    assert cut_in_order(system, one, depths, bad) == cut_in_order(system, another, depths, bad)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 2))
def test_theorem_1_answers_on_random_programs_are_certified(seed: int, k: int) -> None:
    system = Programs(seed).system(3)
    loops = ClauseGraph(system).loops()
    if len(loops) > 3:
        return
    lines = ",".join(f"{loop.header.origin.line}:{k}" for loop in loops if loop.header.origin)
    result = Combined().solve(system, Context(Context.within(5).deadline, options={"k": lines}))
    if not isinstance(result, Unknown):
        validate(system, result)
    else:
        assert "does not hold" not in result.reason  # of its own model
        assert "disagrees" not in result.reason


def test_cuts_leave_no_loop() -> None:
    system = nested(4 - x)
    loops = ClauseGraph(system).loops()
    cuts = cut_all(system, loops, {INNER: 1, OUTER: 2}, lambda p: None, Context.within(600))
    assert cuts is not None
    assert not ClauseGraph(cuts.system).loops()
    assert len(cuts.havoc) > 1
