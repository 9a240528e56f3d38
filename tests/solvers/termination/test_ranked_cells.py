"""Ranks of cells: what pointers lead to is ranked like a variable, and steps are generalised without arrays."""

import itertools
import random
import time

import pytest
import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.kernel.runs import clause_components, is_step
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjuncts, subterms
from solvers.engine import Context
from solvers.termination.proofs import prove_with_invariants
from solvers.termination.ranked_cells import cells_of, with_cells, without_arrays, without_cells
from solvers.termination.ranking_search import NotFound, prove
from solvers.termination.searched_paths import cut_points_of

CELLS = z3.ArraySort(z3.IntSort(), z3.IntSort())
memory, other = z3.Const("memory", CELLS), z3.Const("other", CELLS)
p, q, r = z3.Ints("p q r")
HEAD = Predicate("head", (CELLS, z3.IntSort(), z3.IntSort()), names=("memory", "p", "q"))
BODY = Predicate("body", (z3.IntSort(), CELLS, z3.IntSort()))
TRUE = z3.BoolVal(True)


def pointers(guard: z3.BoolRef, first: z3.BoolRef, after: tuple[z3.ExprRef, z3.ExprRef]) -> HornSystem:
    """The cells of p and q are variables: while (guard) { ... } with two ways through the body.

    first: of the pointers, at first. after: what memory is behind each of the two ways.
    """
    return HornSystem.of(
        [
            Clause(HEAD(memory, p, q), (), first),
            Clause(BODY(q, memory, p), (HEAD(memory, p, q),), guard),
            *(Clause(HEAD(changed, p, q), (BODY(q, memory, p),), TRUE) for changed in after),
        ]
    )


def minus_one(array: z3.ExprRef, index: z3.ArithRef) -> z3.ArrayRef:
    return z3.Store(array, index, z3.Select(array, index) - 1)


BOTH_ARE_POSITIVE = z3.And(z3.Select(memory, p) > 0, z3.Select(memory, q) > 0)
RESETS = (z3.Store(minus_one(memory, p), q, r), minus_one(memory, q))
"""One less in the cell of p and anything in that of q, or one less in that of q."""


def proved(system: HornSystem, known: Model) -> bool:
    proof = prove(system, known, time.monotonic() + 60, is_thorough=False)
    return certify(system, proof, time.monotonic() + 600, "off").accepted


def test_cells_decrease_one_after_the_other() -> None:
    system = pointers(BOTH_ARE_POSITIVE, p != q, RESETS)
    assert proved(system, Model({HEAD: HEAD.formals[1] != HEAD.formals[2], BODY: BODY.formals[0] != BODY.formals[2]}))


def test_no_ranks_where_the_pointers_may_be_equal() -> None:
    system = pointers(BOTH_ARE_POSITIVE, TRUE, RESETS)
    with pytest.raises(NotFound):
        prove(system, Model({HEAD: TRUE, BODY: TRUE}), time.monotonic() + 20, is_thorough=False)


def test_a_cell_that_goes_up_to_another_one() -> None:
    up = z3.Store(memory, p, z3.Select(memory, p) + 2)
    system = pointers(z3.Select(memory, p) < z3.Select(memory, q), p != q, (up, minus_one(memory, q)))
    assert proved(system, Model({HEAD: HEAD.formals[1] != HEAD.formals[2], BODY: BODY.formals[0] != BODY.formals[2]}))


def test_facts_about_cells() -> None:
    """while (*p > 0) *p -= *q; needs *q >= 1, which is a fact."""
    change = z3.Store(memory, p, z3.Select(memory, p) - z3.Select(memory, q))
    first = z3.And(p == 1, q == 2, z3.Select(memory, q) >= 1)
    system = pointers(z3.Select(memory, p) > 0, first, (change, change))
    known = Model({HEAD: TRUE, BODY: TRUE})
    cells, one, two = HEAD.formals
    facts = {HEAD: (one == 1, two == 2, z3.Select(cells, 2) >= 1)}
    facts[BODY] = (BODY.formals[2] == 1, BODY.formals[0] == 2, z3.Select(BODY.formals[1], 2) >= 1)
    with pytest.raises(NotFound):
        prove_with_invariants(system, known, (), Context.within(20))
    proof = prove_with_invariants(system, known, (), Context.within(600), lambda: facts)
    assert certify(system, proof, time.monotonic() + 600, "off").accepted


def test_which_cells() -> None:
    system = pointers(BOTH_ARE_POSITIVE, p != q, (minus_one(memory, p), z3.Store(memory, q + 8, r)))
    (component,) = clause_components(system, [i for i, clause in enumerate(system.clauses) if is_step(clause)])
    cells = cells_of(system, component, cut_points_of(system))
    array, first, second = HEAD.formals
    found = {str(cell) for cell in cells[HEAD]}
    assert found == {str(z3.Select(array, index)) for index in (first, second, second + 8)}
    more = with_cells(HEAD, cells[HEAD])
    assert more.arity == HEAD.arity + 3 and more.formals[: HEAD.arity] == HEAD.formals
    assert len(more.argument_names) == more.arity
    sum_of_cells = more.formals[3] + more.formals[4]
    assert without_cells(sum_of_cells, HEAD, cells[HEAD]).eq(cells[HEAD][0] + cells[HEAD][1])


@pytest.mark.parametrize("seed", range(30))
def test_steps_without_arrays(seed: int) -> None:
    draw = random.Random(seed)
    numbers = list(z3.Ints("a b c d"))
    arrays = [z3.Const(f"array{i}", CELLS) for i in range(4)]

    def number() -> z3.ArithRef:
        kind = draw.randrange(4)
        if kind == 0:
            return z3.Select(draw.choice(arrays), draw.choice(numbers))
        return draw.choice(numbers) + (0, 1, draw.choice(numbers))[kind - 1]

    parts: list[z3.BoolRef] = []
    for before, after in itertools.pairwise(arrays):
        written = z3.Store(before, draw.choice(numbers), number())
        other_way = draw.choice((before, z3.Store(before, draw.choice(numbers), number())))
        parts.append(after == z3.If(draw.choice(numbers) < draw.choice(numbers), written, other_way))
    draw.shuffle(parts)
    parts += [draw.choice((number() < number(), number() != number(), number() == number())) for _ in range(3)]
    formula = z3.And(parts)
    solver = z3.Solver()
    solver.add(formula)
    if solver.check() != z3.sat:
        return
    model = solver.model()
    found = without_arrays(formula, model)
    assert z3.is_true(model.eval(found, model_completion=True))
    assert not any(z3.is_store(term) for term in subterms(found))
    equations = [part for part in conjuncts(formula) if z3.is_eq(part) and z3.is_array(part.arg(0))]
    # found & the equations of arrays => formula
    assert z3.Solver().check(found, *equations, z3.Not(formula)) == z3.unsat
