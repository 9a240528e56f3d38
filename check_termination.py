"""Checks a certificate of termination, or of a run that does not end, against its Horn clauses, with z3.

    python check_termination.py CERTIFICATE FILE.smt2

The files are those of check_certificate.py, which must be beside this one and reads them; nothing else of chcverify is
used. Prints "accepted" (exit status 0), "rejected: REASON" (1), or what is wrong with the files (2).

Each assertion is read as a clause `P1(s1) & ... & Pk(sk) & constraint => P(t)`. A run is a sequence of facts: a clause
leads from the fact of its FIRST body atom to the fact of its head, if the other body atoms hold.

Ranks ("format": "chcverify-ranking"). The model must be one of all clauses (check_certificate.py), so its formulas hold
in all facts. Each cycle of clauses passes a cut point. So a run without end is a sequence of paths from cut point to
cut point. The nodes are the strongly connected components of the clauses; a run without end finally stays in one. There
its rank does not grow on a path (checked), and becomes smaller, from at least 0, on each path that uses a strict clause
(checked): so finally none is used, and the run stays in a component of the others, the node's children; and none of its
paths makes the rank smaller from at least 0, which the obligations of the children may assume. Where no cycle is left,
no run can stay. docs/certificates.md has the proof at length.

Lasso ("endless"): each step is an instance of its clause, and the first premises lead from the last step back to the
step where the cycle begins, whose fact is the last step's, too.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import z3

from check_certificate import Horn, Rejected, Unusable, check_model, definitions, is_unsat, items, parse

Vector = Sequence[z3.ExprRef]


class Clause(NamedTuple):
    """Body atoms in their order, the constraint, the head (None if there is none), and all variables."""

    body: list[z3.ExprRef]
    constraint: z3.BoolRef
    head: z3.ExprRef | None
    variables: list[z3.ExprRef]


def clauses_of(horn: Horn) -> list[Clause]:
    """The assertions as clauses; Unusable if one has another form."""
    if horn.constants:
        raise Unusable("clauses with free constants are not supported")
    return [_clause(horn, formula, number) for number, formula in enumerate(parse(horn.lines, horn.asserted))]


def _clause(horn: Horn, formula: z3.BoolRef, number: int) -> Clause:
    variables: list[z3.ExprRef] = []
    while z3.is_quantifier(formula) and formula.is_forall():
        names = [f"v!{number}!{len(variables) + i}" for i in range(formula.num_vars())]
        own = [z3.Const(name, formula.var_sort(i)) for i, name in enumerate(names)]
        formula = z3.substitute_vars(formula.body(), *reversed(own))
        variables += own
    parts, head = ([formula.arg(0)], formula.arg(1)) if z3.is_implies(formula) else ([], formula)
    body, constraints = [], []
    while parts:
        part = parts.pop(0)
        if z3.is_and(part):
            parts = [*part.children(), *parts]
        elif _is_atom(horn, part):
            body.append(part)
        elif _mentions(horn, part):
            raise Unusable(f"assertion {number} is no clause")
        else:
            constraints.append(part)
    if not _is_atom(horn, head):
        if _mentions(horn, head):
            raise Unusable(f"assertion {number} is no clause")
        return Clause(body, z3.And([*constraints, z3.Not(head)]), None, variables)
    return Clause(body, z3.And(constraints), head, variables)


def _is_atom(horn: Horn, term: z3.ExprRef) -> bool:
    return z3.is_app(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED and term.decl().name() in horn.predicates


def _mentions(horn: Horn, term: z3.ExprRef) -> bool:
    pending, seen = [term], set()
    while pending:
        part = pending.pop()
        if part.get_id() in seen:
            continue
        seen.add(part.get_id())
        if z3.is_quantifier(part):
            pending.append(part.body())
        elif _is_atom(horn, part):
            return True
        else:
            pending += part.children()
    return False


# Ranks ----------------------------------------------------------------------------------------------------------------


class Ranking:
    """The proof and its clauses. invariants: for each predicate its arguments as constants, and its formula."""

    def __init__(self, horn: Horn, data: Mapping[str, Any]) -> None:
        self.clauses = clauses_of(horn)
        self.steps = [number for number, clause in enumerate(self.clauses) if clause.body and clause.head is not None]
        self.cut_points = set(data["cut_points"])
        self.horn = horn
        self.sorts = {name: items(items(horn.lines[at.line])[2]) for name, at in horn.predicates.items()}
        defined = list(definitions(data["model"]))
        self.invariants = {name: self._parsed(name, defined, None) for name in horn.predicates}
        unknown = self.cut_points - horn.predicates.keys()
        if unknown:
            raise Rejected(f"{min(unknown)} is no predicate of the clauses")

    def _parsed(self, name: str, defined: Sequence[str], rank: str | None) -> tuple[list[z3.ExprRef], z3.ExprRef]:
        """The formals $0, $1, ... of a predicate, and its formula by the definitions, or the rank of that text."""
        formals = [f"${i}" for i in range(len(self.sorts[name]))]
        lines = [line for line in self.horn.lines if not line.startswith(("(declare-fun ", "(assert "))]
        lines += [] if rank is not None else defined
        lines += [f"(declare-fun {formal} () {sort})" for formal, sort in zip(formals, self.sorts[name], strict=True)]
        symbol = items(self.horn.lines[self.horn.predicates[name].line])[1]
        lines += [f"(assert (= {formal} {formal}))" for formal in formals]
        if rank is None:
            applied = f"({symbol} {' '.join(formals)})" if formals else symbol
            lines.append(f"(assert {applied})")
        else:
            if len(items(f"({rank})")) != 1:
                raise Rejected(f"not one term: {rank[:60]!r}")
            lines.append(f"(assert (= {rank} 0))")
        parsed = parse(lines, len(formals) + 1)
        term = parsed[-1] if rank is None else parsed[-1].arg(0)
        if rank is not None and not z3.is_int(term):
            raise Rejected(f"the rank of {name} is no integer")
        return [equation.arg(0) for equation in parsed[:-1]], term

    def rank(self, node: Mapping[str, Any], name: str, vector: Vector) -> Any:
        """The rank of a fact of a predicate by a node."""
        formals, term = self._parsed(name, (), node["ranks"][name])
        result: Any = z3.substitute(term, *zip(formals, vector, strict=True)) if formals else term
        return result

    def holds(self, name: str, vector: Vector) -> Any:
        """The invariant of a predicate about these arguments."""
        formals, formula = self.invariants[name]
        result: Any = z3.substitute(formula, *zip(formals, vector, strict=True)) if formals else formula
        return result

    def ends(self, number: int) -> tuple[str, str]:
        """The predicates that a clause leads from and to."""
        clause = self.clauses[number]
        assert clause.head is not None
        return clause.body[0].decl().name(), clause.head.decl().name()

    def components(self, numbers: Sequence[int]) -> set[frozenset[int]]:
        """The clauses of each strongly connected component: those between predicates that reach each other."""
        reached = {name: self._reached(name, numbers) for name in {end for n in numbers for end in self.ends(n)}}
        groups: dict[frozenset[str], set[int]] = {}
        for number in numbers:
            source, target = self.ends(number)
            if source in reached[target]:
                group = frozenset(name for name in reached[target] if source in reached[name])
                groups.setdefault(group, set()).add(number)
        return {frozenset(group) for group in groups.values()}

    def _reached(self, name: str, numbers: Sequence[int]) -> set[str]:
        """The predicates that a path from a predicate comes to, itself included."""
        following: dict[str, set[str]] = {}
        for number in numbers:
            source, target = self.ends(number)
            following.setdefault(source, set()).add(target)
        found, pending = {name}, [name]
        while pending:
            new = following.get(pending.pop(), set()) - found
            found |= new
            pending += new
        return found

    def check(self, nodes: Sequence[Mapping[str, Any]], numbers: Sequence[int], above: list[Mapping[str, Any]]) -> None:
        """Rejected unless the nodes show that no run stays among these clauses. above: the nodes around them."""
        given = [frozenset(node["clauses"]) for node in nodes]
        if len(given) != len(set(given)) or set(given) != self.components(numbers):
            raise Rejected("the nodes are not the components of the clauses")
        for node in nodes:
            clauses, strict = frozenset(node["clauses"]), frozenset(node["strict"])
            if not strict <= clauses:
                raise Rejected("a strict clause is not in its component")
            for start in {self.ends(number)[0] for number in clauses} & self.cut_points:
                if not is_unsat(self.wrong_path(start, clauses, strict, node, above)):
                    raise Rejected(f"a path from {start} makes the rank larger, or not smaller, or that is open")
            self.check(node["children"], sorted(clauses - strict), [*above, node])

    def wrong_path(
        self,
        start: str,
        clauses: frozenset[int],
        strict: frozenset[int],
        node: Mapping[str, Any],
        above: Sequence[Mapping[str, Any]],
    ) -> z3.BoolRef:
        """A path from a cut point to the next one, on which no rank above becomes smaller, breaks the node's claim.

        For each predicate there is one vector of variables, for each clause a Boolean: it is used.
        """
        on_path = [n for n in sorted(clauses) if self.ends(n)[0] == start or self.ends(n)[0] not in self.cut_points]
        used = {number: z3.Bool(f"used!{number}") for number in on_path}
        parts = [self.holds(start, self.vector(start, "first"))]
        wrong = []
        for name in {end for number in on_path for end in self.ends(number)}:
            leaving = [used[number] for number in on_path if self.ends(number)[0] == name]
            arriving = [used[number] for number in on_path if self.ends(number)[1] == name]
            if name == start:
                parts += [z3.Or(leaving), self.at_most_one(leaving)]
            elif name not in self.cut_points:
                parts += [self.implies_any(leaving, arriving), self.implies_any(arriving, leaving)]
                parts.append(self.at_most_one(leaving))
            if name in self.cut_points and arriving:
                first, last = self.vector(start, "first"), self.vector(name, "last")
                here = z3.Or(arriving)
                for outer in above:
                    parts.append(z3.Implies(here, z3.Not(self.smaller(outer, start, first, name, last))))
                by_strict = z3.Or([used[n] for n in on_path if n in strict])
                grows = self.rank(node, start, first) < self.rank(node, name, last)
                stays = z3.And(by_strict, z3.Not(self.smaller(node, start, first, name, last)))
                wrong.append(z3.And(here, z3.Or(grows, stays)))
        for number in on_path:
            parts.append(z3.Implies(used[number], self.instance(number)))
        return z3.And([*parts, z3.Or(wrong)])

    def implies_any(self, some: Sequence[z3.BoolRef], others: Sequence[z3.BoolRef]) -> z3.BoolRef:
        """If one of some is true, so is one of the others."""
        return z3.Implies(z3.Or(some), z3.Or(others))

    def at_most_one(self, some: Sequence[z3.BoolRef]) -> z3.BoolRef:
        """No two of them are true."""
        return z3.And([z3.Or(z3.Not(a), z3.Not(b)) for i, a in enumerate(some) for b in some[:i]])

    def smaller(self, node: Mapping[str, Any], start: str, first: Vector, end: str, last: Vector) -> z3.BoolRef:
        """The rank is at least 0 at the first fact and smaller at the last."""
        before, after = self.rank(node, start, first), self.rank(node, end, last)
        return z3.And(before >= 0, before > after)

    def vector(self, name: str, where: str) -> Vector:
        """Variables for the fact of a predicate on the path."""
        return [z3.Const(f"{where}!{name}!{i}", formal.sort()) for i, formal in enumerate(self.invariants[name][0])]

    def instance(self, number: int) -> z3.BoolRef:
        """The clause's first atom and its head are facts of the path; its other atoms and its constraint hold."""
        clause = self.clauses[number]
        assert clause.head is not None
        source, target = self.ends(number)
        first = self.vector(source, "first" if source in self.cut_points else "between")
        last = self.vector(target, "last" if target in self.cut_points else "between")
        parts = [clause.constraint, *(self.holds(a.decl().name(), a.children()) for a in clause.body[1:])]
        for atom, vector in ((clause.body[0], first), (clause.head, last)):
            parts += [given == value for given, value in zip(atom.children(), vector, strict=True)]
        return z3.And(parts)


