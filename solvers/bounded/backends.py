"""One formula for several solvers side by side: the first that decides it wins."""

import contextlib
import json
import math
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from importlib.util import find_spec
from typing import IO

import z3

from chcverify.certificate.kernel.checkers.cvc5_process import worker_environment
from chcverify.effort import QUESTION_RESOURCES
from chcverify.quick_dataclass import dataclass
from chcverify.terms.bitvectors.integers_to_bits import NoBits
from chcverify.terms.bounded_bits import bounded_bits
from chcverify.terms.core.traversal import free_variables, subterms
from chcverify.terms.printing.smtlib import benchmark, declarations, symbol

_HEAD_START_S = 1.5
"""Seconds of the clock before the next solver joins in. Measured on benchmarks/bounded."""

SOLVER_MB = 1_000
"""Of address space for each solver, beyond what it has mapped when it starts: three of them, and this process, stay
below 4 GB. Formulas of benchmarks/bounded and benchmarks/harnesses need at most 300."""

Values = Mapping[str, z3.ExprRef]


@dataclass(frozen=True)
class BackendAnswer:
    """What solvers answer about a formula."""

    status: str
    """One of "sat", "unsat" and "unknown"."""
    values: Values = field(default_factory=dict)
    """Of constants by name, of a model."""
    solver: str = ""
    """The one whose answer it is."""
    out_of_memory: tuple[str, ...] = ()
    """Solvers that ended for lack of it, where none has an answer."""
    script_bytes: int = 0
    """Of the formula as text, 0 where it was decided without one."""


def decide(
    formula: z3.BoolRef, deadline: float, seed: int = 0, deadline_without_bits: float = math.inf
) -> BackendAnswer:
    """Is the formula satisfiable? deadline: time.monotonic(), when this has returned; the other one holds, too, where
    the formula cannot be brought into bits."""
    quick = decide_here(formula, deadline, seed, QUESTION_RESOURCES)
    if quick.status != "unknown":
        return quick
    formula, names = _bitwise(formula)
    if "bitwuzla" not in (solvers := _solvers(formula)):
        deadline = min(deadline, deadline_without_bits)
    constants = free_variables(formula)
    script = "(set-logic ALL)\n" + benchmark(formula)
    with contextlib.ExitStack() as stack:
        running: dict[IO[bytes], _Process] = {}
        waiting = solvers
        without: tuple[str, ...] = ()
        while time.monotonic() < deadline and (waiting or running):
            if waiting:
                process = stack.enter_context(_Process(waiting.pop(0), script, constants, deadline))
                running[process.output] = process
            seconds = max(0.0, deadline - time.monotonic())
            ready, _, _ = select.select(list(running), [], [], min(seconds, _HEAD_START_S) if waiting else seconds)
            for output in ready:
                answer = running.pop(output).answer(constants)
                without += answer.out_of_memory
                if answer.status != "unknown":
                    return replace(answer, values=_as_integers(answer.values, names), script_bytes=len(script))
        return BackendAnswer("unknown", out_of_memory=without, script_bytes=len(script))


def _bitwise(formula: z3.BoolRef) -> tuple[z3.BoolRef, Mapping[str, z3.ArithRef]]:
    """The formula without integers and tables, and what its constants stand for; as it is if that cannot be."""
    with contextlib.suppress(NoBits):
        return bounded_bits(formula)
    return formula, {}


def _as_integers(values: Values, names: Mapping[str, z3.ArithRef]) -> Values:
    """The values, those of bit-vectors that stand for integers as integers."""
    found = dict(values)
    for name, integer in names.items():
        value = found.pop(name, None)
        if isinstance(value, z3.BitVecNumRef):
            found[str(integer.decl().name())] = z3.IntVal(value.as_signed_long())
    return found


def decide_here(formula: z3.BoolRef, deadline: float, seed: int, resources: int) -> BackendAnswer:
    """By z3 in this process, with that much of its resources."""
    solver = z3.Solver()
    solver.set("timeout", max(1, int(1000 * (deadline - time.monotonic()))))
    solver.set("random_seed", seed)
    solver.set("rlimit", resources)
    solver.add(formula)
    answer = solver.check()
    if answer != z3.sat:
        return BackendAnswer(str(answer), solver="z3")
    model = solver.model()
    constants = [d for d in model.decls() if d.arity() == 0]
    return BackendAnswer("sat", {str(d.name()): model.eval(d(), model_completion=True) for d in constants}, "z3")


def _solvers(formula: z3.BoolRef) -> list[str]:
    """By what the formula is about: bitwuzla knows no integers."""
    kinds = {term.sort().kind() for term in subterms(formula)}
    if kinds & {z3.Z3_INT_SORT, z3.Z3_REAL_SORT, z3.Z3_DATATYPE_SORT}:
        return ["z3", "cvc5"]
    return [*(["bitwuzla"] if find_spec("bitwuzla") is not None else []), "z3", "cvc5"]


class _Process:
    """A solver at work, until the end of the context."""

    def __init__(self, solver: str, script: str, constants: Sequence[z3.ExprRef], deadline: float) -> None:
        self.solver = solver
        names = [str(constant.decl().name()) for constant in constants]
        milliseconds = max(1, int(1000 * (deadline - time.monotonic())))
        pipe = subprocess.PIPE
        command, environment = (sys.executable, "-P", "-m", "solvers.bounded.worker", solver), worker_environment()
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment)
        assert self._process.stdin is not None and self._process.stdout is not None
        self.output: IO[bytes] = self._process.stdout
        request = {"script": script, "values": names, "milliseconds": milliseconds, "megabytes": SOLVER_MB}
        with contextlib.suppress(OSError):
            self._process.stdin.write(json.dumps(request).encode())
            self._process.stdin.close()

    def __enter__(self) -> "_Process":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self.output.close()

    def answer(self, constants: Sequence[z3.ExprRef]) -> BackendAnswer:
        """What it says, once its output is ready."""
        text = self.output.read()
        if not text:
            return BackendAnswer("unknown", solver=self.solver, out_of_memory=(self.solver,))
        try:
            reply = json.loads(text)
            return BackendAnswer(reply["answer"], _parsed(reply["values"], constants), self.solver)
        except (ValueError, KeyError, z3.Z3Exception):
            return BackendAnswer("unknown", solver=self.solver)


def _parsed(texts: Mapping[str, str], constants: Sequence[z3.ExprRef]) -> Values:
    found = [constant for constant in constants if str(constant.decl().name()) in texts]
    if not found:
        return {}
    names = [str(constant.decl().name()) for constant in found]
    lines = [f"(assert (= {symbol(name)} {texts[name]}))" for name in names]
    prelude = declarations(constant.sort() for constant in found)
    known = {name: constant.decl() for name, constant in zip(names, found, strict=True)}
    parsed = z3.parse_smt2_string(prelude + "\n".join(lines), decls=known)
    return {name: equation.arg(1) for name, equation in zip(names, parsed, strict=True)}
