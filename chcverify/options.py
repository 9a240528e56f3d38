"""The options of a run: one frozen dataclass per component. Plain values only, so that they travel to workers."""

import os
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Literal

from chcverify.quick_dataclass import dataclass

SecondCheck = Literal["auto", "require", "off"]
Replay = Literal["cfa", "native"]

UndefinedFunctions = Literal["pure", "havoc", "refuse"]
VolatileReads = Literal["fresh", "plain"]
Assembler = Literal["refuse", "outputs"]
ArrayBounds = Literal["inner", "object"]
Allocations = Literal["may-fail", "never-fails"]
GlobalValues = Literal["initial", "arbitrary"]

MEGABYTE = 1 << 20
"""Bytes; limits of memory are in megabytes."""
DEFAULT_TIMEOUT = 900.0
"""Seconds of the clock, as in SV-COMP; not measured."""


@dataclass(frozen=True)
class SourceFile:
    """A C file with the flags of its preprocessor, each option and its argument one word (`-Iinclude`, `-DN=3`)."""

    path: str
    flags: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    """Its functions whose bodies do not count."""
    shadowed: bool = False
    """Do definitions of functions in the other files, those that are shadowed as well excepted, take the place of its
    own ones?"""
    only_contracts: bool = False
    """Is it a header from which only the contracts in comments are read?"""


@dataclass(frozen=True)
class HarnessOptions:
    """The calls that are assumed of a function where verification begins."""

    null: bool = False
    """May pointers that it is given be null?"""
    alias: bool = False
    """May two arguments of one type point to one object?"""
    depth: int = 1
    """Levels of objects behind pointers in objects; pointers of the last level are null."""
    globals: GlobalValues = "initial"
    """The values of variables with static storage."""
    contracts: bool = False
    """Are annotations in comments read?"""
    strings: bool = False
    """Do pointers to char lead to strings that end in their objects?"""
    sizes: bool = False
    """Is an integer behind a pointer that is named like a size at most the number of elements?"""
    uses: tuple[str, ...] = ()
    """Functions whose contracts stand for their bodies."""
    modular: bool = False
    """All contracts with a clause assigns stand for bodies, too; a function with such a contract is shown to keep it
    for all calls that this allows, where verification begins with it. The other options have no meaning then."""
    requires: tuple[str, ...] = ()
    """Predicates of ACSL that hold of the call, besides its contract."""
    observed: tuple[str, ...] = ()
    """Other predicates whose values at the call are in traces, in variables named by `observed_name`."""
    refuted: bool = False
    """Is the call itself a violated assertion, which shows that there is one?"""
    asserts: bool = False
    """Do the assertions hold that a function begins with and that are about its parameters alone?"""


def observed_name(number: int) -> str:
    """The variable of a harness that has the value of the predicate with this number among HarnessOptions.observed."""
    return f"chcverify_observed_{number}"


@dataclass(frozen=True)
class BoogieOptions:
    """How a Boogie program is read."""

    ignore_invariants: bool = False
    """Without the invariants of its loops, but for those that are free."""
    infer_modifies: bool = False
    """Procedures modify what their bodies, and those of the procedures that they call, assign."""
    inline_depth: int = 0
    """Of calls of procedures without `{:inline}`."""
    only_stated: bool = False
    """Bodies with loops are decided by what they state alone, without a search for invariants."""
    summaries: bool = False
    """Calls of procedures with one body lead into it and back, over a predicate; contracts are checked there."""


@dataclass(frozen=True)
class InputOptions:
    """The input to decide."""

    path: str
    property: str | None = None
    """Of .prp files or by names, with commas between them; None: that of the task or of the kind of input."""
    data_model: str | None = None  # "ILP32", "LP64"; None: the task's, else LP64
    undefined_functions: UndefinedFunctions | None = None  # what they may change; None: by the program's format
    volatile: VolatileReads | None = None  # what reads of volatile objects give; None: by the program's format
    all_checks: bool | None = None
    """Decide each check on its own; None: if several properties are asked for."""
    selected_checks: tuple[str, ...] = ()
    """Patterns of checks' ids; () for all."""
    sources: tuple[SourceFile, ...] = ()
    """The C files of the program with their flags, the one at `path` first; (): only that."""
    flags: tuple[str, ...] = ()
    """For the file that a task definition names."""
    stubs: str | None = None
    """A directory whose f.c defines f, if nothing else does."""
    entries: tuple[str, ...] = ()
    """Functions where verification begins, or patterns of their names; (): main."""
    harness: HarnessOptions = field(default_factory=HarnessOptions)
    assembler: Assembler = "refuse"  # what assembler statements do: not modelled, or any values for their outputs
    array_bounds: ArrayBounds | None = None  # what an index must not leave; None: by the property
    malloc: Allocations | None = None  # may allocations fail? None: by the program's format and the property
    boogie: BoogieOptions = field(default_factory=BoogieOptions)
    interrupts: tuple[str, ...] = ()
    """Functions that may interrupt main."""


