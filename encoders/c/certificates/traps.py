"""What is not modelled: traps, which no proof covers, and estimates, which no violation may use."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.horn.system import HornSystem
from chcverify.results.checks import Check
from encoders.c.analysis.regions import BYTE_CELL
from encoders.c.cfa import ir
from encoders.c.cfa.program_checks import checks_of, user_position
from encoders.c.cfa.trap_continuations import Position, Positions
from encoders.c.encoding.clause_origins import ClauseInfo, ClauseKind
from encoders.c.encoding.encoder import Encoding
from encoders.c.types.c_types import CPointer, CType


def of_checks(encoding: Encoding, program: ir.Program, positions: Positions, keeps_traps: bool = False) -> Encoding:
    """The encoding of the same program in which other checks are assumed, of one whose runs end at violations.

    Where the clauses that derive a violation of these are left out, only runs without such a violation remain, since no
    run goes on behind one. So are traps behind which no run comes to a check that is not assumed: what a run does
    before it comes to a trap is modelled, and what it does after that violates none of these checks.
    positions: of the program that was encoded. keeps_traps: all of them.
    """
    infos = encoding.infos
    kept = [i for i, info in enumerate(infos) if info.check is None or info.check not in program.assumed]
    if not keeps_traps and any(info.kind is ClauseKind.TRAP for info in infos):
        checks = [check for check in checks_of(encoding.program) if check not in program.assumed]
        seen = [_position(info) for i in kept if (info := infos[i]).check is not None]
        before = positions.before(checks, seen)
        kept = [
            i for i in kept if infos[i].kind is not ClauseKind.TRAP or before is None or _position(infos[i]) in before
        ]
    system = HornSystem.of([encoding.system.clauses[i] for i in kept], encoding.system.predicates)
    return replace(encoding, program=program, system=system, infos=tuple(infos[i] for i in kept))


class TrapsBefore:
    """The first trap behind which a run may come to a check, for each check of a program.

    excluded: indices of clauses, whose traps no run comes to.
    """

    def __init__(self, encoding: Encoding, positions: Positions, excluded: Collection[int] = ()) -> None:
        infos = encoding.infos
        self._encoding = encoding
        self._traps = [
            index for index, info in enumerate(infos) if info.kind is ClauseKind.TRAP and index not in excluded
        ]
        self._first = positions.first_to([_position(infos[index]) for index in self._traps])
        self._seen: dict[Check, set[Position]] = {}
        for info in infos:
            if self._traps and info.check is not None:
                self._seen.setdefault(info.check, set()).add(_position(info))

    def description(self, check: Check) -> str:
        """What that trap stands for, with its position; "" if there is none."""
        number = self._first.of(check, self._seen.get(check, ()))
        return "" if number is None else _trap_at(self._encoding, self._traps[number])

    def without(self, checks: Sequence[Check]) -> tuple[Check, ...]:
        """Those of the checks to which no run comes behind a trap."""
        return tuple(check for check in checks if self._first.of(check, self._seen.get(check, ())) is None)


def left_out(whole: Encoding, part: Encoding) -> str:
    """The first trap that `of_checks` left out, with its position; "" if there is none."""
    left = {id(info) for info in part.infos}
    for index, info in enumerate(whole.infos):
        if info.kind is ClauseKind.TRAP and id(info) not in left:
            return _trap_at(whole, index)
    return ""


def _position(info: ClauseInfo) -> Position:
    """Where a clause's edge begins. Failures and traps are of edges."""
    assert info.edge is not None
    return info.edge.frame.function.name, info.edge.edge.source


def _trap_at(encoding: Encoding, index: int) -> str:
    return _description(encoding, index, _what(encoding.infos[index]) or "")


def _description(encoding: Encoding, index: int, what: str) -> str:
    """What is not modelled, and where the user reads it."""
    clause, edge = encoding.system.clauses[index], encoding.infos[index].edge
    what = what or clause.name.removeprefix("not modelled: ")
    origin = clause.origin if edge is None else user_position(edge)[0]
    where = "" if origin is None else f" at {Path(origin.file).name}:{origin.line}"
    return f"{what.removeprefix('call of ')}{where}"


