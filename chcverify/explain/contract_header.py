"""A header with contracts of functions, in ACSL: what was inferred of their calls."""

import os
import re
from collections.abc import Mapping, Sequence

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckStatus, CheckVerdict, ViolationClass
from chcverify.results.entry_function import EntryFunction
from chcverify.results.outcome import Outcome

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(<[^>\n]+>|"[^"\n]+\.h")', re.MULTILINE)
_TAG = re.compile(r"\b(struct|union)\s+([A-Za-z_]\w*)")


@dataclass(frozen=True)
class PublicFunction:
    """A function that other files may call. prototype: its declaration. outcome: with its precondition."""

    entry: EntryFunction
    prototype: str
    outcome: Outcome


def contract_header(functions: Sequence[PublicFunction], texts: Mapping[str, str], path: str) -> str:
    """The text of the header. texts: of the files, by name. path: of the header, "" if it has none.

    It includes what the files include, and declares the structures that only they define.
    """
    name = re.sub(r"\W", "_", os.path.basename(path) or "contracts.h").upper()
    included = dict.fromkeys(match for text in texts.values() for match in _INCLUDE.findall(text))
    tags = dict.fromkeys(f"{kind} {tag};" for f in functions for kind, tag in _TAG.findall(f.prototype))
    lines = [
        "/* What callers must guarantee, inferred by chcverify. Each clause is proved sufficient for the checks that",
        "   no comment names: objects behind different pointers are apart from each other, variables have their",
        "   initial values, and pointers in objects are null or lead to new objects. */",
        f"#ifndef {name}",
        f"#define {name}",
        "",
        *(f"#include {what}" for what in included),
        *([""] if included else []),
        *tags,
        *([""] if tags else []),
    ]
    for function in functions:
        lines += [*_notes(function), *_clause(function), function.prototype, ""]
    return "\n".join([*lines, "#endif", ""])


def _clause(function: PublicFunction) -> list[str]:
    found = function.outcome.precondition
    return [] if found is None or not found.is_proved else [f"/*@ {found.text} */"]


def _notes(function: PublicFunction) -> list[str]:
    """Comments about what the clause does not exclude."""
    outcome = function.outcome
    notes = [
        f"violated by calls that keep this: {_shown(verdict)}"
        for verdict in outcome.checks
        if verdict.status is CheckStatus.VIOLATED and verdict.meets is ViolationClass.MANIFEST
    ]
    notes += [
        f"violated, and no precondition is known: {_shown(verdict)}"
        for verdict in outcome.checks
        if verdict.status is CheckStatus.VIOLATED and verdict.meets is ViolationClass.OPEN
    ]
    precondition = outcome.precondition
    if precondition is not None and not precondition.is_proved:
        clauses = " && ".join(precondition.requires)
        notes.append(f"not proved sufficient ({precondition.note}): requires {clauses or 'more than is known'}")
    unknown = [verdict for verdict in outcome.checks if verdict.status is CheckStatus.UNKNOWN]
    if unknown:
        notes.append(f"not decided: {len(unknown)} of {len(outcome.checks)} checks, the first: {_shown(unknown[0])}")
    elif not outcome.checks and outcome.status == "unknown":
        notes.append(f"not decided: {outcome.reason}")
    elif not notes and precondition is None:
        notes.append(f"nothing: its {len(outcome.checks)} checks hold in all calls" if outcome.checks else "nothing")
    return [f"/* {note.replace('*/', '* /')} */" for note in notes]


def _shown(verdict: CheckVerdict) -> str:
    check = verdict.check
    return f"{os.path.basename(check.origin.file)}:{check.origin.line}: {check.kind.value}: {check.text}"