def check_ranking(horn: Horn, data: Mapping[str, Any]) -> None:
    """Rejected unless the ranks show that every run ends."""
    if data.get("version") != 1:
        raise Unusable("not a ranking of version 1")
    ranking = Ranking(horn, data)
    inside = [n for n in ranking.steps if not set(ranking.ends(n)) & ranking.cut_points]
    if ranking.components(inside):
        raise Rejected("a cycle of clauses passes no cut point")
    check_model(horn, data["model"])
    ranking.check(data["nodes"], ranking.steps, [])


# Runs that do not end -------------------------------------------------------------------------------------------------


def check_lasso(horn: Horn, data: Mapping[str, Any]) -> None:
    """Rejected unless the steps are a run that comes to a fact again."""
    clauses, steps, begin = clauses_of(horn), data["steps"], data["endless"]
    if data.get("format") != "chcverify-derivation" or data.get("version") != 3:
        raise Unusable("not a derivation of version 3")
    facts = [_fact(horn, step, data.get("values", [])) for step in steps]
    for number, step in enumerate(steps):
        premises = step["premises"]
        if not all(type(premise) is int and 0 <= premise < number for premise in premises):
            raise Rejected(f"step {number}: a premise does not come before it")
        if not _is_instance(clauses[step["clause"]], [facts[premise] for premise in premises], facts[number]):
            raise Rejected(f"step {number} is no instance of its clause")
    if type(begin) is not int or not 0 <= begin < len(steps) - 1:
        raise Rejected("the cycle does not begin before its end")
    now = len(steps) - 1
    while now > begin and steps[now]["premises"]:
        now = steps[now]["premises"][0]
    if now != begin:
        raise Rejected("the run to the end of the cycle does not pass its beginning")
    if not facts[begin].eq(facts[-1]):
        raise Rejected("the facts at the two ends of the cycle are different")


