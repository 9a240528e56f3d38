"""The obligations of closed recurrence sets. docs/certificates.md proves that they are enough."""

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.kernel.certificate_obligations import derivation_obligations
from chcverify.certificate.kernel.instances import Instances
from chcverify.certificate.kernel.obligation import MalformedCertificate, Obligation, describe
from chcverify.certificate.kernel.runs import ends, is_interpreted, is_step
from chcverify.certificate.termination import Move, RecurrenceSet
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.core.traversal import conjunction, free_variables, substitute


def recurrence_obligations(system: HornSystem, recurrence: RecurrenceSet, deadline: float) -> list[Obligation]:
    """Those of the steps; the last fact is in the set; and for each predicate: each fact has a successor in the set.

    MalformedCertificate if the set or a move speaks of more than the arguments of its predicate, or does not fit.
    """
    for predicate, formula in recurrence.facts.items():
        if system.by_name.get(predicate.name) != predicate or not z3.is_bool(formula):
            raise MalformedCertificate(f"the set has no formula of facts of {predicate.name}")
        _check_term(predicate, formula)
    obligations = derivation_obligations(system, Derivation(recurrence.steps), deadline, ends_in_query=False)
    last = recurrence.steps[-1]
    head = system.clauses[last.clause].head
    assert head is not None
    if head.predicate not in recurrence.facts:
        raise MalformedCertificate("the derived fact is of a predicate without a fact in the set")
    # set(the derived fact)
    begin = _at(recurrence, head.predicate, last.arguments)
    obligations.append(Obligation("the derived fact is in the set", lambda: (z3.BoolVal(True), begin), ground=True))
    leaving: dict[Predicate, list[z3.BoolRef]] = {predicate: [] for predicate in recurrence.facts}
    for number, move in enumerate(recurrence.moves):
        source, goal = _successor(system, recurrence, move, f"move {number}")
        leaving[source].append(goal)
    for predicate, goals in leaving.items():
        # set(P) => OR over moves of (instance of the clause & set(head))
        claim = recurrence.facts[predicate], z3.Or(goals)
        name = f"a successor in the set of each fact of {predicate.name}"
        obligations.append(Obligation(name, lambda claim=claim: claim, variables=predicate.formals))  # type: ignore[misc]
    return obligations


def _successor(system: HornSystem, recurrence: RecurrenceSet, move: Move, where: str) -> tuple[Predicate, z3.BoolRef]:
    """The predicate that a move leads from, and when it leads to a fact of the set, over the predicate's formals."""
    if not 0 <= move.clause < len(system.clauses):
        raise MalformedCertificate(f"{where}: there is no clause {move.clause}")
    clause = system.clauses[move.clause]
    where = f"{where} by {describe(move.clause, clause)}"
    if not is_step(clause) or len(clause.body) != 1:
        raise MalformedCertificate(f"{where}: the clause must have one body atom and a head")
    source, target = ends(clause)
    if source not in recurrence.facts or target not in recurrence.facts:
        raise MalformedCertificate(f"{where}: it leads from or to a predicate without a fact in the set")
    if [term.sort() for term in move.arguments] != list(target.sorts):
        raise MalformedCertificate(f"{where}: arguments of {target.name} are expected")
    instances = Instances(clause)
    given = {variable.get_id(): (variable, value) for variable, value in move.values}
    if len(given) != len(move.values) or any(variable.sort() != value.sort() for variable, value in move.values):
        raise MalformedCertificate(f"{where}: a variable has two values, or one of another sort")
    formals = {formal.get_id() for formal in source.formals}
    if given.keys() != {variable.get_id() for variable in instances.locals}:
        raise MalformedCertificate(f"{where}: values are expected of the variables that the atoms do not determine")
    if any(variable.get_id() in formals for variable in instances.locals):
        raise MalformedCertificate(f"{where}: a variable has a name that is taken")
    for term in (*move.arguments, *(value for _, value in move.values)):
        _check_term(source, term)
    _, instance = instances.determined([*source.formals, *move.arguments])
    chosen = [given[variable.get_id()] for variable in instances.locals]
    if chosen:
        instance = substitute(instance, chosen)
    return source, conjunction([instance, _at(recurrence, target, move.arguments)])


def _check_term(predicate: Predicate, term: z3.ExprRef) -> None:
    formals = {formal.get_id() for formal in predicate.formals}
    if not is_interpreted(term) or any(variable.get_id() not in formals for variable in free_variables(term)):
        raise MalformedCertificate(f"a term of {predicate.name} speaks of more than its arguments")


def _at(recurrence: RecurrenceSet, predicate: Predicate, arguments: tuple[z3.ExprRef, ...]) -> z3.BoolRef:
    """The formula of the set about a fact."""
    return substitute(recurrence.facts[predicate], zip(predicate.formals, arguments, strict=True))
