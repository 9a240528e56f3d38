"""Options that several commands share."""

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from chcverify.options import DEFAULT_TIMEOUT, Limits
from chcverify.properties.property import CHECKS_DECIDER
from chcverify.properties.registry import decider_of
from chcverify.quick_dataclass import dataclass
from chcverify.task import Task

if TYPE_CHECKING:
    from chcverify.run.supervisor import Early

_OF_PROGRAMS = (
    "data_model",
    "undefined_functions",
    "volatile",
    "assembler",
    "array_bounds",
    "malloc",
    "witness",
    "test",
    "trace",
    "warn_ub",
    "show_invariants",
    "entries",
    "interrupts",
    "project",
    "stubs",
    "include_directories",
    "defines",
    "undefines",
    "include_files",
    "standard",
    "selected_checks",
    "all_checks",
    "list_checks",
    "certificates",
    "ignore_invariants",
    "infer_modifies",
    "inline_depth",
)  # options without effect on clauses
_OPTION_NAMES = {
    "selected_checks": "--check",
    "entries": "--entry",
    "interrupts": "--interrupt",
    "include_directories": "-I",
    "defines": "-D",
    "undefines": "-U",
    "include_files": "-include",
    "standard": "-std",
}  # where they differ from the parameters
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


@dataclass(frozen=True)
class Start:
    """The start of a command: its time.monotonic(), and a child process that was started early for a run."""

    time: float
    child: "Early | None" = None


_ONLY_OF_BOOGIE = ("ignore_invariants", "infer_modifies", "inline_depth", "calls")
_OF_BOOGIE = ("entries", "show_invariants", *_ONLY_OF_BOOGIE)  # of these options, those for Boogie programs, too
_OF_ONE_SYSTEM = ("certificate", "certificates", "cross_check", "cache", "report")
_OF_CHECKS = (
    "selected_checks",
    "all_checks",
    "list_checks",
    "certificates",
    "baseline",
    "write_baseline",
    "preconditions",
    "test",
    "cross_check",
)  # about single checks, or about runs that end with a violated one
_NOT_FOR = {
    "horn": "for C programs only",
    "boogie": "not for Boogie programs, each of whose bodies is a system of clauses",
}


def limits_of(given: dict[str, Any]) -> Limits:
    """The `limit_options`, and the `search_options` where there are any."""
    jobs, seed = given.get("jobs"), given.get("seed", 0)
    return Limits.of(given["timeout"], given["memory"], jobs, seed, given.get("patience"))


def refuse_unused(task: Task, given: dict[str, Any]) -> None:
    """UsageError for options that would have no effect on this kind of input, or without another option."""
    if task.language != "c":
        fitting = _OF_BOOGIE if task.language == "boogie" else ()
        names = [name for name in _OF_PROGRAMS if name not in fitting]
        names += _OF_ONE_SYSTEM if task.language == "boogie" else ()
        native = ("--replay native",) if given.get("replay") == "native" else ()
        _refuse(names, given, _NOT_FOR[task.language], native)
    else:
        _refuse(_ONLY_OF_BOOGIE, given, "for Boogie programs only")
        if decider_of(task.property) != CHECKS_DECIDER:
            _refuse(_OF_CHECKS, given, f"not with {task.property}, which is decided as a whole and not check by check")
    if _is_given("witness_version") and not given["witness"]:
        raise click.UsageError("--witness-version needs --witness")
    if _is_given("patience") and not task.all_checks:
        raise click.UsageError("--patience is for C programs with a verdict for each check")


def _is_given(option: str) -> bool:
    """Is the option on the command line?"""
    return click.get_current_context().get_parameter_source(option) == ParameterSource.COMMANDLINE


def _refuse(names: Iterable[str], given: dict[str, Any], reason: str, others: tuple[str, ...] = ()) -> None:
    """UsageError for those of the options that are given, and others. reason: what is said of them."""
    found = [_OPTION_NAMES.get(name, f"--{name.replace('_', '-')}") for name in names if given.get(name)]
    if found or others:
        raise click.UsageError(f"{', '.join((*found, *others))}: {reason}")