def without_traps(encoding: Encoding) -> HornSystem | None:
    """The system of the runs that are modelled, clauses at their indices; None if that are all.

    A run ends where it comes to what is not modelled, and at a check that is open there.
    """
    if all(_what(info) is None and not info.open_failures for info in encoding.infos):
        return None
    clauses = []
    for clause, info in zip(encoding.system.clauses, encoding.infos, strict=True):
        if _what(info) is not None:
            clause = replace(clause, constraint=z3.BoolVal(False))
        elif info.open_failures:  # constraint and not failure and not failure ...
            excluded = [z3.Not(failure.condition) for failure in info.open_failures]
            clause = replace(clause, constraint=z3.And(clause.constraint, *excluded))
        clauses.append(clause)
    return HornSystem.of(clauses, encoding.system.predicates)


def dependence(encoding: Encoding, derivation: Derivation) -> str:
    """What is not modelled in the derivation's run, with its position: `strtod at cJSON.c:378`; "" if all is."""
    source = ""
    for step in derivation.steps:
        for index in [step.clause] if isinstance(step, Step) else [link.clause for link in step.links]:
            info = encoding.infos[index]
            what = _what(info)
            if what is not None:
                return source if is_open(info) and source else _description(encoding, index, what)
            made = _makes_pointers(info)
            source = _description(encoding, index, made) if made else source
    return source


def open_checks(encoding: Encoding, derivation: Derivation) -> tuple[Check, ...]:
    """The checks whose violation a derivation derives, each with another last step: where it ends, and where it passes.

    Where the last step is of an access, the other checks of that access that are open are among them. () where the
    derivation ends in what is not modelled itself.
    """
    last = derivation.steps[-1]
    ended = encoding.infos[last.clause] if isinstance(last, Step) else None
    if ended is None or ended.check is None:
        return ()
    found = {ended.check: None}
    for step in derivation.steps:
        if isinstance(step, Step):
            found.update(dict.fromkeys(_open_checks_at(encoding, derivation, step)))
    if ended.failure is not None and ended.failure.is_open:
        same = (info for info in encoding.infos if info.edge is ended.edge and is_open(info))
        for info in same:
            if info.check is not None and _condition(info).eq(_condition(ended)):
                found[info.check] = None
    return tuple(found)


def _condition(info: ClauseInfo) -> z3.BoolRef:
    assert info.failure is not None
    return info.failure.condition


def _open_checks_at(encoding: Encoding, derivation: Derivation, step: Step) -> Iterator[Check]:
    """The checks that are open where a step passes: for the state before it, their failures hold."""
    info, body = encoding.infos[step.clause], encoding.system.clauses[step.clause].body
    if not info.open_failures or info.edge is None or len(body) != 1:
        return
    before = derivation.steps[step.premises[0]]
    if not isinstance(before, Step):
        return
    state = list(zip(body[0].arguments, before.arguments, strict=True))
    origin, text = user_position(info.edge)
    for failure in info.open_failures:
        # failure(state)
        if failure.kind is not None and z3.is_true(z3.simplify(z3.substitute(failure.condition, state))):
            yield Check(origin, failure.kind, text)


def is_open(info: ClauseInfo) -> bool:
    """True for a clause that derives the violation of a check that is not known to hold."""
    return info.failure is not None and info.failure.is_open


def _holds_pointers(kind: CType) -> bool:
    return isinstance(kind, CPointer) or kind == BYTE_CELL


def _makes_pointers(info: ClauseInfo) -> str:
    """What makes pointers in the clause about which nothing is known; "" if nothing does."""
    operation = info.edge.operation if info.edge is not None else None
    if isinstance(operation, ir.Havoc) and any(_holds_pointers(choice.type) for choice in info.inputs):
        return f"what {operation.function}, which has no body, does to pointers"
    if isinstance(operation, ir.Nondet) and operation.is_unknown:
        return f"a pointer from {operation.source}, which has no body"
    return ""


def _what(info: ClauseInfo) -> str | None:
    """What the clause stands for, if that is not modelled; "" if its name says more."""
    operation = info.edge.operation if info.edge is not None else None
    if isinstance(operation, ir.Trap):
        return operation.what
    if isinstance(operation, ir.Nondet) and operation.is_estimate:
        return operation.source
    return "" if info.kind is ClauseKind.TRAP or is_open(info) else None
