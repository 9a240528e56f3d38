"""Runs one generated program three ways and compares: gcc, the interpreter, the encoded clauses."""

import random
import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from chcverify.certificate.check import check_derivation
from encoders.c import ir
from encoders.c.encode import EncodeOptions, encode
from encoders.c.encoding.inputs import ObjectValue, Scalar
from encoders.c.encoding.theory import Inexpressible
from encoders.c.frontend import load_source
from encoders.c.interpret import Execution, Limits, execute
from encoders.c.replay import replay
from encoders.c.types import LP64, CInteger, CType, DataModel

from .generate import NONDET, Generator

GCC = shutil.which("gcc")


@dataclass
class Values:
    """An oracle that returns given numbers, in the type that is asked for."""

    numbers: list[int]
    next: int = 0

    def begin(self, edge: ir.Edge) -> None:
        pass

    def scalar(self, kind: CType) -> Scalar:
        value = self.numbers[self.next % len(self.numbers)]
        self.next += 1
        return kind.wrap(value) if isinstance(kind, CInteger) else 0

    def contents(self) -> ObjectValue:
        return ObjectValue()

    def undefined(self, node: object, kind: CType) -> Scalar:
        return 0

    def unwritten(self, kind: CType, default: Scalar) -> Scalar:
        return default


@dataclass(frozen=True)
class Case:
    """A program with the numbers that it reads."""

    text: str
    outputs: int
    numbers: tuple[int, ...]


def make(seed: int, bits: bool = False) -> Case:
    generator = Generator(seed, bits)
    text = generator.program()
    rng = random.Random(seed + 1)
    pool = (0, 1, -1, 2, 7, 100, -128, 255, 32767, -(1 << 31), (1 << 31) - 1, 1 << 33)
    numbers = tuple(rng.choice(pool) if rng.random() < 0.5 else rng.randint(-50, 50) for _ in range(8))
    return Case(text, generator.outputs, numbers)


def compare(case: Case, model: DataModel = LP64, use_gcc: bool = True) -> list[str]:
    """The mismatches, none if all agree. Without gcc the interpreter's values are the expected ones."""
    expected = run_gcc(case) if use_gcc else run_interpreter(case, model)
    if expected is None:
        return []
    checks = " && ".join(f"out_{i} == ({_literal(value)})" for i, value in enumerate(expected))
    program = load_source(_whole(case, f"if ({checks}) reach_error();"), "generated.c", model)
    execution = execute(program, Values(list(case.numbers)), Limits(steps=100_000))
    if execution.outcome != "error":
        return [f"interpreter: {execution.outcome} {execution.reason}, expected {expected}, {_outputs(execution)}"]
    return [problem for theory in ("lia", "bv") for problem in _clauses(program, execution, theory)]


def _clauses(program: ir.Program, execution: Execution, theory: str) -> list[str]:
    try:
        encoding = encode(program, options=EncodeOptions(theory=theory))
    except Inexpressible:
        return []
    derivation = encoding.derivation_of(execution)
    if derivation is None:
        return [f"{theory}: the clauses do not follow the run"]
    verdict = check_derivation(encoding.system, derivation, time.monotonic() + 60)
    if not verdict.accepted:
        return [f"{theory}: the derivation is refused: {verdict.reason}"]
    again = replay(encoding, derivation)
    return [] if again.outcome == "error" else [f"{theory}: replay ends as {again.outcome} {again.reason}"]


def _literal(value: int) -> str:
    return f"{value}LL" if value > -(1 << 63) else f"(-{(1 << 63) - 1}LL - 1)"


def _whole(case: Case, finish: str) -> str:
    outputs = "".join(f"long long out_{i};\n" for i in range(case.outputs))
    return f"{outputs}void reach_error();\nvoid finish(void) {{ {finish} }}\n{case.text}"


def run_interpreter(case: Case, model: DataModel) -> list[int] | None:
    program = load_source(_whole(case, ""), "generated.c", model)
    execution = execute(program, Values(list(case.numbers)), Limits(steps=100_000))
    return _outputs(execution) if execution.outcome == "end" else None


def _outputs(execution: Execution) -> list[int]:
    found: dict[str, int] = {}
    for step in execution.trace:
        found.update((name, int(value)) for name, value in step.changes if re.fullmatch(r"out_\d+", name))
    return [found[f"out_{i}"] for i in range(len(found))]


def run_gcc(case: Case) -> list[int] | None:
    """The final values that the compiled program prints; None if it does not run to its end."""
    assert GCC is not None
    numbers = ", ".join(_literal(number) for number in case.numbers)
    prints = "".join(f'printf("%lld\\n", out_{i});' for i in range(case.outputs))
    harness = (
        f"int printf(const char *, ...);\nstatic long long values[] = {{{numbers}}};\nstatic int next;\n"
        + "".join(
            f"{kind} __VERIFIER_nondet_{name}(void) {{ return values[next++ % {len(case.numbers)}]; }}\n"
            for kind, name in NONDET.items()
        )
    )
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "p.c"), Path(folder, "p")
        source.write_text(harness + _whole(case, prints))
        command = [GCC, "-std=gnu11", "-w", "-fwrapv", "-O0", "-o", str(binary), str(source)]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        done = subprocess.run([str(binary)], capture_output=True, text=True, timeout=10)
    return [int(line) for line in done.stdout.split()] if done.returncode == 0 else None
