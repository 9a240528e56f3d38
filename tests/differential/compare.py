"""Runs one generated program three ways and compares: gcc, the interpreter, the encoded clauses."""

import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation
from encoders.c.certificates.derivation_replay import replay
from encoders.c.certificates.run_to_derivation import derivation_of_run
from encoders.c.cfa import ir
from encoders.c.encoding.bitvector_integers import BitVectors
from encoders.c.encoding.clause_origins import ClauseKind
from encoders.c.encoding.encoder import EncodeOptions, Encoding, encode
from encoders.c.encoding.integer_theory import NotLinear
from encoders.c.execution.inputs import ObjectValue, Scalar
from encoders.c.execution.interpreter import Execution, ExecutionLimits, execute
from encoders.c.frontend import load_source
from encoders.c.library.model_files import MODELS
from encoders.c.lowering.environment import Surroundings, UndefinedFunctions, VolatileReads
from encoders.c.lowering.operators.conversions import round_to
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import LP64, CFloat, CInteger, CType, DataModel

from .features import Feature, chosen
from .generate import Generator
from .native import literal, outputs, runs

# As gcc sees one whole program: no hardware changes its objects, and there are no other files.
AS_COMPILED = Surroundings(UndefinedFunctions.PURE, VolatileReads.PLAIN)


@dataclass
class Values:
    """An oracle that returns given numbers, in the type that is asked for."""

    numbers: list[int]
    next: int = 0

    argument: bool = False  # of main: where gcc's programs run, their number is 1

    def begin(self, edge: ir.Edge) -> None:
        made = edge.origin is not None and edge.origin.file.startswith(MODELS)  # the strings that main is given
        self.argument = made or (isinstance(edge.operation, ir.Nondet) and edge.operation.source == "main")

    def scalar(self, kind: CType) -> Scalar:
        if self.argument:
            return 1 if isinstance(kind, CInteger) else 0
        value = self.numbers[self.next % len(self.numbers)]
        self.next += 1
        if isinstance(kind, CFloat):
            return float(round_to(Fraction(value), kind))
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


@dataclass(frozen=True)
class Comparison:
    """theories: in which the program was encoded; none if its run is too long or does not end by itself."""

    problems: tuple[str, ...]
    theories: tuple[str, ...]


def make(seed: int, model: DataModel = LP64, features: Sequence[Feature] = ()) -> Case:
    """The program of a seed; every other one has general bit operations. features: to draw from, () for the usual."""
    generator = Generator(seed, features or chosen(model), bits=seed % 2 == 1)
    text = generator.program()
    rng = random.Random(seed + 1)
    pool = (0, 1, -1, 2, 7, 100, -128, 255, 32767, -(1 << 31), (1 << 31) - 1, 1 << 33)
    numbers = tuple(rng.choice(pool) if rng.random() < 0.5 else rng.randint(-50, 50) for _ in range(8))
    return Case(text, generator.outputs, numbers)


def compare(case: Case, model: DataModel = LP64, thorough: bool = True, theory: str = "auto") -> Comparison:
    """The mismatches, none if all agree. Where gcc's programs do not run the interpreter's values are expected.

    thorough: encode in both theories, let the certificate checker judge the derivations, and replay them: most of the
    time. Otherwise the run is followed through the clauses in one theory: `theory`.
    Raises Unsupported where the encoder refuses the program.
    """
    native = runs(model)
    expected = outputs(case.text, case.outputs, case.numbers, model) if native else run_interpreter(case, model)
    if expected is None:
        return Comparison((), ())
    checks = " && ".join(f"out_{i} == ({literal(value)})" for i, value in enumerate(expected))
    program = load_source(_whole(case, f"if ({checks}) reach_error();"), "generated.c", model, surroundings=AS_COMPILED)
    execution = execute(program, Values(list(case.numbers)), ExecutionLimits(steps=100_000))
    if execution.outcome == "limit":
        return Comparison((), ())
    if execution.outcome == "stuck" and execution.last is not None and isinstance(execution.last.operation, ir.Trap):
        raise Unsupported(execution.last.origin, execution.last.operation.what)
    if execution.outcome != "error":
        got = _outputs(execution)
        differ = {f"out_{i}": (a, b) for i, (a, b) in enumerate(zip(expected, got, strict=False)) if a != b}
        return Comparison((f"interpreter: {execution.outcome} {execution.reason}, (gcc, interpreter): {differ}",), ())
    problems, theories = [], []
    for name in ("lia", "bv") if thorough else (theory,):
        try:
            encoding = encode(program, options=EncodeOptions(theory=name))
        except NotLinear:
            continue
        theories.append("bv" if isinstance(encoding.theory, BitVectors) else "lia")
        run = execution
        if encoding.program is not program:  # with loops that clear blocks
            run = execute(encoding.program, Values(list(case.numbers)), ExecutionLimits(steps=100_000))
        if run.outcome == "limit":
            continue
        problems += [f"{theories[-1]}: {problem}" for problem in _clauses(encoding, run, thorough)]
    return Comparison(tuple(problems), tuple(theories))


def _traps(encoding: Encoding) -> list[ir.Edge]:
    """The edges whose operation the encoder does not model in any case: no run goes on behind them."""
    by_kind: dict[bool, list[ir.Edge]] = {True: [], False: []}
    for info in encoding.infos:
        if info.edge is not None:
            by_kind[info.kind is ClauseKind.TRAP].append(info.edge.edge)
    modelled = {id(edge) for edge in by_kind[False]}
    return [edge for edge in by_kind[True] if id(edge) not in modelled]


def _clauses(encoding: Encoding, execution: Execution, thorough: bool) -> list[str]:
    derivation = derivation_of_run(encoding, execution.path, execution.inputs)
    if derivation is None:
        traps = _traps(encoding)
        refused = next((edge for edge in execution.path if edge in traps), None)
        if refused is not None:
            raise Unsupported(refused.origin, "a construct that the clauses do not model")
        return ["the clauses do not follow the run"]
    if not thorough:
        return []
    verdict = check_derivation(encoding.system, derivation, time.monotonic() + 600)
    if not verdict.accepted:
        return [f"the derivation is refused: {verdict.reason}"]
    again = replay(encoding, derivation)
    return [] if again.outcome == "error" else [f"replay ends as {again.outcome} {again.reason}"]


def _whole(case: Case, finish: str) -> str:
    outputs = "".join(f"long long out_{i};\n" for i in range(case.outputs))
    return f"{outputs}void reach_error();\nvoid finish(void) {{ {finish} }}\n{case.text}"


def run_interpreter(case: Case, model: DataModel) -> list[int] | None:
    program = load_source(_whole(case, ""), "generated.c", model, surroundings=AS_COMPILED)
    execution = execute(program, Values(list(case.numbers)), ExecutionLimits(steps=100_000))
    return _outputs(execution) if execution.outcome == "end" else None


def _outputs(execution: Execution) -> list[int]:
    found: dict[str, int] = {}
    for step in execution.trace:
        found.update((name, int(value)) for name, value in step.changes if re.fullmatch(r"out_\d+", name))
    return [found[f"out_{i}"] for i in range(len(found))]
