"""Closed recurrence sets: right ones are accepted by kernel and stand-alone checker, changed ones by neither."""

import dataclasses
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import z3

import check_termination
from chcverify.certificate.derivation import Step
from chcverify.certificate.files.termination_json import certificate_from_text, recurrence_to_text
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.termination import RecurrenceSet
from chcverify.errors import InputError
from chcverify.horn.io.writer import to_smtlib
from chcverify.horn.system import HornSystem
from tests.chcverify.certificate.termination_systems import wrapping


def accepted(system: HornSystem, certificate: RecurrenceSet, second: str = "off") -> bool:
    return certify(system, certificate, time.monotonic() + 600, second).accepted  # type: ignore[arg-type]


def alone(system: HornSystem, text: str, folder: Path) -> int:
    (folder / "certificate").write_text(text, encoding="utf-8")
    (folder / "clauses.smt2").write_text(to_smtlib(system), encoding="utf-8")
    return check_termination.main([str(folder / "certificate"), str(folder / "clauses.smt2")])


def test_a_right_set_is_accepted_by_all_and_survives_its_file(tmp_path: Path) -> None:
    system, made = wrapping()
    assert accepted(system, made, "require")
    text = recurrence_to_text(system, made)
    read = certificate_from_text(system, text)
    assert isinstance(read, RecurrenceSet) and recurrence_to_text(system, read) == text
    assert accepted(system, read)
    assert alone(system, text, tmp_path) == 0


def changed_sets() -> Iterator[tuple[str, RecurrenceSet]]:
    _, made = wrapping()
    replace = dataclasses.replace
    head, body = made.facts
    for name, facts in {
        "a fact too many": {**made.facts, body: body.formals[0] >= 0},
        "the start is missing": {**made.facts, head: z3.And(made.facts[head], head.formals[0] != 0)},
        "a successor is missing": {**made.facts, head: z3.And(made.facts[head], head.formals[0] != 100)},
        "out of the word": {**made.facts, head: head.formals[0] >= 0},
        "no body": {head: made.facts[head]},
        "empty": {head: z3.BoolVal(False), body: z3.BoolVal(False)},
        "a free variable": {**made.facts, head: z3.And(made.facts[head], z3.Int("free") == z3.Int("free"))},
        "a formula of the other's argument": {**made.facts, head: body.formals[1] == body.formals[1]},
    }.items():
        yield name, replace(made, facts=facts)
    first, second = made.moves
    for name, moves in {
        "no moves": (),
        "only the first": (first,),
        "only the second": (second,),
        "an input that leads out": (replace(first, arguments=(head.formals[0], z3.IntVal(3))), second),
        "an input that no instance has": (replace(first, values=((z3.Int("r"), z3.IntVal(4)),)), second),
        "no value": (replace(first, values=()), second),
        "two values": (replace(first, values=first.values * 2), second),
        "a value of another sort": (replace(first, values=((z3.Int("r"), z3.BoolVal(True)),)), second),
        "a wrong successor": (first, replace(second, arguments=(body.formals[0] + 2,))),
        "an argument too many": (first, replace(second, arguments=second.arguments * 2)),
        "a fact as a move": (replace(first, clause=0), second),
        "clauses exchanged": (replace(first, clause=2), replace(second, clause=1)),
        "no such clause": (first, replace(second, clause=9)),
        "an argument of no predicate": (first, replace(second, arguments=(z3.Int("free"),))),
    }.items():
        yield name, replace(made, moves=moves)
    yield "no steps", replace(made, steps=())
    yield "a step that is none", replace(made, steps=(Step(0, (z3.IntVal(2),), ()),))


CHANGED = list(changed_sets())


@pytest.mark.parametrize("made", [made for _, made in CHANGED], ids=[name for name, _ in CHANGED])
def test_changed_sets_are_rejected_by_all(made: RecurrenceSet, tmp_path: Path) -> None:
    system, _ = wrapping()
    assert not accepted(system, made)
    try:
        text = recurrence_to_text(system, made)
    except IndexError:  # a clause that is not there
        return
    assert alone(system, text, tmp_path) != 0


@pytest.mark.parametrize(
    "text", ['{"version": 4, "recurrence": {}}', '{"version": 3, "recurrence": {"facts": {}, "moves": []}}']
)
def test_what_is_no_set_is_reported(text: str) -> None:
    with pytest.raises(InputError):
        certificate_from_text(wrapping()[0], text)
