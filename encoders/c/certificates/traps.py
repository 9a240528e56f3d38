"""What is not modelled: traps, which no proof covers, and estimates, which no violation may use."""

from dataclasses import replace
from pathlib import Path

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.horn.system import HornSystem
from encoders.c.cfa import ir
from encoders.c.encoding.encoder import ClauseInfo, Encoding

TRAP = "trap"  # the kind of such a clause


def without_traps(encoding: Encoding) -> HornSystem | None:
    """The system of the runs that are modelled, clauses at their indices; None if that are all."""
    left = {index for index, info in enumerate(encoding.infos) if _what(info) is not None}
    if not left:
        return None
    clauses = [
        replace(clause, constraint=z3.BoolVal(False)) if index in left else clause
        for index, clause in enumerate(encoding.system.clauses)
    ]
    return HornSystem.of(clauses, encoding.system.predicates)


def dependence(encoding: Encoding, derivation: Derivation) -> str:
    """What is not modelled in the derivation's run, with its position: `strtod at cJSON.c:378`; "" if all is."""
    for step in derivation.steps:
        for index in [step.clause] if isinstance(step, Step) else [link.clause for link in step.links]:
            what = _what(encoding.infos[index])
            if what is not None:
                clause = encoding.system.clauses[index]
                what = what or clause.name.removeprefix("not modelled: ")
                where = "" if clause.origin is None else f" at {Path(clause.origin.file).name}:{clause.origin.line}"
                return f"{what.removeprefix('call of ')}{where}"
    return ""


def _what(info: ClauseInfo) -> str | None:
    """What the clause stands for, if that is not modelled; "" if its name says more."""
    operation = info.edge.operation if info.edge is not None else None
    if isinstance(operation, ir.Trap):
        return operation.what
    if isinstance(operation, ir.Nondet) and operation.is_estimate:
        return operation.source
    return "" if info.kind == TRAP else None
