"""Closed recurrence sets around a long run: its choices are kept, and a system asks whether the run can then be left.

Chen, Cook, Fuhs, Nimkar, O'Hearn: Proving nontermination via safety (TACAS 2014). The values that the clauses leave
open are constants that the run has chosen. A model of the restricted system is a closed recurrence set: it holds at a
fact of the run, each way on stays in it, and its query says that there always is one.
"""

import itertools
from collections.abc import Sequence

import z3

from chcverify.certificate.derivation import Step
from chcverify.certificate.kernel.runs import ends
from chcverify.certificate.model import Model
from chcverify.certificate.termination import Move, RecurrenceSet
from chcverify.effort import QUESTION_MS
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, conjuncts, free_variables, is_variable, substitute

Pairs = list[tuple[z3.ExprRef, z3.ExprRef]]


def open_variables(clause: Clause) -> tuple[z3.ExprRef, ...]:
    """The variables of a clause that neither its body atoms nor equations in its constraint determine."""
    known = _determined(clause, {a.get_id() for atom in clause.body for a in atom.arguments if is_variable(a)})
    return tuple(variable for variable in clause.variables if variable.get_id() not in known)


def _determined(clause: Clause, given: set[int]) -> dict[int, tuple[z3.ExprRef, z3.ExprRef]]:
    """Variables with what they are equal to, a term over the given ones; those are equal to themselves."""
    known = {v.get_id(): (v, v) for v in clause.variables if v.get_id() in given}
    equations = [part for part in conjuncts(clause.constraint) if z3.is_eq(part)]
    is_changed = True
    while is_changed:
        is_changed = False
        for equation in equations:
            for variable, term in (equation.children(), reversed(equation.children())):
                if not is_variable(variable) or variable.get_id() in known:
                    continue
                if all(other.get_id() in known for other in free_variables(term)):
                    known[variable.get_id()] = variable, substitute(term, known.values())
                    is_changed = True
    return known


@dataclass(frozen=True, eq=False)
class Restriction:
    """A system whose models are closed recurrence sets, and what they are made from."""

    system: HornSystem
    steps: tuple[Step, ...]
    moves: tuple[Move, ...]
    predicates: tuple[Predicate, ...]

    def recurrence(self, model: Model) -> RecurrenceSet:
        """The closed recurrence set of a model of the system."""
        return RecurrenceSet(self.steps, {p: model.interpretations[p] for p in self.predicates}, self.moves)

    @property
    def clauses(self) -> frozenset[int]:
        """The clauses of the steps and moves."""
        return frozenset([*(step.clause for step in self.steps), *(move.clause for move in self.moves)])