def options_of(*decorators: Decorator) -> Decorator:
    """The decorators as one, in the order in which --help shows them."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def names(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...]:
    """NAME[,NAME...]; commas inside quotes or braces belong to the name (`external:'golem -e a,b {file}'`)."""
    if value is None:
        return ()
    parts, quote, start = [], "", 0
    for index, character in enumerate(value):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == ",":
            parts.append(value[start:index])
            start = index + 1
    found = tuple(part.strip() for part in (*parts, value[start:]))
    if not all(found):
        raise click.BadParameter("an empty name")
    return found


def settings(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> dict[str, str]:
    """NAME=VALUE, repeated."""
    found: dict[str, str] = {}
    for item in value:
        name, equals, text = item.partition("=")
        if not name or not equals:
            raise click.BadParameter(f"{item!r} is not NAME=VALUE")
        found[name] = text
    return found


def joined(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> str | None:
    """The values of an option that may be repeated, with commas between them; None if there is none."""
    return ",".join(value) or None


def finite(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """A number of seconds, if there is one; `nan` and `inf` pass every range check."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a number of seconds")
    return value


source_options = options_of(
    click.option(
        "--property", "property_", multiple=True, callback=joined, metavar="FILE.prp|NAME[,NAME...]",
        help="What to show, may be repeated; default: unreach-call.",
    ),
    click.option(
        "--check", "selected_checks", multiple=True, metavar="ID",
        help="Only this check of a C program, by its id in --list-checks (* and ? stand for any text).",
    ),
    click.option("--data-model", type=click.Choice(["ILP32", "LP64"]), help="Default: the task's, else LP64."),
    click.option(
        "--undefined-functions", type=click.Choice(["pure", "havoc", "refuse"]),
        help="What functions without a body may change: nothing, all that they reach, or no verdict. "
        "Default: pure for programs in the competition's format, else havoc.",
    ),
    click.option(
        "--volatile", type=click.Choice(["fresh", "plain"]),
        help="What reads of volatile objects give: any value, or what was written. "
        "Default: plain for programs in the competition's format, else fresh.",
    ),
    click.option(
        "--assembler", type=click.Choice(["refuse", "outputs"]),
        help="What assembler statements do: not modelled, or any values for their outputs. Default: refuse.",
    ),
    click.option(
        "--array-bounds", type=click.Choice(["inner", "object"]),
        help="What an index must not leave: its array, also inside of an object, or the object. "
        "Default: inner, but object for the properties of SV-COMP.",
    ),
    click.option(
        "--malloc", type=click.Choice(["may-fail", "never-fails"]),
        help="May malloc and its like give null? Default: may-fail where null pointers are looked for, "
        "but never-fails for the properties of SV-COMP and programs in its format.",
    ),
)  # fmt: skip
limit_options = options_of(
    click.option(
        "--timeout", type=click.FloatRange(0, min_open=True), default=DEFAULT_TIMEOUT, metavar="S",
        callback=finite, show_default=True, help="Seconds for the whole run.",
    ),
    click.option("--memory", type=click.IntRange(64), metavar="MB", help="For each process; default: no limit."),
)  # fmt: skip
search_options = options_of(
    click.option("--jobs", type=click.IntRange(1), metavar="N", help="Busy processes; default: one per processor."),
    click.option("--seed", type=click.IntRange(0), default=0, metavar="N", help="Of all random choices."),
)  # fmt: skip
patience_option = click.option(
    "--patience", type=click.FloatRange(0), metavar="S", callback=finite,
    help="Gives up the open checks of a function after S seconds of the processor without a verdict; 0: never. "
    "Default: with several entries a tenth of --timeout, with one never.",
)  # fmt: skip
engine_options = options_of(
    click.option("--engine", callback=names, metavar="NAME[,NAME...]", help="Default: a portfolio of all that fit."),
    click.option("--engine-option", multiple=True, callback=settings, metavar="NAME=VALUE", help="For the engines."),
)
check_options = options_of(
    click.option(
        "--second-check", type=click.Choice(["auto", "require", "off"]), default="auto", show_default=True,
        help="Must a second solver accept the certificate, too? auto: unless it cannot tell.",
    ),
)  # fmt: skip
