"""Ranks of linked blocks: proofs by the order of addresses are accepted, and there is none where links lead around."""

import time

import pytest
import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.roles import Role
from chcverify.horn.system import Clause, HornSystem, Predicate
from solvers.termination.link_orders import prove_by_links
from solvers.termination.ranking_search import NotFound

STRIDE, NULL = 1 << 48, -(1 << 48)
first, p, end = z3.Ints("first p end")
links = z3.Array("links", z3.IntSort(), z3.IntSort())
ROLES = (Role.SCALAR, Role.ARRAY, Role.END)
SORTS = (z3.IntSort(), links.sort(), z3.IntSort())


def list_system(stored: z3.ArithRef) -> HornSystem:
    """Blocks are allocated, each with a link; then links are followed. stored: the link, of `first` and `end`."""
    build = Predicate("build", SORTS, names=("first", "links", "end"), roles=ROLES)
    walk = Predicate("walk", SORTS, names=("p", "links", "end"), roles=ROLES)
    return HornSystem.of(
        [
            Clause(build(first, links, end), (), z3.And(first == NULL, end == STRIDE)),
            # build(first, links, end) => build(end, links[end := stored], end + STRIDE)
            Clause(
                build(end, z3.Store(links, end, stored), end + STRIDE),
                (build(first, links, end),),
                end < 1000 * STRIDE,
            ),
            Clause(walk(first, links, end), (build(first, links, end),), z3.BoolVal(True)),
            # walk(p, links, end) & p != NULL => walk(links[p], links, end)
            Clause(walk(z3.Select(links, p), links, end), (walk(p, links, end),), p != NULL),
        ]
    )


def true_model(system: HornSystem) -> Model:
    return Model({predicate: z3.BoolVal(True) for predicate in system.predicates})


def test_links_to_older_blocks() -> None:
    system = list_system(first)
    proof = prove_by_links(system, true_model(system), time.monotonic() + 600)
    assert any(z3.is_quantifier(part) for part in proof.model[system.by_name["walk"]].children())
    assert certify(system, proof, time.monotonic() + 600, "off").accepted


def test_a_link_to_the_block_itself() -> None:
    system = list_system(end)
    with pytest.raises(NotFound):
        prove_by_links(system, true_model(system), time.monotonic() + 60)


def test_without_blocks() -> None:
    """Nothing says where what is allocated ends."""
    head = Predicate("head", (z3.IntSort(),))
    system = HornSystem.of([Clause(head(p), (), z3.BoolVal(True)), Clause(head(p - 1), (head(p),), p > 0)])
    with pytest.raises(NotFound, match="no blocks"):
        prove_by_links(system, true_model(system), time.monotonic() + 60)
