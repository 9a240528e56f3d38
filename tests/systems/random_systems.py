"""Random small Horn systems over Int, Bool and bit-vectors, linear and nonlinear, for differential tests."""

import random

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Predicate

INT, BOOL, BYTE = z3.IntSort(), z3.BoolSort(), z3.BitVecSort(4)


class Maker:
    """Draws one system from a seed. Its clauses are in normal form."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        sorts = self.random.choice([[INT], [BYTE], [INT, BOOL], [BYTE, BOOL], [INT, BYTE]])
        self.predicates = [
            Predicate(f"P{i}", tuple(self.random.choices(sorts, k=self.random.randint(1, 3))))
            for i in range(self.random.randint(1, 3))
        ]
        self.count = 0

    def system(self) -> HornSystem:
        clauses = [self.clause(self.random.choice(self.predicates), 0)]
        for predicate in self.predicates:
            clauses.append(self.clause(predicate, self.random.choice([0, 1])))
            clauses.append(self.clause(predicate, self.random.choice([1, 1, 2])))
        clauses.append(self.clause(None, self.random.choice([1, 1, 2])))
        return HornSystem.of(clauses, self.predicates)

    def clause(self, head: Predicate | None, size: int) -> Clause:
        body = tuple(self.application(self.random.choice(self.predicates)) for _ in range(size))
        result = None if head is None else self.application(head)
        before = [argument for atom in body for argument in atom.arguments]
        parts = [self.test(before) for _ in range(self.random.randint(0, 2) + (head is None))]
        if result is not None:
            parts.extend(self.step(argument, before) for argument in result.arguments)
        return Clause(result, body, z3.And(parts) if parts else z3.BoolVal(True))

    def application(self, predicate: Predicate) -> Application:
        arguments = []
        for sort in predicate.sorts:
            self.count += 1
            arguments.append(z3.Const(f"v{self.count}", sort))
        return predicate(*arguments)

    def of_sort(self, terms: list[z3.ExprRef], sort: z3.SortRef) -> z3.ExprRef:
        known = [term for term in terms if term.sort() == sort]
        return self.random.choice(known) if known else self.constant(sort)

    def constant(self, sort: z3.SortRef) -> z3.ExprRef:
        if sort == BOOL:
            return z3.BoolVal(self.random.random() < 0.5)
        return z3.IntVal(self.random.randint(-3, 5)) if sort == INT else z3.BitVecVal(self.random.randint(0, 15), 4)

    def test(self, terms: list[z3.ExprRef]) -> z3.BoolRef:
        sort = self.random.choice([term.sort() for term in terms] or [INT])
        left, right = self.of_sort(terms, sort), self.random.choice([self.constant(sort), self.of_sort(terms, sort)])
        if sort == BOOL:
            return left == right
        relations = [left <= right, left >= right, left == right, left != right]
        if sort == BYTE:
            relations.append(z3.ULE(left, right))
        return self.random.choice(relations)

    def step(self, argument: z3.ExprRef, before: list[z3.ExprRef]) -> z3.BoolRef:
        sort = argument.sort()
        source = self.of_sort(before, sort)
        if sort == BOOL:
            return argument == self.random.choice([source, z3.Not(source), self.test(before)])
        other = self.random.choice([self.constant(sort), self.of_sort(before, sort)])
        choice = self.random.random()
        if choice < 0.5:
            return argument == source + other
        if choice < 0.7:
            return argument == source
        if choice < 0.85:
            return argument == z3.If(self.test(before), source, source - other)
        return argument <= source if choice < 0.95 else argument == 2 * source


def random_system(seed: int) -> HornSystem:
    return Maker(seed).system()
