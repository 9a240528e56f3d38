"""Small systems of clauses with certificates of termination, right ones."""

import z3

from chcverify.certificate.derivation import Step
from chcverify.certificate.model import Model
from chcverify.certificate.termination import Lasso, Move, RankingNode, RankingProof, RecurrenceSet
from chcverify.horn.system import Clause, HornSystem, Predicate

INT = z3.IntSort()
x, y, r = z3.Ints("x y r")
WORD = 256
TRUE = z3.BoolVal(True)


def resets() -> tuple[HornSystem, RankingProof]:
    """while (x > 0) if (any) { x--; y = any; } else if (y > 0) y--; else break;"""
    loop = Predicate("loop", (INT, INT))
    system = HornSystem.of(
        [
            Clause(loop(x, y), (), TRUE),
            Clause(loop(x - 1, r), (loop(x, y),), x > 0),  # 1: one less, and the other anything
            Clause(loop(x, y - 1), (loop(x, y),), z3.And(x > 0, y > 0)),  # 2
        ]
    )
    inside = RankingNode(frozenset({2}), {loop: loop.formals[1]}, frozenset({2}))
    node = RankingNode(frozenset({1, 2}), {loop: loop.formals[0]}, frozenset({1}), (inside,))
    return system, RankingProof(Model({loop: TRUE}), frozenset({loop}), (node,))


def nested() -> tuple[HornSystem, RankingProof]:
    """for (x = any; x > 0; x--) for (y = x; y > 0; y--);"""
    outer, inner = Predicate("outer", (INT,)), Predicate("inner", (INT, INT))
    system = HornSystem.of(
        [
            Clause(outer(x), (), TRUE),
            Clause(inner(x, x), (outer(x),), x > 0),  # 1: into the inner loop
            Clause(inner(x, y - 1), (inner(x, y),), y > 0),  # 2: around it
            Clause(outer(x - 1), (inner(x, y),), y <= 0),  # 3: out of it
        ]
    )
    model = Model({outer: TRUE, inner: inner.formals[0] > 0})
    inside = RankingNode(frozenset({2}), {inner: inner.formals[1]}, frozenset({2}))
    ranks = {outer: 2 * outer.formals[0] + 1, inner: 2 * inner.formals[0]}
    node = RankingNode(frozenset({1, 2, 3}), ranks, frozenset({1, 3}), (inside,))
    return system, RankingProof(model, frozenset({outer, inner}), (node,))


def phases() -> tuple[HornSystem, RankingProof]:
    """while (x > 0) { x += y; y--; }"""
    head, body = Predicate("head", (INT, INT)), Predicate("body", (INT, INT))
    system = HornSystem.of(
        [
            Clause(head(x, y), (), TRUE),
            Clause(body(x, y), (head(x, y),), x > 0),
            Clause(head(x + y, y - 1), (body(x, y),), TRUE),
        ]
    )
    first, second = head.formals
    clauses = frozenset({1, 2})
    last = RankingNode(clauses, {head: first}, clauses)
    node = RankingNode(clauses, {head: z3.If(second >= 0, second + 1, z3.IntVal(0))}, frozenset(), (last,))
    return system, RankingProof(Model({head: TRUE, body: TRUE}), frozenset({head}), (node,))


def recursion() -> tuple[HornSystem, RankingProof]:
    """f(x) { return x <= 0 ? 0 : f(f(x - 1)); }, whose result is at most 0."""
    entry, once, leaves = Predicate("entry", (INT,)), Predicate("once", (INT, INT)), Predicate("leaves", (INT, INT))
    system = HornSystem.of(
        [
            Clause(entry(x), (), TRUE),
            Clause(leaves(x, z3.IntVal(0)), (entry(x),), x <= 0),
            Clause(entry(x - 1), (entry(x),), x > 0),  # 2: the inner call
            Clause(once(x, r), (entry(x), leaves(x - 1, r)), x > 0),  # 3: behind it
            Clause(entry(r), (once(x, r),), TRUE),  # 4: the outer call
            Clause(leaves(x, y), (once(x, r), leaves(r, y)), TRUE),
        ]
    )
    model = Model(
        {
            entry: TRUE,
            once: z3.And(once.formals[0] > 0, once.formals[1] <= 0),
            leaves: leaves.formals[1] <= 0,
        }
    )
    node = RankingNode(frozenset({2, 3, 4}), {entry: entry.formals[0]}, frozenset({2, 3, 4}))
    return system, RankingProof(model, frozenset({entry}), (node,))


def endless() -> tuple[HornSystem, Lasso]:
    """x = 5; while (x > 0) x = x == 1 ? 5 : x - 1;"""
    head = Predicate("head", (INT,))
    system = HornSystem.of(
        [
            Clause(head(z3.IntVal(5)), (), TRUE),
            Clause(head(x - 1), (head(x),), x > 1),
            Clause(head(z3.IntVal(5)), (head(x),), x == 1),
        ]
    )
    steps = [Step(0, (z3.IntVal(5),), ())]
    steps += [Step(1, (z3.IntVal(5 - i),), (i - 1,)) for i in range(1, 5)]
    steps.append(Step(2, (z3.IntVal(5),), (4,)))
    return system, Lasso(tuple(steps), 0)


def wrapping() -> tuple[HornSystem, RecurrenceSet]:
    """unsigned char x = 0, y = any; while (any > 3) x += 2; where y is not used."""
    head, body = Predicate("head", (INT,)), Predicate("body", (INT, INT))
    system = HornSystem.of(
        [
            Clause(head(z3.IntVal(0)), (), TRUE),
            Clause(body(x, y), (head(x),), z3.And(x >= 0, x < WORD, y >= 0, r > y)),  # 1: y and r are any
            Clause(head((x + 2) % WORD), (body(x, y),), y > 3),  # 2
        ]
    )
    moves = (
        Move(1, (head.formals[0], z3.IntVal(4)), ((r, z3.IntVal(5)),)),
        Move(2, ((body.formals[0] + 2) % WORD,)),
    )
    facts = {
        head: z3.And(head.formals[0] >= 0, head.formals[0] < WORD),
        body: z3.And(body.formals[0] >= 0, body.formals[0] < WORD, body.formals[1] == 4),
    }
    return system, RecurrenceSet((Step(0, (z3.IntVal(0),), ()),), facts, moves)