PATIENCE_SHARE = 0.1
"""The default patience with each of several functions, as a share of the timeout. Chosen by hand; with it 2 % of the
verdicts of five public projects were lost (112 of 4,631, 20 s a function, on a busy machine)."""


@dataclass(frozen=True)
class Limits:
    """What a run may use."""

    timeout: float = DEFAULT_TIMEOUT
    """Seconds for the whole run."""
    memory: int | None = None
    """MB for each process; None for no limit."""
    jobs: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Processes that are busy at the same time."""
    seed: int = 0
    """Of all random choices."""
    patience: float | None = None
    """Where each check gets a verdict: seconds of the processor without a verdict after which the open checks of a
    function are given up. 0: never. None: a tenth of the timeout for each of several functions, never for one."""

    @property
    def check_processes(self) -> int:
        """How many processes may check one certificate."""
        return min(2, self.jobs)

    @classmethod
    def of(
        cls,
        timeout: float,
        memory: int | None = None,
        jobs: int | None = None,
        seed: int = 0,
        patience: float | None = None,
    ) -> "Limits":
        """The limits of a run. jobs: None for one per processor."""
        if jobs:
            return cls(timeout, memory, jobs, seed, patience)
        return cls(timeout, memory, seed=seed, patience=patience)

    def of_each(self, count: int) -> "Limits":
        """The limits of the run of each of several functions, by their number."""
        if self.patience is not None or count < 2:
            return self
        return replace(self, patience=PATIENCE_SHARE * self.timeout)

    @property
    def reserve(self) -> float:
        """Seconds between the last accepted certificate and the limit: for the explanation, replay included."""
        return min(1.0, 0.03 * self.timeout)


@dataclass(frozen=True)
class EngineOptions:
    """The engines that run."""

    names: tuple[str, ...] = ()
    """() for the portfolio."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Of --engine-option, by name."""
    schedule: str | None = None
    """The file of a tuned schedule for the portfolio, None for the hand-made one."""
    without: tuple[str, ...] = ()
    """Names of engines that the portfolio does not run."""


@dataclass(frozen=True)
class CheckOptions:
    """How answers are checked."""

    second: SecondCheck = "auto"
    """The role of the second certificate checker."""
    debug_transforms: bool = False
    """Check certificates after every transform."""
    replay: Replay = "cfa"
    """"native" if a native run must confirm a violation, besides the execution of the program's automata."""
    cross_check: bool = False
    """Two engines must answer and agree."""
    preconditions: bool | None = None
    """Infer under which calls of an entry its checks hold; None: where there are several entries with a verdict for
    each check."""
    tested: bool = False
    """Runs that violate checks were looked for before, where each check gets a verdict."""


@dataclass(frozen=True)
class CacheOptions:
    """directory: of the certificate cache, None for none. only: answer from it or `unknown`, start no engine.

    retry: decide again what a run with no smaller limits left undecided.
    """

    directory: str | None = None
    only: bool = False
    retry: bool = False


@dataclass(frozen=True)
class OutputOptions:
    """Files to write, None: not."""

    certificate: str | None = None
    certificates: str | None = None
    """The directory for the certificate of each check; with several entries, one in it for each function."""
    witness: str | None = None
    witness_version: str = "2.0"
    sarif: str | None = None
    """SARIF, for editors."""
    junit: str | None = None
    """JUnit, for continuous integration."""
    table: str | None = None
    """Of the functions of --entry, Markdown or JSON."""
    baseline: str | None = None
    """Findings that are not reported again."""
    write_baseline: str | None = None
    """The file for the findings of this run."""
    test: str | None = None
    """A program that fails as the error trace does."""
    report: str | None = None
    stats: str | None = None
    trace: str | None = None
    """The error trace or the invariants of a program, as JSON."""
    verbose: bool = False
    warn_ub: bool = False  # list undefined behaviour on the way of an error trace
    show_invariants: bool = False  # at loop heads, without a verdict as well
    brief: bool = False
    """Nothing shows invariants or certificates, so they are not written."""
    only_loop_heads: bool = False
    """Nothing shows invariants at other places, so they are not written."""
    certificate_texts: bool = True
    """Certificates are written as texts for people, which takes as long as all else where long runs fill arrays;
    without, an outcome has none, but for the models of groups of checks, which later groups read."""


@dataclass(frozen=True)
class Options:
    """All options of a run."""

    input: InputOptions
    limits: Limits = field(default_factory=Limits)
    engines: EngineOptions = field(default_factory=EngineOptions)
    check: CheckOptions = field(default_factory=CheckOptions)
    output: OutputOptions = field(default_factory=OutputOptions)
    cache: CacheOptions = field(default_factory=CacheOptions)
