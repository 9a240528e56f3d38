"""Certificates of termination: right ones are accepted by kernel and stand-alone checker, changed ones by neither."""

import dataclasses
import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import z3

from chcverify.certificate.files.termination_json import certificate_from_text, lasso_to_text, ranking_to_text
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.certificate.termination import Lasso, RankingNode, RankingProof
from chcverify.errors import InputError
from chcverify.horn.io.writer import to_smtlib
from chcverify.horn.system import HornSystem
from tests.chcverify.certificate.termination_systems import endless, nested, phases, recursion, resets

ROOT = Path(__file__).resolve().parents[3]
SYSTEMS = {"nested": nested, "phases": phases, "recursion": recursion, "resets": resets}
EVERY = 12  # of the changed proofs, those that the sample has; all of them are checked with EVERY = 1


def accepted(system: HornSystem, certificate: RankingProof | Lasso, second: str = "off") -> bool:
    return certify(system, certificate, time.monotonic() + 600, second).accepted  # type: ignore[arg-type]


@pytest.mark.parametrize("name", SYSTEMS)
def test_right_proofs_are_accepted_by_both_solvers(name: str) -> None:
    assert accepted(*SYSTEMS[name](), second="require")


def test_a_run_around_a_cycle_is_accepted() -> None:
    assert accepted(*endless(), second="require")


# Changed proofs -------------------------------------------------------------------------------------------------------


def changed_nodes(node: RankingNode) -> Iterator[tuple[str, RankingNode]]:
    """Nodes that prove nothing: the ranks are the smallest that will do, and every clause that can be strict is."""
    replace = dataclasses.replace
    for predicate, rank in node.ranks.items():
        others = {p: r for p, r in node.ranks.items() if p != predicate}
        yield f"no rank of {predicate}", replace(node, ranks=others)
        for name, wrong in wrong_terms(rank, predicate.formals).items():
            yield f"{name} of {predicate}", replace(node, ranks={**node.ranks, predicate: wrong})
    for index in sorted(node.clauses):
        yield f"without clause {index}", replace(node, clauses=node.clauses - {index})
    for index in (0, 1_000):
        yield f"with clause {index}", replace(node, clauses=node.clauses | {index})
        yield f"strict clause {index}", replace(node, strict=node.strict | {index})
    yield "nothing strict", replace(node, strict=frozenset(), children=())
    if node.children:
        yield "all strict", replace(node, strict=node.clauses, children=())
        yield "no children", replace(node, children=())
        yield "children twice", replace(node, children=node.children * 2)
        yield "the node itself below", replace(node, children=(replace(node, children=()),))
    else:
        yield "a child of nothing", replace(node, children=(node,))
    for position, child in enumerate(node.children):
        for name, other in changed_nodes(child):
            children = (*node.children[:position], other, *node.children[position + 1 :])
            yield f"below: {name}", replace(node, children=children)


def wrong_terms(rank: z3.ArithRef, formals: tuple[z3.ExprRef, ...]) -> dict[str, z3.ArithRef]:
    """Terms that do not decrease as the rank does, or not from at least 0."""
    free = z3.Int("free")
    return {
        "negation": -rank,
        "constant": z3.IntVal(3),
        "a free variable": rank + free,
        "an unknown function": rank + z3.Function("f", z3.IntSort(), z3.IntSort())(formals[0]),
        "a far lower rank": rank - 1_000_000,
        "the square": -(rank * rank),
        "the remainder": rank % 2,
        "the half": rank / 4,
        "a real": z3.ToReal(rank),  # type: ignore[dict-item]
        "the other way around": z3.If(rank > 10, -rank, rank),
        "zero below ten": z3.If(rank > 10, rank, z3.IntVal(0)),
        "growing below five": z3.If(rank > 5, rank, 11 - rank),
        "lower by two": rank - 2,
        "the constant -1": z3.IntVal(-1),
        "the minimum with three": z3.If(rank < 3, rank, z3.IntVal(3)),
        "the maximum with three": z3.If(rank > 3, rank, z3.IntVal(3)),
        "the distance from five": z3.If(rank > 5, rank - 5, 5 - rank),
        "twice below four": z3.If(rank < 4, 2 * rank, rank),
        "minus a product": rank - formals[0] * formals[0],
    }