def _fact(horn: Horn, step: Mapping[str, Any], table: Sequence[str]) -> z3.ExprRef:
    """The fact of a step, with values that are simplified."""
    name = step["predicate"]
    if name not in horn.predicates or horn.predicates[name].arity != len(step["arguments"]):
        raise Rejected(f"{name} with {len(step['arguments'])} arguments is no predicate of the clauses")
    texts = [table[value] if isinstance(value, int) else value for value in step["arguments"]]
    symbol = items(horn.lines[horn.predicates[name].line])[1]
    lines = [line for line in horn.lines if not line.startswith("(assert ")]
    applied = f"({symbol} {' '.join(texts)})" if texts else symbol
    fact = parse([*lines, f"(assert {applied})"], 1)[0]
    return z3.simplify(fact)


def _is_instance(clause: Clause, premises: Sequence[z3.ExprRef], fact: z3.ExprRef) -> bool:
    """True if values of the variables make the atoms these facts, in their order, and the constraint true."""
    if clause.head is None or len(clause.body) != len(premises):
        return False
    parts = [clause.constraint]
    for atom, given in zip([*clause.body, clause.head], [*premises, fact], strict=True):
        if atom.decl() != given.decl():
            return False
        parts += [one == other for one, other in zip(atom.children(), given.children(), strict=True)]
    instance = z3.And(parts)
    solver = z3.Solver()
    solver.set("timeout", 20_000)
    # exists variables. instance
    solver.add(instance)
    if solver.check() != z3.sat:
        return False
    model = solver.model()
    values = [(variable, model.eval(variable, model_completion=True)) for variable in clause.variables]
    return is_unsat(z3.Not(z3.substitute(instance, *values) if values else instance))


def main(arguments: Sequence[str]) -> int:
    """Checks the two files, prints the result, and returns the exit status."""
    if len(arguments) != 2:
        print((__doc__ or "").split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    try:
        certificate, clauses = (Path(path).read_text(encoding="utf-8") for path in arguments)
        data = json.loads(certificate)
        horn = Horn(clauses)
        horn.define_denied_predicates(certificate)
        if data.get("format") == "chcverify-ranking":
            check_ranking(horn, data)
        else:
            check_lasso(horn, data)
    except Rejected as reason:
        print(f"rejected: {reason}")
        return 1
    except (
        Unusable, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, z3.Z3Exception
    ) as error:  # fmt: skip
        print(f"unusable: {error}")
        return 2
    print("accepted")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
