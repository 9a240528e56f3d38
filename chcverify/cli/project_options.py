"""Options about whole projects: files, compiler flags, settings, and the functions where verification begins."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from chcverify.cli.shared_options import options_of
from chcverify.errors import InputError
from chcverify.inputs import settings_file
from chcverify.inputs.compiler_flags import read_call
from chcverify.options import BoogieOptions, HarnessOptions, InputOptions, SourceFile

if TYPE_CHECKING:
    from chcverify.inputs.compilation_database import Project

# The parameters for flags, and the flag of each.
_FLAGS = {"include_directories": "-I", "defines": "-D", "undefines": "-U", "include_files": "-include"}
_OF_ENTRIES = tuple(
    f"entry_{name}" for name in ("null", "alias", "strings", "sizes", "asserts", "depth", "globals", "requires")
)
_NO_PROGRAM = (".yml", ".yaml", ".smt2", ".bpl")

flag_options = options_of(
    click.option("-I", "include_directories", multiple=True, metavar="DIR", help="A directory of headers."),
    click.option("-D", "defines", multiple=True, metavar="NAME[=VALUE]", help="Define a macro."),
    click.option("-U", "undefines", multiple=True, metavar="NAME", help="Undefine a macro, also of -D."),
    click.option("-include", "include_files", multiple=True, metavar="FILE", help="Read a file before each C file."),
    click.option("-std", "standard", metavar="NAME", help="The standard of C: c99, gnu11, ...; default: gnu11."),
    click.option(
        "--project", metavar="FILE.json|DIR",
        help="compile_commands.json, or its directory: its C files, or the given ones of them, with their flags.",
    ),
    click.option(
        "--cbmc-proof", metavar="DIR",
        help="The directory of a proof for CBMC: the files, macros and entry that its Makefile (of CBMC's starter kit) "
        "names.",
    ),
    click.option(
        "--stubs", metavar="DIR", help="A directory: its file f.c defines f where no other file of the program does."
    ),
    click.option(
        "--config", metavar="FILE.toml",
        help="Settings; default: chcverify.toml in the directory of the first file or above it; none: no settings.",
    ),
)  # fmt: skip
harness_options = options_of(
    click.option(
        "--contracts", is_flag=True,
        help="Read ACSL in comments: assertions are checked; of an entry, what it requires is assumed, what it ensures "
        "is checked.",
    ),
    click.option("--entry-null", is_flag=True, help="Pointers given to an entry may be null."),
    click.option("--entry-alias", is_flag=True, help="Pointers of one type given to an entry may share an object."),
    click.option("--entry-strings", is_flag=True, help="Pointers to char lead to strings that end in their objects."),
    click.option(
        "--entry-sizes", is_flag=True,
        help="A parameter behind a pointer, named like a size, is at most the number of elements there; so are "
        "parameters and members that indices of a pointer are compared with; an array parameter has at least the "
        "elements of its declaration.",
    ),
    click.option(
        "--entry-asserts", is_flag=True,
        help="Assertions about parameters that an entry begins with are preconditions: they hold of its call.",
    ),
    click.option(
        "--entry-depth", type=click.IntRange(0), default=HarnessOptions().depth, show_default=True, metavar="N",
        help="Levels of objects behind pointers in objects; deeper pointers are null.",
    ),
    click.option(
        "--entry-globals", type=click.Choice(["initial", "arbitrary"]), default="initial", show_default=True,
        help="Values of variables with static storage when an entry is called.",
    ),
    click.option(
        "--entry-requires", multiple=True, metavar="PREDICATE",
        help="Assume this of the calls of an entry, in ACSL: 'n > 0 && \\valid(p + (0 .. n - 1))'; repeatable.",
    ),
)  # fmt: skip
contract_options = options_of(
    click.option(
        "--use-contract", "uses", multiple=True, metavar="NAME",
        help="Calls of this function do what its contract says, which is not proved; repeatable.",
    ),
    click.option(
        "--modular", is_flag=True,
        help="Prove each contract that has a clause assigns by itself, for all calls that it allows, and use it at all "
        "calls.",
    ),
)  # fmt: skip
entry_options = options_of(
    click.option(
        "--entry", "entries", multiple=True, metavar="NAME|PATTERN",
        help="Verify this function by itself, called with any arguments, instead of main; repeatable; '*': all.",
    ),
    harness_options,
    contract_options,
)  # fmt: skip
interrupt_option = options_of(
    click.option(
        "--interrupt", "interrupts", multiple=True, metavar="HANDLER",
        help="This function may interrupt main at any point, any number of times, and runs to its end; repeatable.",
    ),
)  # fmt: skip
one_entry_option = options_of(
    click.option("--entry", "entries", multiple=True, metavar="NAME", help="As of verify: one function."),
    harness_options,
    contract_options,
)


boogie_options = options_of(
    click.option(
        "--ignore-invariants", is_flag=True,
        help="Of a Boogie program: find those of its loops, also where it states some.",
    ),
    click.option(
        "--infer-modifies", is_flag=True,
        help="Of a Boogie program: procedures modify what they and their callees assign.",
    ),
    click.option(
        "--inline-depth", type=click.IntRange(min=0), default=0, metavar="N",
        help="Of a Boogie program: depth at which procedures without {:inline} are inlined.",
    ),
    click.option(
        "--calls", type=click.Choice(["contract", "summary"]),
        help="Of a Boogie program: calls do what the contract says (the default), or what the body does.",
    ),
)  # fmt: skip


def with_settings(given: dict[str, Any]) -> dict[str, Any]:
    """The parameters of the command, with those of the project's settings where the command line gives none.

    `file` is added: the first input. Raises UsageError if there is none.
    """
    given = dict(given)
    files: tuple[str, ...] = given["files"]
    path = _settings(given["config"], files)
    found = settings_file.read(path) if path is not None else {}
    if files or given["project"] or given["cbmc_proof"]:
        found.pop("files", None)
    if given["project"] or given["cbmc_proof"]:
        found.pop("project", None)
    context = click.get_current_context()
    for option, value in found.items():
        if option in _FLAGS:
            given[option] = (*value, *given[option])
        elif option in given and context.get_parameter_source(option) in (ParameterSource.DEFAULT, None):
            given[option] = value
    if given["cbmc_proof"]:
        return _with_proof(given)
    if not given["files"] and not given["project"]:
        raise click.UsageError("Missing argument 'FILE...'.")
    given["file"] = given["files"][0] if given["files"] else given["project"]
    return given


def _with_proof(given: dict[str, Any]) -> dict[str, Any]:
    """The parameters with the entry of the proof of --cbmc-proof. Raises UsageError beside other files or entries."""
    if given["files"] or given["project"] or given.get("entries"):
        raise click.UsageError("--cbmc-proof names files and entry itself")
    from chcverify.inputs.proof_makefile import read_proof

    given["proof"] = read_proof(given["cbmc_proof"])
    given["entries"] = (given["proof"].entry,)
    given["undefined_functions"] = given.get("undefined_functions") or "pure"  # as CBMC takes them
    given["file"] = given["proof"].sources[0].path
    return given


def _settings(config: str | None, files: tuple[str, ...]) -> Path | None:
    """The file of settings that applies, None if none does. Those of clauses and tasks are in the files themselves."""
    if config == settings_file.NONE:
        return None
    if config is not None:
        return Path(config)
    if files and files[0].endswith(_NO_PROGRAM):
        return None
    return settings_file.find(files[0] if files else ".")


def input_of(given: dict[str, Any]) -> InputOptions:
    """The input that the parameters describe, after `with_settings`. Raises InputError."""
    _require_entry(given)
    flags = _flags(given)
    sources, model = _sources(given, flags)
    path = sources[0].path if sources else given["file"]
    is_task = path.endswith((".yml", ".yaml"))
    if is_task and len(sources) > 1:
        raise InputError(path, 0, 0, "a task definition beside other files")
    plain = len(sources) == 1 and not sources[0].flags
    return InputOptions(
        path,
        given["property_"],
        given["data_model"] or model,
        given.get("undefined_functions"),
        given.get("volatile"),
        given.get("all_checks"),
        given.get("selected_checks", ()),
        () if is_task or plain else sources,
        flags if is_task else (),
        _stubs(given),
        tuple(given.get("entries", ())),
        HarnessOptions(
            given.get("entry_null", False),
            given.get("entry_alias", False),
            given.get("entry_depth", HarnessOptions().depth),
            given.get("entry_globals", "initial"),
            given.get("contracts", False) or bool(given.get("uses")) or given.get("modular", False),
            given.get("entry_strings", False),
            given.get("entry_sizes", False),
            tuple(given.get("uses", ())),
            given.get("modular", False),
            tuple(given.get("entry_requires", ())),
            asserts=given.get("entry_asserts", False),
        ),
        given.get("assembler") or "refuse",
        given.get("array_bounds"),
        given.get("malloc"),
        BoogieOptions(
            given.get("ignore_invariants", False),
            given.get("infer_modifies", False),
            given.get("inline_depth", 0),
            summaries=given.get("calls") == "summary",
        ),
        tuple(given.get("interrupts", ())),
    )


def _require_entry(given: dict[str, Any]) -> None:
    """UsageError for options about entries on a command line without any."""
    context = click.get_current_context()
    for name in (*_OF_ENTRIES,):
        if not given.get("entries") and context.get_parameter_source(name) == ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} needs --entry")


def require_one_entry(given: dict[str, Any]) -> None:
    """UsageError if a command for one entry is given several."""
    if len(given["entries"]) > 1:
        raise click.UsageError("one --entry at a time")


def _stubs(given: dict[str, Any]) -> str | None:
    directory: str | None = given.get("stubs")
    if directory is not None and not os.path.isdir(directory):
        raise InputError(directory, 0, 0, "no such directory (--stubs)")
    return directory


def only_file(given: dict[str, Any]) -> None:
    """UsageError if a command for one file is given several."""
    if len(given["files"]) > 1:
        raise click.UsageError(f"Got unexpected extra argument ({given['files'][1]})")


def _flags(given: dict[str, Any]) -> tuple[str, ...]:
    """The flags that the parameters give to all files. Raises InputError for those that are wrong."""
    words = [flag + value for option, flag in _FLAGS.items() for value in given.get(option, ())]
    if given.get("standard") is not None:
        words.append(f"-std={given['standard']}")
    for option, flag in _FLAGS.items():
        if not all(given.get(option, ())):
            raise InputError("", 0, 0, f"chcverify: the flag {flag} needs an argument")
    for directory in given.get("include_directories", ()):
        if not os.path.isdir(directory):
            raise InputError(directory, 0, 0, "no such directory (-I)")
    return read_call(words, "", "chcverify").flags


def _sources(given: dict[str, Any], flags: tuple[str, ...]) -> tuple[tuple[SourceFile, ...], str | None]:
    """The C files with their flags, and the data model that the project's compiler uses."""
    files: tuple[str, ...] = given["files"]
    if given.get("cbmc_proof"):
        return tuple(replace(source, flags=(*source.flags, *flags)) for source in given["proof"].sources), None
    if given.get("project"):
        context = click.get_current_context()
        project = _project(given, context.get_parameter_source("project") == ParameterSource.COMMANDLINE)
        sources = [SourceFile(source.path, (*source.flags, *flags)) for source in project.sources]
        return tuple(sources), project.data_model
    for number, path in enumerate(files):
        if len(files) > 1 and not os.path.exists(path):
            raise InputError(path, 0, 0, "no such file or directory")
        if path in files[:number]:
            raise InputError(path, 0, 0, "is named twice")
    reads = given.get("contracts", False) or given.get("modular", False) or bool(given.get("uses"))
    headers = [path for path in files if reads and path.endswith(".h")]
    programs = [path for path in files if path not in headers]
    if not programs:
        return tuple(SourceFile(path, flags) for path in files), None
    sources = [SourceFile(path, flags) for path in programs]
    return (*sources, *(SourceFile(path, flags, only_contracts=True) for path in headers)), None


def _project(given: dict[str, Any], asked: bool) -> "Project":
    """The project, or the given files of it. asked: on the command line; else files may be outside of it."""
    from chcverify.inputs.compilation_database import Project, read_database

    try:
        return read_database(given["project"], given["files"])
    except InputError as error:
        if asked or error.file not in given["files"]:
            raise
        return Project(tuple(SourceFile(path) for path in given["files"]))
