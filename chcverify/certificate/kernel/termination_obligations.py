"""The obligations of certificates of termination. docs/certificates.md proves that they are enough."""

import time
from collections.abc import Sequence

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.kernel.certificate_obligations import derivation_obligations, model_obligations
from chcverify.certificate.kernel.obligation import MalformedCertificate, Obligation
from chcverify.certificate.kernel.runs import CutPointPaths, are_cut, clause_components, ends, is_interpreted, is_step
from chcverify.certificate.termination import Lasso, RankingNode, RankingProof
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.core.traversal import conjunction, free_variables, substitute


def ranking_obligations(system: HornSystem, proof: RankingProof) -> list[Obligation]:
    """Those of the model, and for each node and cut point one about the paths from there to the next cut points.

    MalformedCertificate if the nodes are not those of the components, a cycle passes no cut point, or a rank is missing
    or no integer term over its predicate's formals.
    """
    if proof.model.definitions or proof.model.folds:
        raise MalformedCertificate("a proof of termination needs a model without definitions and folds")
    steps = [index for index, clause in enumerate(system.clauses) if is_step(clause)]
    if not are_cut(system, steps, proof.cut_points):
        raise MalformedCertificate("a cycle of clauses passes no cut point")
    obligations = model_obligations(system, proof.model)
    pending: list[tuple[Sequence[RankingNode], list[int], tuple[RankingNode, ...]]] = [(proof.nodes, steps, ())]
    while pending:
        nodes, clauses, above = pending.pop()
        expected = clause_components(system, clauses)
        if len(nodes) != len(expected) or {node.clauses for node in nodes} != set(expected):
            raise MalformedCertificate("the nodes are not those of the components")
        for node in nodes:
            obligations += _node_obligations(system, proof, node, above)
            pending.append((node.children, sorted(node.clauses - node.strict), (*above, node)))
    return obligations


def _node_obligations(
    system: HornSystem, proof: RankingProof, node: RankingNode, above: tuple[RankingNode, ...]
) -> list[Obligation]:
    """above: the nodes around this one, from the outermost."""
    if not node.strict <= node.clauses:
        raise MalformedCertificate("a clause is strict that is not in the component")
    predicates = dict.fromkeys(ends(system.clauses[index])[0] for index in sorted(node.clauses))
    starts = [predicate for predicate in predicates if predicate in proof.cut_points]
    for predicate in starts:
        _check_rank(node, predicate)
    obligations = []
    for start in starts:
        paths = CutPointPaths(system, proof.model, node.clauses, proof.cut_points, start)

        def build(paths: CutPointPaths = paths) -> tuple[z3.BoolRef, z3.BoolRef]:
            return _claim(paths, node, above)

        # Once: the variables of the formula are needed beforehand.
        claim = build()
        name = f"rank from {start.name}" + (f" (level {len(above)})" if above else "")
        obligations.append(Obligation(name, lambda claim=claim: claim, variables=free_variables(*claim)))  # type: ignore[misc]
    return obligations


def _check_rank(node: RankingNode, predicate: Predicate) -> None:
    rank = node.ranks.get(predicate)
    if rank is None or not z3.is_int(rank):
        raise MalformedCertificate(f"no rank for {predicate.name}, or none of integers")
    formals = {formal.get_id() for formal in predicate.formals}
    if any(variable.get_id() not in formals for variable in free_variables(rank)) or not is_interpreted(rank):
        raise MalformedCertificate(f"the rank of {predicate.name} speaks of more than its arguments")


def _claim(paths: CutPointPaths, node: RankingNode, above: tuple[RankingNode, ...]) -> tuple[z3.BoolRef, z3.BoolRef]:
    """Along each path on which no rank above decreases this one does not grow; by a strict clause it decreases."""
    assumptions, goals = [paths.formula()], []
    for target in paths.targets:
        reaches = paths.reaches(target)
        assumptions += [z3.Implies(reaches, z3.Not(decreases(paths, outer, target))) for outer in above]
        # path to target => rank(first) >= rank(last)
        before, after = ranks_of(paths, node, target)
        goals.append(z3.Implies(reaches, before >= after))
        strict = [used for index, used in paths.used.items() if index in node.strict]
        if strict:
            # path to target by a strict clause => rank(first) >= 0 & rank(first) > rank(last)
            goals.append(z3.Implies(z3.And(reaches, z3.Or(strict)), decreases(paths, node, target)))
    return conjunction(assumptions), conjunction(goals)


def ranks_of(paths: CutPointPaths, node: RankingNode, target: Predicate) -> tuple[z3.ArithRef, z3.ArithRef]:
    """The rank of the fact at the start of a path and of that at its end."""
    before = substitute(node.ranks[paths.start], zip(paths.start.formals, paths.first, strict=True))
    after = substitute(node.ranks[target], zip(target.formals, paths.last(target), strict=True))
    return before, after


def decreases(paths: CutPointPaths, node: RankingNode, target: Predicate) -> z3.BoolRef:
    """The rank is at least 0 at the start of the path and smaller at its end."""
    before, after = ranks_of(paths, node, target)
    return z3.And(before >= 0, before > after)


def lasso_obligations(system: HornSystem, lasso: Lasso, deadline: float) -> list[Obligation]:
    """Those of the steps. MalformedCertificate if the run does not come from the fact to itself."""
    obligations = derivation_obligations(system, Derivation(lasso.steps), deadline, ends_in_query=False)
    if not 0 <= lasso.begin < len(lasso.steps) - 1:
        raise MalformedCertificate("the cycle does not begin before its end")
    now, last = len(lasso.steps) - 1, lasso.steps[-1]
    while now > lasso.begin:
        if time.monotonic() > deadline:
            raise MalformedCertificate("out of time")
        premises = lasso.steps[now].premises
        if not premises:
            break
        now = premises[0]
    if now != lasso.begin:
        raise MalformedCertificate("the run to the end of the cycle does not pass its beginning")
    first = lasso.steps[lasso.begin]
    heads = [system.clauses[step.clause].head for step in (first, last)]
    if heads[0] is None or heads[1] is None or heads[0].predicate != heads[1].predicate:
        raise MalformedCertificate("the facts at the two ends of the cycle are of different predicates")
    if not all(one.eq(other) for one, other in zip(first.arguments, last.arguments, strict=True)):
        raise MalformedCertificate("the facts at the two ends of the cycle are different")
    return obligations