def restriction(system: HornSystem, steps: Sequence[Step]) -> Restriction | None:
    """The restriction to the ways that the second half of a run takes; None if it calls what returns, or takes none.

    steps: of the run; the last one is its last.
    """
    chain = [len(steps) - 1] if steps else []
    while chain and steps[chain[-1]].premises:
        chain.append(steps[chain[-1]].premises[0])
    chain.reverse()
    second_half = itertools.pairwise(chain[len(chain) // 2 :])
    used = {steps[number].clause: (steps[before], steps[number]) for before, number in second_half}
    begin = len(chain)
    while begin > 1 and steps[chain[begin - 1]].clause in used:
        begin -= 1
    clauses = [system.clauses[index] for index in used]
    if begin == len(chain) or not used or any(len(clause.body) != 1 for clause in clauses):
        return None
    start = chain[begin - 1]
    predicates = tuple(dict.fromkeys(ends(clause)[0] for clause in clauses))
    found = []
    for index, (before, after) in used.items():
        made = _chosen_move(system.clauses[index], index, before, after)
        if made is None or ends(system.clauses[index])[1] not in predicates:
            return None
        found.append(made)
    head = system.clauses[steps[start].clause].head
    if head is None or head.predicate not in predicates:
        return None
    restricted = _restricted(system, Application(head.predicate, steps[start].arguments), found, predicates)
    return Restriction(restricted, tuple(steps[: start + 1]), tuple(made.move for made in found), predicates)


@dataclass(frozen=True, eq=False)
class _ChosenMove:
    """A move, and all variables of its clause with their values, over the formals of its body atom."""

    move: Move
    values: Pairs


def _chosen_move(clause: Clause, index: int, before: Step, after: Step) -> _ChosenMove | None:
    """The clause with the choices of one of its uses; None if these are not found."""
    source = clause.body[0]
    assert clause.head is not None
    formals: Pairs = []
    for argument, formal in zip(source.arguments, source.predicate.formals, strict=True):
        if is_variable(argument) and all(not argument.eq(other) for other, _ in formals):
            formals.append((argument, formal))
    chosen = _choices(clause, before, after)
    if chosen is None:
        return None
    known = _determined(clause, {variable.get_id() for variable, _ in (*formals, *chosen)})
    if len(known) < len(clause.variables):
        return None
    pairs = [*formals, *chosen]
    values = {key: substitute(term, pairs) for key, (_, term) in known.items()}
    everything = [(variable, values[variable.get_id()]) for variable in clause.variables]
    arguments = tuple(substitute(argument, everything) for argument in clause.head.arguments)
    plain = {
        argument.get_id() for atom in (source, clause.head) for argument in atom.arguments if is_variable(argument)
    }
    open_values = tuple(pair for pair in everything if pair[0].get_id() not in plain)
    return _ChosenMove(Move(index, arguments, open_values), everything)


def _choices(clause: Clause, before: Step, after: Step) -> Pairs | None:
    """The values of the open variables in one use of the clause; None if they are not found in time."""
    wanted = open_variables(clause)
    if not wanted:
        return []
    assert clause.head is not None
    solver = z3.SimpleSolver()
    solver.set("timeout", QUESTION_MS)
    solver.add(clause.constraint)
    for atom, step in ((clause.body[0], before), (clause.head, after)):
        solver.add([given == value for given, value in zip(atom.arguments, step.arguments, strict=True)])
    # exists variables. the clause leads from the one fact to the other
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    return [(variable, model.eval(variable, model_completion=True)) for variable in wanted]


def _restricted(
    system: HornSystem, begin: Application, found: Sequence[_ChosenMove], predicates: Sequence[Predicate]
) -> HornSystem:
    """The fact, a clause for each move, and for each predicate the query whether no move leads on."""
    clauses = [Clause(begin, (), z3.BoolVal(True))]
    leaving: dict[Predicate, list[z3.BoolRef]] = {predicate: [] for predicate in predicates}
    for made in found:
        source, target = ends(system.clauses[made.move.clause])
        variables = _variables(source)
        renaming = list(zip(source.formals, variables, strict=True))
        guard = substitute(_guard(system.clauses[made.move.clause], made.values), renaming)
        leaving[source].append(guard)
        arguments = [substitute(argument, renaming) for argument in made.move.arguments]
        clauses.append(Clause(target(*arguments), (source(*variables),), guard))
    for predicate, guards in leaving.items():
        clauses.append(Clause(None, (predicate(*_variables(predicate)),), z3.Not(z3.Or(guards))))
    return HornSystem.of(clauses, predicates)


def _variables(predicate: Predicate) -> list[z3.ExprRef]:
    return [z3.Const(f"x!{i}", sort) for i, sort in enumerate(predicate.sorts)]


def _guard(clause: Clause, pairs: Pairs) -> z3.BoolRef:
    """When the clause has an instance with these values, over the formals of its body atom."""
    source = clause.body[0]
    fits = [
        substitute(argument, pairs) == formal
        for argument, formal in zip(source.arguments, source.predicate.formals, strict=True)
        if not substitute(argument, pairs).eq(formal)
    ]
    simple: z3.BoolRef = z3.simplify(conjunction([substitute(clause.constraint, pairs), *fits]))
    return simple
