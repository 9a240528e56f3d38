"""Obligations about bit-vectors, floats and arrays of them, refuted by bitwuzla, which reads them as SMT-LIB text.

Like cvc5 (cvc5_checker.py) it works in a process of its own, and only its answer `unsat` counts.
"""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import z3

from chcverify.certificate.kernel.checkers.cvc5_checker import script
from chcverify.certificate.kernel.checkers.cvc5_process import worker_environment
from chcverify.certificate.kernel.checkers.z3_checker import HOLDS, CheckFinding
from chcverify.certificate.kernel.obligation import Obligation
from chcverify.effort import GRACE_S
from chcverify.terms.array_reads import expanded_reads
from chcverify.terms.bitvectors.integers_to_bits import NoBits
from chcverify.terms.bounded_bits import bounded_bits
from chcverify.terms.core.traversal import free_variables, subterms

_COMMAND = (sys.executable, "-P", "-m", "chcverify.certificate.kernel.checkers.bitwuzla_worker")
NOT_FOR_BITWUZLA = CheckFinding("unknown", "not about bit-vectors")
_SORTS = frozenset({z3.Z3_BOOL_SORT, z3.Z3_BV_SORT, z3.Z3_FLOATING_POINT_SORT, z3.Z3_ROUNDING_MODE_SORT})


def available() -> bool:
    """Is bitwuzla installed?"""
    return find_spec("bitwuzla") is not None


def checker() -> str:
    """The name and version of the solver."""
    spec = find_spec("bitwuzla")
    if spec is None or spec.origin is None:
        return "bitwuzla"
    found = sorted(Path(spec.origin).parent.glob("bitwuzla-*.dist-info"))
    found = found or sorted(Path(spec.origin).parent.parent.glob("bitwuzla-*.dist-info"))
    return f"bitwuzla {found[-1].name.removesuffix('.dist-info').partition('-')[2]}" if found else "bitwuzla"


def _query(obligation: Obligation) -> z3.BoolRef | None:
    """The obligation's negation, over bits where it was over bounded integers.

    None if it is not for bitwuzla: it has quantifiers, or speaks of something else than bits and bounded integers.
    """
    with suppress(z3.Z3Exception, NoBits):
        negated = obligation.negated()
        formula = expanded_reads(negated)
        if not all(map(_is_integer_of_variable, subterms(formula))):
            formula, _ = bounded_bits(negated)
        if all(map(_is_integer_of_variable, subterms(formula))):
            return formula
    return None


def _is_integer_of_variable(term: z3.ExprRef) -> bool:
    if not z3.is_app(term):
        return False
    sort = term.sort()
    while sort.kind() == z3.Z3_ARRAY_SORT:
        if sort.domain().kind() not in _SORTS:
            return False
        sort = sort.range()
    return sort.kind() in _SORTS


def discharge(obligations: Sequence[Obligation], deadline: float) -> list[CheckFinding]:
    """bitwuzla's finding for each obligation, in order, one after the other until the deadline (time.monotonic()).
    Stops at the first that fails: the others are then unknown."""
    findings = [CheckFinding("unknown", "not reached in time")] * len(obligations)
    for index, obligation in enumerate(obligations):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        findings[index] = _ask(obligation, left / (len(obligations) - index))
        if findings[index].status == "fails":
            break
    return findings


def _ask(obligation: Obligation, seconds: float) -> CheckFinding:
    query = _query(obligation)
    if query is None:
        return NOT_FOR_BITWUZLA
    try:
        # exists variables. body & constraint & ~head
        text = script(query, free_variables(query))
    except (z3.Z3Exception, ValueError) as error:
        return CheckFinding("unknown", str(error))
    request = json.dumps({"script": text, "milliseconds": max(1, int(1000 * seconds))}).encode()
    try:
        done = subprocess.run(
            _COMMAND,
            input=request,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds + GRACE_S,
            env=worker_environment(),
        )
        reply = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return CheckFinding("unknown", "timeout")
    except (OSError, ValueError) as error:
        return CheckFinding("unknown", f"bitwuzla gave no answer ({error})")
    if reply["answer"] == "unsat":
        return HOLDS
    return (
        CheckFinding("fails", "it does not hold")
        if reply["answer"] == "sat"
        else CheckFinding("unknown", reply["reason"])
    )
