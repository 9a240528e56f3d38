"""The library: what programs call. docs/api.md shows it at work.

Nothing here is believed unchecked either: a result that is safe or unsafe has a certificate that was accepted on the
original clauses. Engines run in forked processes; call from a thread only if no other thread is inside z3.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from chcverify.errors import InputError, require_writable
from chcverify.options import (
    DEFAULT_TIMEOUT,
    Allocations,
    ArrayBounds,
    Assembler,
    CacheOptions,
    CheckOptions,
    EngineOptions,
    InputOptions,
    Limits,
    Options,
    OutputOptions,
    Replay,
    SecondCheck,
    UndefinedFunctions,
    VolatileReads,
)
from chcverify.quick_dataclass import dataclass
from chcverify.results.events import EngineEvent, Listener, PhaseStarted
from chcverify.results.outcome import Outcome
from chcverify.task import DEFAULT_PROPERTIES, Language, Task, resolve

if TYPE_CHECKING:  # their modules import z3, which takes a while
    from chcverify.certificate.derivation import Derivation
    from chcverify.certificate.kernel.policy import Certification
    from chcverify.certificate.model import Model
    from chcverify.horn.system import HornSystem, Origin
    from chcverify.results.result import Result
    from chcverify.transforms.base import BackTranslator

Source = str | os.PathLike[str]
"""A path; or the text itself, a str with a line break."""
_SUFFIX = {"c": ".c", "horn": ".smt2"}


@dataclass(frozen=True)
class Event:
    """Something happened, `seconds` after the start. engine: whose; "" for the run as a whole.

    phase: of the run ("encode", "random runs", "solve", "explain"), or of an engine: "start", "certify", "unknown",
    "refused", or one of its own with its figures.
    """

    seconds: float
    engine: str
    phase: str
    figures: Mapping[str, Any] = field(default_factory=dict)


OnEvent = Callable[[Event], None]


def verify(
    source: Source,
    *,
    language: Language | None = None,
    property: str | None = None,
    data_model: Literal["ILP32", "LP64"] | None = None,
    undefined_functions: UndefinedFunctions | None = None,
    volatile: VolatileReads | None = None,
    assembler: Assembler = "refuse",
    array_bounds: ArrayBounds | None = None,
    malloc: Allocations | None = None,
    all_checks: bool | None = None,
    checks: Sequence[str] = (),
    timeout: float = DEFAULT_TIMEOUT,
    memory: int | None = None,
    jobs: int | None = None,
    seed: int = 0,
    engines: Sequence[str] = (),
    engine_options: Mapping[str, str] | None = None,
    second_check: SecondCheck = "auto",
    replay: Replay = "cfa",
    on_event: OnEvent | None = None,
    report: Source | None = None,
    cache: str | os.PathLike[str] | None = None,
    cache_only: bool = False,
) -> Outcome:
    """Decides a file; returns verdict, certificate, invariants or error trace, and statistics as values.

    source: a C program, Horn clauses or a task, by path or as text. language: of a text, where it does not show.
    property: a name, or several with commas between them. undefined_functions, volatile, assembler, array_bounds,
    malloc: as the options of these names; None for what fits the program's format and the property. all_checks: a
    verdict for each check, in Outcome.checks; None: if several properties are named. checks: patterns of the ids of
    the checks to decide; () for all. timeout in seconds, memory in MB for each process. engines: as after --engine; ()
    is the portfolio. report: where to write the HTML report. cache: the directory of the certificate cache;
    cache_only: no engine is started. InputError for unusable input; everything else that goes wrong is `unknown` with
    its reason.
    """
    from chcverify.run.supervisor import supervise

    started = time.monotonic()
    if report is not None:
        require_writable(os.fspath(report))
    if cache is not None:
        from chcverify.cache.store import require_directory

        require_directory(os.fspath(cache), writable=not cache_only)
    with _as_file(source, language) as (path, shown):
        options = Options(
            InputOptions(
                path,
                property,
                data_model,
                undefined_functions,
                volatile,
                all_checks=all_checks,
                selected_checks=tuple(checks),
                assembler=assembler,
                array_bounds=array_bounds,
                malloc=malloc,
            ),
            Limits.of(timeout, memory, jobs, seed),
            EngineOptions(tuple(engines), dict(engine_options or {})),
            CheckOptions(second_check, replay=replay),
            OutputOptions(report=os.fspath(report) if report is not None else None),
            CacheOptions(os.fspath(cache) if cache is not None else None, cache_only),
        )
        task = resolve(options.input)
        if language and task.language != language:
            task = replace(task, language=language, property=property or DEFAULT_PROPERTIES[language])
        outcome = supervise(task, options, started, _listener(started, on_event))
        if report is not None:
            text = _report(outcome, task).replace(path, shown)
            _write(report, text)
    return _renamed(outcome, path, shown) if path != shown else outcome


def solve(
    system: "HornSystem",
    *,
    timeout: float = DEFAULT_TIMEOUT,
    memory: int | None = None,
    jobs: int | None = None,
    seed: int = 0,
    engines: Sequence[str] = (),
    engine_options: Mapping[str, str] | None = None,
    second_check: SecondCheck = "auto",
    on_event: OnEvent | None = None,
) -> "Result":
    """Safe(model), Unsafe(derivation) or Unknown(reason), the certificate checked on `system` and in its terms.

    Arguments as of `verify`. InputError for engines that do not exist.
    """
    from chcverify.run.driver import decide

    started = time.monotonic()
    options = Options(
        InputOptions(""),
        Limits.of(timeout, memory, jobs, seed),
        EngineOptions(tuple(engines), dict(engine_options or {})),
        CheckOptions(second_check),
    )
    return decide(system, options, started, _listener(started, on_event)).result


def load(
    source: Source,
    *,
    language: Language | None = None,
    property: str | None = None,
    data_model: Literal["ILP32", "LP64"] | None = None,
    undefined_functions: UndefinedFunctions | None = None,
    volatile: VolatileReads | None = None,
    assembler: Assembler = "refuse",
    array_bounds: ArrayBounds | None = None,
    malloc: Allocations | None = None,
) -> "HornSystem":
    """The clauses of a program, a clause file or a task. InputError for unusable input, Refused for what is not
    modelled."""
    from chcverify.problems import c_problem

    with _as_file(source, language) as (path, _):
        options = InputOptions(
            path,
            property,
            data_model,
            undefined_functions,
            volatile,
            assembler=assembler,
            array_bounds=array_bounds,
            malloc=malloc,
        )
        task = resolve(options)
        return c_problem.load(task).system


def check(
    system: "HornSystem",
    certificate: "Model | Derivation",
    *,
    timeout: float = 60.0,
    second_check: SecondCheck = "auto",
) -> "Certification":
    """Checks a certificate of the system; the result has `accepted`, and `reason` if it is not."""
    from chcverify.certificate.kernel.policy import certify

    return certify(system, certificate, time.monotonic() + timeout, second_check)


def reduce(system: "HornSystem") -> "tuple[HornSystem, BackTranslator]":
    """The system as most engines see it, and the back-translation for its models and derivations."""
    from chcverify.transforms.pipeline import default_pipeline

    return default_pipeline().apply(system)


def _listener(started: float, on_event: OnEvent | None) -> Listener:
    def forward(event: EngineEvent | PhaseStarted) -> None:
        if on_event is None:
            return
        seconds = time.monotonic() - started
        if isinstance(event, EngineEvent):
            on_event(Event(seconds, event.engine, str(event.phase), event.figures))
        else:
            on_event(Event(seconds, "", event.phase, {}))

    return forward


@contextmanager
def _as_file(source: Source, language: Language | None) -> Iterator[tuple[str, str]]:
    """(path to read, name to show): a text gets a file of its own for as long as it is needed."""
    if not isinstance(source, str) or "\n" not in source:
        path = os.fspath(source)
        yield path, path
        return
    kind = language or ("horn" if source.lstrip().startswith(("(", ";")) else "c")
    with tempfile.TemporaryDirectory(prefix="chcverify-") as directory:
        name = f"source{_SUFFIX[kind]}"
        path = os.path.join(directory, name)
        Path(path).write_text(source, encoding="utf-8")
        try:
            yield path, name
        except InputError as error:
            if error.file != path:
                raise
            raise InputError(name, error.line, error.column, error.message) from error


def _report(outcome: Outcome, task: Task) -> str:
    from chcverify import __version__
    from chcverify.explain.report import report

    return report(outcome, task, __version__)


def _write(path: Source, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(os.fspath(path), 0, 0, f"cannot be written: {error.strerror or error}") from error


def _renamed(outcome: Outcome, path: str, shown: str) -> Outcome:
    """The outcome with the given name of a text instead of the path of its temporary file."""

    def named(origin: "Origin") -> "Origin":
        return replace(origin, file=shown) if origin.file == path else origin

    return replace(
        outcome,
        reason=outcome.reason.replace(path, shown),
        reasons={label: reason.replace(path, shown) for label, reason in outcome.reasons.items()},
        trace=tuple(replace(step, origin=named(step.origin)) for step in outcome.trace),
        invariants=tuple(replace(item, origin=named(item.origin)) for item in outcome.invariants),
        warnings=tuple(text.replace(path, shown) for text in outcome.warnings),
        assumptions=tuple(replace(a, file=shown) if a.file == path else a for a in outcome.assumptions),
    )