def changed_proofs() -> Iterator[tuple[str, HornSystem, RankingProof]]:
    for system_name, make in SYSTEMS.items():
        system, proof = make()
        replace = dataclasses.replace
        for node_number, node in enumerate(proof.nodes):
            for name, other in changed_nodes(node):
                nodes = (*proof.nodes[:node_number], other, *proof.nodes[node_number + 1 :])
                yield f"{system_name}: {name}", system, replace(proof, nodes=nodes)
        yield f"{system_name}: no nodes", system, replace(proof, nodes=())
        yield f"{system_name}: nodes twice", system, replace(proof, nodes=proof.nodes * 2)
        yield f"{system_name}: no cut points", system, replace(proof, cut_points=frozenset())
        for predicate in sorted(proof.cut_points, key=lambda predicate: predicate.name):
            false = {**proof.model.interpretations, predicate: z3.BoolVal(False)}
            yield f"{system_name}: {predicate} is false", system, replace(proof, model=Model(false))
            missing = {p: f for p, f in proof.model.interpretations.items() if p != predicate}
            yield f"{system_name}: {predicate} is open", system, replace(proof, model=Model(missing))
            free = {**proof.model.interpretations, predicate: z3.Int("free") > 0}
            yield f"{system_name}: {predicate} has a free variable", system, replace(proof, model=Model(free))


def changed_lassos() -> Iterator[tuple[str, HornSystem, Lasso]]:
    system, lasso = endless()
    steps = lasso.steps
    for begin in (-1, *range(1, len(steps) + 1)):
        yield f"the cycle begins at {begin}", system, Lasso(steps, begin)
    for number in range(len(steps)):
        yield f"without step {number}", system, Lasso((*steps[:number], *steps[number + 1 :]), 0)
        for value in (-1, 0, 3, 6):
            if steps[number].arguments[0].as_long() != value:  # type: ignore[attr-defined]
                other = dataclasses.replace(steps[number], arguments=(z3.IntVal(value),))
                yield f"step {number} gives {value}", system, Lasso((*steps[:number], other, *steps[number + 1 :]), 0)
        for clause in (0, 1, 2, 9):
            if clause != steps[number].clause and not (number == 0 and clause == 0):
                other = dataclasses.replace(steps[number], clause=clause)
                yield f"step {number} by {clause}", system, Lasso((*steps[:number], other, *steps[number + 1 :]), 0)
    for end in range(1, len(steps)):
        yield f"ends at {end}", system, Lasso(steps[:end], 0)


PROOFS, LASSOS = list(changed_proofs()), list(changed_lassos())


@pytest.mark.parametrize(("system", "proof"), [p[1:] for p in PROOFS[::EVERY]], ids=[p[0] for p in PROOFS[::EVERY]])
def test_changed_proofs_are_rejected(system: HornSystem, proof: RankingProof) -> None:
    assert not accepted(system, proof)


def test_changed_runs_are_rejected() -> None:
    assert [name for name, system, lasso in LASSOS if accepted(system, lasso)] == []


# Files ----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def alone() -> Callable[[list[str]], int]:
    """The main function of the stand-alone checker."""
    sys.path.insert(0, str(ROOT))
    try:
        spec = importlib.util.spec_from_file_location("check_termination", ROOT / "check_termination.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ROOT))
    main: Callable[[list[str]], int] = module.main
    return main


@pytest.mark.parametrize("name", [*SYSTEMS, "endless"])
def test_files_are_read_and_checked_alone(name: str, tmp_path: Path, alone: Callable[[list[str]], int]) -> None:
    system, certificate = SYSTEMS[name]() if name in SYSTEMS else endless()
    assert alone_status(system, certificate, tmp_path, alone) == 0
    text = text_of(system, certificate)
    assert text_of(system, certificate_from_text(system, text)) == text  # type: ignore[arg-type]


def test_the_checker_alone_rejects_changed_certificates(tmp_path: Path, alone: Callable[[list[str]], int]) -> None:
    changed: list[tuple[str, HornSystem, RankingProof | Lasso]] = [*PROOFS[5 :: 3 * EVERY], *LASSOS[3::EVERY]]
    statuses = {name: alone_status(system, made, tmp_path, alone) for name, system, made in changed}
    assert {name for name, status in statuses.items() if status == 0} == set()


def alone_status(
    system: HornSystem, made: RankingProof | Lasso, folder: Path, alone: Callable[[list[str]], int]
) -> int:
    """The exit status of the checker, 1 for what cannot be written."""
    try:
        (folder / "certificate").write_text(text_of(system, made), encoding="utf-8")
    except IndexError:  # a clause that is not there
        return 1
    (folder / "clauses.smt2").write_text(to_smtlib(system), encoding="utf-8")
    return alone([str(folder / "certificate"), str(folder / "clauses.smt2")])


def text_of(system: HornSystem, made: RankingProof | Lasso) -> str:
    return ranking_to_text(system, made) if isinstance(made, RankingProof) else lasso_to_text(system, made)


@pytest.mark.parametrize(
    "text", ['{"format": "chcverify-ranking"}', '{"endless": 1}', '{"endless": true, "version": 3}']
)
def test_what_is_no_certificate_is_reported(text: str) -> None:
    with pytest.raises(InputError):
        certificate_from_text(endless()[0], text)
