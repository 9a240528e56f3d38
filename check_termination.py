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

Closed recurrence set ("recurrence"): the steps derive a fact that meets the formula of its predicate; and each fact
that meets it has a successor that does: for one of the moves, an instance of its clause leads to the fact with the
arguments that the move gives as terms. So there is a run through facts of the set that does not end.

Lasso ("endless"): each step is an instance of its clause, and the first premises lead from the last step back to the
step where the cycle begins, whose fact is the last step's, too.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import z3

from check_certificate import Horn, Rejected, Unusable, check_model, definitions, exit_status, is_unsat, items, parse

Vector = Sequence[z3.ExprRef]
INSTANCE_MS = 20_000  # for the values of a clause's variables that its atoms do not determine; chosen by hand


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


def terms_over(
    horn: Horn, name: str, texts: Sequence[str], defined: Sequence[str] = ()
) -> tuple[list[z3.ExprRef], list[z3.ExprRef]]:
    """The formals $0, $1, ... of a predicate, and the terms over them that texts stand for.

    defined: definitions of the predicates; without them no text can speak of one.
    """
    if name not in horn.predicates:
        raise Rejected(f"{name} is no predicate of the clauses")
    if any(len(items(f"({text})")) != 1 for text in texts):
        raise Rejected(f"not one term each: {', '.join(texts)[:80]!r}")
    sorts = items(items(horn.lines[horn.predicates[name].line])[2])
    formals = [f"${i}" for i in range(len(sorts))]
    lines = [line for line in horn.lines if not line.startswith(("(declare-fun ", "(assert "))]
    lines += defined
    lines += [f"(declare-fun {formal} () {sort})" for formal, sort in zip(formals, sorts, strict=True)]
    lines += [f"(assert (= {term} {term}))" for term in (*formals, *texts)]
    read = [equation.arg(0) for equation in parse(lines, len(formals) + len(texts))]
    return read[: len(formals)], read[len(formals) :]


# Ranks ----------------------------------------------------------------------------------------------------------------


class Ranking:
    """The proof and its clauses. invariants: for each predicate its arguments as constants, and its formula."""

    def __init__(self, horn: Horn, data: Mapping[str, Any]) -> None:
        self.clauses = clauses_of(horn)
        self.steps = [number for number, clause in enumerate(self.clauses) if clause.body and clause.head is not None]
        self.cut_points = set(data["cut_points"])
        self.horn = horn
        self._ranks: dict[tuple[str, str], tuple[list[z3.ExprRef], z3.ExprRef]] = {}  # that have been read
        defined = list(definitions(data["model"]))
        self.invariants = {name: self._parsed(name, defined) for name in horn.predicates}
        unknown = self.cut_points - horn.predicates.keys()
        if unknown:
            raise Rejected(f"{min(unknown)} is no predicate of the clauses")

    def _parsed(self, name: str, defined: Sequence[str]) -> tuple[list[z3.ExprRef], z3.ExprRef]:
        """The formals $0, $1, ... of a predicate, and its formula by the definitions."""
        symbol = items(self.horn.lines[self.horn.predicates[name].line])[1]
        formals = [f"${i}" for i in range(self.horn.predicates[name].arity)]
        applied = f"({symbol} {' '.join(formals)})" if formals else symbol
        constants, terms = terms_over(self.horn, name, [applied], defined)
        return constants, terms[0]

    def rank(self, node: Mapping[str, Any], name: str, vector: Vector) -> Any:
        """The rank of a fact of a predicate by a node."""
        key = name, node["ranks"][name]
        if key not in self._ranks:
            formals, (term,) = terms_over(self.horn, name, [key[1]])
            if not z3.is_int(term):
                raise Rejected(f"the rank of {name} is no integer")
            self._ranks[key] = formals, term
        formals, term = self._ranks[key]
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


# Closed recurrence sets -----------------------------------------------------------------------------------------------


def check_recurrence(horn: Horn, data: Mapping[str, Any]) -> None:
    """Rejected unless the steps derive a fact of the set, and each fact of the set has a successor in it."""
    facts = check_steps(horn, data, 4)
    clauses, given = clauses_of(horn), data["recurrence"]
    formulas = {name: terms_over(horn, name, [text]) for name, text in given["facts"].items()}
    if not all(z3.is_bool(terms[0]) for _, terms in formulas.values()):
        raise Rejected("the set has no formula of a predicate")

    def holds(fact: z3.ExprRef) -> z3.BoolRef:
        formals, (formula,) = formulas[fact.decl().name()]
        result: Any = z3.substitute(formula, *zip(formals, fact.children(), strict=True)) if formals else formula
        return result  # type: ignore[no-any-return]

    if facts[-1].decl().name() not in formulas or not is_unsat(z3.Not(holds(facts[-1]))):
        raise Rejected("the derived fact is not in the set")
    ways: dict[str, list[z3.BoolRef]] = {name: [] for name in formulas}
    for move in given["moves"]:
        clause = clauses[_index(move["clause"])]
        if clause.head is None or len(clause.body) != 1:
            raise Rejected("a move by a clause that is no step with one body atom")
        source, target = clause.body[0].decl().name(), clause.head.decl().name()
        if source not in formulas or target not in formulas:
            raise Rejected("a move leads from or to a predicate that the set has no facts of")
        ways[source].append(_successor(horn, clause, move, holds))
    for name, (_, (formula,)) in formulas.items():
        if not is_unsat(z3.And(formula, z3.Not(z3.Or(ways[name])))):
            raise Rejected(f"a fact of {name} may have no successor in the set")


