"""The options of a run: one frozen dataclass per component. Plain values only, so that they travel to workers."""

import os
from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from chcverify.lazy_dataclass import dataclass

SecondCheck = Literal["auto", "require", "off"]
Replay = Literal["cfa", "native"]

UndefinedFunctions = Literal["pure", "havoc", "refuse"]
VolatileReads = Literal["fresh", "plain"]
Assembler = Literal["refuse", "outputs"]
ArrayBounds = Literal["inner", "object"]
Allocations = Literal["may-fail", "never-fails"]
GlobalValues = Literal["initial", "arbitrary"]

DEFAULT_TIMEOUT = 900.0  # seconds, as in SV-COMP


@dataclass(frozen=True)
class SourceFile:
    """A C file with the flags of its preprocessor, each option and its argument one word (`-Iinclude`, `-DN=3`).

    removed: its functions whose bodies do not count. shadowed: do definitions of functions in the other files, those
    that are shadowed as well excepted, take the place of its own ones? only_contracts: is it a header of which only the
    contracts in comments are read?
    """

    path: str
    flags: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    shadowed: bool = False
    only_contracts: bool = False


@dataclass(frozen=True)
class HarnessOptions:
    """The calls that are assumed of a function where verification begins.

    null: may pointers that it is given be null? alias: may two arguments of one type point to one object? depth: levels
    of objects behind pointers in objects; pointers of the last level are null. globals: the values of variables with
    static storage. contracts: are annotations in comments read? strings: do pointers to char lead to strings that end
    in their objects? sizes: is an integer behind a pointer that is named like a size at most the number of elements?
    uses: functions whose contracts stand for their bodies. modular: so do all contracts with a clause assigns; a
    function with such a contract is shown to keep it for all calls that this allows, where verification begins with it.
    The other options have no meaning then. requires: predicates of ACSL that hold of the call, besides its contract.
    observed: others whose values at the call are in traces, in variables named by `observed_name`. refuted: is the call
    itself a violated assertion, which shows that there is one? asserts: do the assertions hold that a function begins
    with and that are about its parameters alone?
    """

    null: bool = False
    alias: bool = False
    depth: int = 1
    globals: GlobalValues = "initial"
    contracts: bool = False
    strings: bool = False
    sizes: bool = False
    uses: tuple[str, ...] = ()
    modular: bool = False
    requires: tuple[str, ...] = ()
    observed: tuple[str, ...] = ()
    refuted: bool = False
    asserts: bool = False


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


@dataclass(frozen=True)
class InputOptions:
    """The input to decide.

    property: of .prp files or by names, with commas between them; None: that of the task or of the kind of input.
    all_checks: decide each check on its own; None: if several properties are asked for. selected_checks: patterns of
    checks' ids; () for all. sources: the C files of the program with their flags, the one at `path` first; (): only
    that. flags: for the file that a task definition names. stubs: a directory whose f.c defines f, if nothing else
    does. entries: functions where verification begins, or patterns of their names; (): main. interrupts: functions that
    may interrupt main.
    """

    path: str
    property: str | None = None
    data_model: str | None = None  # "ILP32", "LP64"; None: the task's, else LP64
    undefined_functions: UndefinedFunctions | None = None  # what they may change; None: by the program's format
    volatile: VolatileReads | None = None  # what reads of volatile objects give; None: by the program's format
    all_checks: bool | None = None
    selected_checks: tuple[str, ...] = ()
    sources: tuple[SourceFile, ...] = ()
    flags: tuple[str, ...] = ()
    stubs: str | None = None
    entries: tuple[str, ...] = ()
    harness: HarnessOptions = field(default_factory=HarnessOptions)
    assembler: Assembler = "refuse"  # what assembler statements do: not modelled, or any values for their outputs
    array_bounds: ArrayBounds | None = None  # what an index must not leave; None: by the property
    malloc: Allocations | None = None  # may allocations fail? None: by the program's format and the property
    boogie: BoogieOptions = field(default_factory=BoogieOptions)
    interrupts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Limits:
    """timeout in seconds for the whole run; memory in MB for each process (None: none); jobs: busy processes."""

    timeout: float = DEFAULT_TIMEOUT
    memory: int | None = None
    jobs: int = field(default_factory=lambda: os.cpu_count() or 1)
    seed: int = 0

    @property
    def check_processes(self) -> int:
        """How many processes may check one certificate."""
        return min(2, self.jobs)

    @classmethod
    def of(cls, timeout: float, memory: int | None = None, jobs: int | None = None, seed: int = 0) -> "Limits":
        """The limits of a run. jobs: None for one per processor."""
        return cls(timeout, memory, jobs, seed) if jobs else cls(timeout, memory, seed=seed)

    @property
    def reserve(self) -> float:
        """Seconds between the last accepted certificate and the limit: for the explanation, replay included."""
        return min(1.0, 0.03 * self.timeout)


@dataclass(frozen=True)
class EngineOptions:
    """names: () for the portfolio. settings: of --engine-option, by name.

    schedule: the file of a tuned schedule for the portfolio, None for the hand-made one. without: names of engines that
    the portfolio does not run.
    """

    names: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    schedule: str | None = None
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class CheckOptions:
    """second: the role of the second certificate checker. debug_transforms: check certificates after every transform.

    replay: "native" if a native run must confirm a violation, besides the execution of the program's automata.
    cross_check: two engines must answer and agree. preconditions: infer under which calls of an entry its checks hold;
    None: where there are several entries with a verdict for each check.
    """

    second: SecondCheck = "auto"
    debug_transforms: bool = False
    replay: Replay = "cfa"
    cross_check: bool = False
    preconditions: bool | None = None


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
    """Files to write, None: not. trace: the error trace or the invariants of a program, as JSON. sarif: for editors.

    baseline: findings that are not reported again; write_baseline: the file for those of this run.
    junit: for continuous integration. table: of the functions of --entry, Markdown or JSON. test: a program that fails
    as the error trace does. brief: nothing shows invariants or certificates, so they are not written.
    """

    certificate: str | None = None
    witness: str | None = None
    witness_version: str = "2.0"
    sarif: str | None = None
    junit: str | None = None
    table: str | None = None
    baseline: str | None = None
    write_baseline: str | None = None
    test: str | None = None
    report: str | None = None
    stats: str | None = None
    trace: str | None = None
    verbose: bool = False
    warn_ub: bool = False  # list undefined behaviour on the way of an error trace
    show_invariants: bool = False  # at loop heads, without a verdict as well
    brief: bool = False


@dataclass(frozen=True)
class Options:
    """All options of a run."""

    input: InputOptions
    limits: Limits = field(default_factory=Limits)
    engines: EngineOptions = field(default_factory=EngineOptions)
    check: CheckOptions = field(default_factory=CheckOptions)
    output: OutputOptions = field(default_factory=OutputOptions)
    cache: CacheOptions = field(default_factory=CacheOptions)
