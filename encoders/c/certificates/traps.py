"""Traps: queries for what is not modelled, so that no proof covers runs that come there."""

from dataclasses import replace
from pathlib import Path

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.horn.system import HornSystem
from encoders.c.cfa import ir
from encoders.c.encoding.encoder import ClauseInfo, Encoding

TRAP = "trap"  # the kind of such a clause


def without_traps(encoding: Encoding) -> HornSystem | None:
    """The system with all traps made false, clauses at their indices; None if it has none."""
    traps = {index for index, info in enumerate(encoding.infos) if info.kind == TRAP}
    if not traps:
        return None
    clauses = [
        replace(clause, constraint=z3.BoolVal(False)) if index in traps else clause
        for index, clause in enumerate(encoding.system.clauses)
    ]
    return HornSystem.of(clauses, encoding.system.predicates)


def dependence(encoding: Encoding, derivation: Derivation) -> str:
    """What is not modelled, with its position, if the derivation ends in a trap: `strtod at cJSON.c:378`; else ""."""
    last = derivation.steps[-1] if derivation.steps else None
    if not isinstance(last, Step) or encoding.infos[last.clause].kind != TRAP:
        return ""
    clause = encoding.system.clauses[last.clause]
    what = _named(encoding.infos[last.clause]) or clause.name.removeprefix("not modelled: ")
    where = "" if clause.origin is None else f" at {Path(clause.origin.file).name}:{clause.origin.line}"
    return f"{what.removeprefix('call of ')}{where}"


def _named(info: ClauseInfo) -> str:
    """What the edge itself says."""
    operation = info.edge.operation if info.edge is not None else None
    return operation.what if isinstance(operation, ir.Trap) else ""