def _index(number: Any) -> int:
    if type(number) is not int or number < 0:
        raise Rejected("no index of a clause")
    return number


def _successor(
    horn: Horn, clause: Clause, move: Mapping[str, Any], holds: Callable[[z3.ExprRef], z3.BoolRef]
) -> z3.BoolRef:
    """Over the formals of the body atom's predicate: the move leads to a fact of the set.

    Variables of the clause that are no arguments get the move's values in their order, by their sorts (names may have
    changed). Whatever they get, it is an instance of the clause.
    """
    assert clause.head is not None
    source = clause.body[0].decl().name()
    texts = [*move["arguments"], *(text for _, _, text in move.get("values", []))]
    formals, terms = terms_over(horn, source, texts)
    arguments, spare = terms[: len(move["arguments"])], terms[len(move["arguments"]) :]
    if [term.sort() for term in arguments] != [term.sort() for term in clause.head.children()]:
        raise Rejected("a move has other arguments than the head of its clause")
    values: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}
    for given, value in zip([*clause.body[0].children(), *clause.head.children()], [*formals, *arguments], strict=True):
        if any(given.eq(variable) for variable in clause.variables):
            values.setdefault(given.get_id(), (given, value))
    for variable in clause.variables:
        if variable.get_id() not in values:
            fitting = next((term for term in spare if term.sort() == variable.sort()), None)
            if fitting is None:
                raise Rejected(f"a move has no value for a variable of the sort {variable.sort()}")
            spare.remove(fitting)
            values[variable.get_id()] = variable, fitting
    if spare:
        raise Rejected("a move has values that no variable needs")
    pairs = list(values.values())

    def instance(term: z3.ExprRef) -> Any:
        return z3.substitute(term, *pairs) if pairs else term

    parts = [instance(clause.constraint)]
    for atom, vector in ((clause.body[0], formals), (clause.head, arguments)):
        parts += [instance(given) == value for given, value in zip(atom.children(), vector, strict=True)]
    return z3.And([*parts, holds(clause.head.decl()(*arguments))])


# Runs that do not end -------------------------------------------------------------------------------------------------


def check_lasso(horn: Horn, data: Mapping[str, Any]) -> None:
    """Rejected unless the steps are a run that comes to a fact again."""
    facts, steps, begin = check_steps(horn, data, 3), data["steps"], data["endless"]
    if type(begin) is not int or not 0 <= begin < len(steps) - 1:
        raise Rejected("the cycle does not begin before its end")
    now = len(steps) - 1
    while now > begin and steps[now]["premises"]:
        now = steps[now]["premises"][0]
    if now != begin:
        raise Rejected("the run to the end of the cycle does not pass its beginning")
    if not facts[begin].eq(facts[-1]):
        raise Rejected("the facts at the two ends of the cycle are different")


def check_steps(horn: Horn, data: Mapping[str, Any], version: int) -> list[z3.ExprRef]:
    """The facts of the steps; Rejected unless there are any and each is an instance of its clause."""
    if data.get("format") != "chcverify-derivation" or data.get("version") != version:
        raise Unusable(f"not a derivation of version {version}")
    clauses, steps = clauses_of(horn), data["steps"]
    facts = [_fact(horn, step, data.get("values", [])) for step in steps]
    for number, step in enumerate(steps):
        premises = step["premises"]
        if not all(type(premise) is int and 0 <= premise < number for premise in premises):
            raise Rejected(f"step {number}: a premise does not come before it")
        if not _is_instance(clauses[_index(step["clause"])], [facts[premise] for premise in premises], facts[number]):
            raise Rejected(f"step {number} is no instance of its clause")
    if not facts:
        raise Rejected("there are no steps")
    return facts


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
    solver.set("timeout", INSTANCE_MS)
    # exists variables. instance
    solver.add(instance)
    if solver.check() != z3.sat:
        return False
    model = solver.model()
    values = [(variable, model.eval(variable, model_completion=True)) for variable in clause.variables]
    return is_unsat(z3.Not(z3.substitute(instance, *values) if values else instance))


def main(arguments: Sequence[str]) -> int:
    """Checks the two files, prints the result, and returns the exit status."""
    return exit_status(arguments, __doc__ or "", _check)


def _check(horn: Horn, certificate: str) -> None:
    data = json.loads(certificate)
    if data.get("format") == "chcverify-ranking":
        check_ranking(horn, data)
    elif "recurrence" in data:
        check_recurrence(horn, data)
    else:
        check_lasso(horn, data)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
