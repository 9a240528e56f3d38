"""Variants of single loops, from the ranks of a proof: a term that each iteration makes smaller, from at least 0."""

from collections.abc import Mapping, Sequence

import z3

from chcverify.certificate.kernel.runs import CutPointPaths, clause_components, ends
from chcverify.certificate.kernel.termination_obligations import decreases
from chcverify.certificate.termination import RankingNode, RankingProof
from chcverify.effort import QUESTION_MS
from chcverify.horn.system import HornSystem, Predicate


def loop_variants(system: HornSystem, proof: RankingProof) -> Mapping[Predicate, z3.ArithRef]:
    """For each cut point whose loop one rank alone ends, that rank over the formals.

    An iteration leads from the cut point back to it and passes no cut point of an outer loop: none that the nodes have
    left out. Loops that need several ranks, compared one after the other, have no variant.
    """
    found: dict[Predicate, z3.ArithRef] = {}
    pending: list[tuple[RankingNode, tuple[RankingNode, ...]]] = [(node, ()) for node in proof.nodes]
    while pending:
        node, above = pending.pop()
        pending += [(child, (*above, node)) for child in node.children]
        below = {end for child in node.children for index in child.clauses for end in ends(system.clauses[index])}
        for predicate in node.ranks.keys() - below:
            if not z3.is_int_value(node.ranks[predicate]) and _is_variant(system, proof, predicate, node, above):
                found[predicate] = node.ranks[predicate]
    return found


def ranks_of_heads(proof: RankingProof) -> Mapping[Predicate, tuple[z3.ArithRef, ...]]:
    """For each cut point the ranks of all nodes around it, but constants.

    From a fact of the cut point to any later one some rank becomes smaller, from at least 0: else neither the nodes
    above nor the last node with this cut point would decrease on the way, which then stays in a child without it.
    """
    found: dict[Predicate, tuple[z3.ArithRef, ...]] = {}
    pending = list(proof.nodes)
    while pending:
        node = pending.pop()
        pending += node.children
        for predicate, rank in node.ranks.items():
            if not z3.is_int_value(rank):
                found[predicate] = (*found.get(predicate, ()), rank)
    return found


def _is_variant(
    system: HornSystem, proof: RankingProof, predicate: Predicate, node: RankingNode, above: Sequence[RankingNode]
) -> bool:
    """True if each iteration uses a strict clause of the node, stays in it, and leaves the ranks above as they are."""
    inside = {end for index in node.clauses for end in ends(system.clauses[index])}
    outer_heads = proof.cut_points - inside
    for outer in above:
        within = [index for index in outer.clauses if not outer_heads.intersection(ends(system.clauses[index]))]
        parts = clause_components(system, within)
        loops = [part for part in parts if any(predicate in ends(system.clauses[index]) for index in part)]
        if any(loop & outer.strict for loop in loops) or _may_decrease(system, proof, node, outer):
            return False
    return True


def _may_decrease(system: HornSystem, proof: RankingProof, node: RankingNode, outer: RankingNode) -> bool:
    """True unless the outer rank stays as it is, or its decrease is below 0, on all paths of the node."""
    for start in {ends(system.clauses[index])[0] for index in node.clauses} & proof.cut_points:
        paths = CutPointPaths(system, proof.model, node.clauses, proof.cut_points, start)
        smaller = [z3.And(paths.reaches(target), decreases(paths, outer, target)) for target in paths.targets]
        solver = z3.SimpleSolver()
        solver.set("timeout", QUESTION_MS)
        solver.add(paths.formula(), z3.Or(smaller))
        # path of the node & the outer rank decreases on it
        if solver.check() != z3.unsat:
            return True
    return False
