"""Random nonlinear systems whose facts have few values, over Int, Bool and bit-vectors."""

import random

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Predicate

INT, BOOL, WORD = z3.IntSort(), z3.BoolSort(), z3.BitVecSort(2)


class FiniteMaker:
    """Draws one system from a seed. Numbers are kept small by remainders; some variables are free, in tests, too."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        sorts = self.random.choice([[INT], [WORD], [INT, BOOL], [INT, WORD], [WORD, BOOL]])
        self.predicates = [
            Predicate(f"P{i}", tuple(self.random.choices(sorts, k=self.random.randint(1, 3)))) for i in range(3)
        ]
        self.inputs = self.random.random() < 0.4
        self.count = 0

    def system(self) -> HornSystem:
        clauses = [self.clause(predicate, 0) for predicate in self.random.sample(self.predicates, 2)]
        clauses += [self.clause(predicate, self.random.choice([1, 2, 2, 3])) for predicate in self.predicates * 2]
        clauses += [self.clause(None, self.random.choice([1, 2]))]
        return HornSystem.of(clauses, self.predicates)

    def clause(self, head: Predicate | None, size: int) -> Clause:
        body = [self.application(self.random.choice(self.predicates)) for _ in range(size)]
        terms = [argument for atom in body for argument in atom.arguments]
        if self.inputs:
            terms += [self.variable(sort) for sort in (INT, BOOL, WORD) if self.random.random() < 0.3]
        tests = [self.test(terms) for _ in range(self.random.randint(0, 2) + 2 * (head is None))]
        result = None if head is None else head(*(self.term(terms, sort) for sort in head.sorts))
        return Clause(result, tuple(body), z3.And([*tests, z3.BoolVal(True)]))

    def application(self, predicate: Predicate) -> Application:
        return predicate(*map(self.variable, predicate.sorts))

    def variable(self, sort: z3.SortRef) -> z3.ExprRef:
        self.count += 1
        return z3.Const(f"v{self.count % 5 if self.random.random() < 0.2 else self.count}", sort)

    def leaf(self, terms: list[z3.ExprRef], sort: z3.SortRef) -> z3.ExprRef:
        known = [term for term in terms if term.sort() == sort]
        if known and self.random.random() < 0.8:
            return self.random.choice(known)
        if sort == BOOL:
            return z3.BoolVal(self.random.random() < 0.5)
        number = self.random.randint(0, 3)
        return z3.IntVal(number) if sort == INT else z3.BitVecVal(number, 2)

    def term(self, terms: list[z3.ExprRef], sort: z3.SortRef) -> z3.ExprRef:
        left, right = self.leaf(terms, sort), self.leaf(terms, sort)
        if sort == BOOL:
            return self.random.choice([left, z3.Not(left), z3.And(left, right), self.test(terms)])
        sums = [left, left + right, left - right, z3.If(self.test(terms), left, right)]
        if sort == INT:
            return self.random.choice([*sums, left * 2, left / 2]) % 5
        return self.random.choice([*sums, left * right, ~left, left & right, z3.UDiv(left, right), left >> 1])

    def test(self, terms: list[z3.ExprRef]) -> z3.BoolRef:
        sort = self.random.choice([term.sort() for term in terms] or [INT])
        left, right = self.leaf(terms, sort), self.leaf(terms, sort)
        if sort == BOOL:
            return left == right
        tests = [left == right, left != right, left <= right, z3.Or(left == right, left + 1 == right)]
        return self.random.choice(tests)
