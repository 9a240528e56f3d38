"""Task definitions (.yml, format 1.0 and 2.x of SV-COMP and CHC-COMP) and property files (.prp)."""

import builtins
import re
import shlex
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Literal

from chcverify.errors import InputError
from chcverify.options import BoogieOptions, HarnessOptions, InputOptions, SourceFile
from chcverify.properties.property import CHECKS_DECIDER
from chcverify.properties.registry import FORMULAS, PROPERTIES, decider_of
from chcverify.properties.termination import TERMINATION
from chcverify.quick_dataclass import dataclass

Language = Literal["c", "horn", "boogie"]

DEFAULT_PROPERTIES: Mapping[Language, str] = {"c": "unreach-call", "horn": "check-sat", "boogie": "assertion"}
_CHECK = re.compile(r"CHECK\((?:init\(main\(\)\),)?(.*)\)")
_COVER = re.compile(r"COVER\(.*\)")


@dataclass(frozen=True)
class Task:
    """The input and the property to decide.

    Fields without a description are those of `InputOptions`.
    """

    input_file: str
    language: Language
    property: str
    """A name, or several with commas between them."""
    data_model: str | None = None
    expected: bool | None = None
    """The verdict in the task definition, None if there is none."""
    is_competition: bool = False
    """It is a task definition, so the rules of the competitions apply."""
    undefined_functions: str | None = None
    volatile: str | None = None
    all_checks: bool = False
    selected_checks: tuple[str, ...] = ()
    sources: tuple[SourceFile, ...] = ()
    """The C files with their flags; () if the input file is alone and has none."""
    stubs: str | None = None
    entry: str | None = None
    """The function where verification begins, None for main."""
    harness: HarnessOptions = field(default_factory=HarnessOptions)
    """How the entry is called."""
    assembler: str = "refuse"
    array_bounds: str | None = None
    malloc: str | None = None
    boogie: BoogieOptions = field(default_factory=BoogieOptions)
    estimates: bool = False
    """The clauses are those of proofs: operations on bits that are not linear have any result within bounds."""
    interrupts: tuple[str, ...] = ()

    @builtins.property
    def files(self) -> tuple[SourceFile, ...]:
        """All input files with their flags."""
        return self.sources or (SourceFile(self.input_file),)

    @builtins.property
    def configuration(self) -> str:
        """What the command line says about the input, besides files, property and data model, as it would be typed."""
        flags = [self.files[0].flags] if len({source.flags for source in self.files}) == 1 else []
        words = [word for group in flags for word in group]
        if not flags:
            words = [f"{source.path}: {shlex.join(source.flags)};" for source in self.files]
        given = [] if self.entry is None else ["--entry", shlex.quote(self.entry)]
        given += [f"--interrupt {shlex.quote(name)}" for name in self.interrupts]
        given += [] if self.stubs is None else ["--stubs", shlex.quote(self.stubs)]
        given += _harness_words(self.harness)
        return " ".join([*(shlex.quote(word) if flags else word for word in words), *given])


def _harness_words(harness: HarnessOptions) -> list[str]:
    """The options that describe a harness, without those that have their default."""
    words = ["--contracts"] * harness.contracts + ["--modular"] * harness.modular
    words += [f"--use-contract {shlex.quote(name)}" for name in harness.uses]
    words += [f"--entry-requires {shlex.quote(text)}" for text in harness.requires]
    words += ["--entry-null"] * harness.null + ["--entry-alias"] * harness.alias
    words += ["--entry-strings"] * harness.strings + ["--entry-sizes"] * harness.sizes
    words += ["--entry-asserts"] * harness.asserts
    words += [f"--entry-depth {harness.depth}"] * (harness.depth != HarnessOptions().depth)
    return words + [f"--entry-globals {harness.globals}"] * (harness.globals != HarnessOptions().globals)


def resolve(options: InputOptions) -> Task:
    """The task of the options, which override the task definition. InputError where they do not fit together."""
    wanted = property_name(options.property) if options.property else None
    if options.path.endswith((".yml", ".yaml")):
        task = read_task(options.path, wanted)
        if options.flags:
            task = replace(task, sources=(SourceFile(task.input_file, options.flags),))
    else:
        language = language_of(options.path)
        task = Task(options.path, language, wanted or DEFAULT_PROPERTIES[language])
    others = [source.path for source in options.sources if source.path != options.path]
    for path in [task.input_file, *others] if options.sources or options.flags or options.entries else ():
        if language_of(path) == "boogie" and not options.sources and not options.flags:
            continue
        if language_of(path) != "c":
            raise InputError(path, 0, 0, "is no C file; several files, compiler flags and --entry are for C programs")
    if not _fits(task):
        what = {"horn": "Horn clauses", "c": "C programs", "boogie": "Boogie programs"}[task.language]
        raise InputError(task.input_file, 0, 0, f"the property {task.property} is not one of {what}")
    all_checks = _wants_all_checks(options, task)
    if options.harness.uses or options.harness.modular:
        task = replace(task, property=_joined(options.path, [*task.property.split(","), "contract"]))
    return replace(
        task,
        data_model=options.data_model or task.data_model,
        undefined_functions=options.undefined_functions,
        volatile=options.volatile,
        assembler=options.assembler,
        array_bounds=options.array_bounds,
        malloc=options.malloc,
        all_checks=all_checks,
        selected_checks=options.selected_checks,
        sources=options.sources or task.sources,
        stubs=options.stubs,
        entry=options.entries[0] if len(options.entries) == 1 else None,
        harness=options.harness,
        boogie=options.boogie,
        interrupts=options.interrupts,
    )


def _fits(task: Task) -> bool:
    """True if the property is one of the task's language."""
    if task.language == "boogie":
        return task.property == DEFAULT_PROPERTIES["boogie"]
    if task.language == "horn":
        return task.property in (DEFAULT_PROPERTIES["horn"], TERMINATION.name)
    return task.property != DEFAULT_PROPERTIES["horn"]


def _wants_all_checks(options: InputOptions, task: Task) -> bool:
    """True if each check gets a verdict: asked for, or several sets of checks of a C program that is no task."""
    if task.language != "c":
        return False
    if options.all_checks is not None:
        return options.all_checks
    if decider_of(task.property) != CHECKS_DECIDER:
        return False
    return not task.is_competition and ("," in task.property or task.property == "undefined-behaviour")


def language_of(path: str) -> Language:
    """By the suffix, else by the first character that is neither blank nor in a comment."""
    text = read_text(path)
    if not text.strip():
        raise InputError(path, 0, 0, "the file is empty")
    if path.endswith((".c", ".i", ".h")):
        return "c"
    if path.endswith(".smt2"):
        return "horn"
    if path.endswith(".bpl"):
        return "boogie"
    return "horn" if re.match(r"(?:\s|;.*)*\(", text) else "c"


def read_text(path: str) -> str:
    """The text of a file; InputError if it cannot be read or is not text."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(path, 0, 0, (error.strerror or str(error)).lower()) from error
    if (zero := data.find(b"\0")) >= 0:
        raise InputError(path, data.count(b"\n", 0, zero) + 1, zero - data.rfind(b"\n", 0, zero), "not a text file")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")  # comments in older programs


def read_property(path: str) -> str:
    """The name of the property in a .prp file; InputError if it is not supported."""
    names = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        compact = re.sub(r"\s+", "", line)
        if not compact:
            continue
        match = _CHECK.fullmatch(compact)
        name = FORMULAS.get(match[1]) if match else "coverage" if _COVER.fullmatch(compact) else None
        if name is None:
            raise InputError(path, number, 1, f"not a property: {line.strip()[:60]}")
        names.append(name)
    if not names:
        raise InputError(path, 0, 0, "the property file is empty")
    return _joined(path, names)


def property_name(text: str) -> str:
    """The property that --property means: .prp files and names, with commas between them; InputError otherwise."""
    names = []
    for part in text.split(","):
        if part.endswith(".prp") or "/" in part:
            names += read_property(part).split(",")
        elif part in PROPERTIES:
            names.append(part)
        else:
            raise InputError(part, 0, 0, f"not a property: neither a .prp file nor one of {', '.join(PROPERTIES)}")
    return _joined(text, names)


def _joined(where: str, names: list[str]) -> str:
    """The property that is made of some; InputError if they cannot be decided together."""
    different = list(dict.fromkeys(names))
    others = [PROPERTIES[name] for name in different if not PROPERTIES[name].is_set_of_checks]
    alone = [item for item in others if not item.is_joined] or others[1:]
    if alone and len(different) > 1:
        raise InputError(where, 0, 0, f"several properties: {', '.join(different)}; {alone[0].name} is decided alone")
    return ",".join(different)


def read_task(path: str, wanted: str | None = None) -> Task:
    """The task of a .yml file for the property `wanted`; without it the reachability or satisfiability property."""
    import yaml  # only tasks need it

    try:
        document = yaml.safe_load(read_text(path))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise InputError(path, line, column, f"not YAML: {getattr(error, 'problem', None) or error}") from error
    if not isinstance(document, dict):
        raise InputError(path, 0, 0, "not a task definition: no mapping at its top")
    entry = _choose(path, document, wanted)
    options = document.get("options") or {}
    if not isinstance(options, dict):
        raise InputError(path, 0, 0, "not a task definition: options is not a mapping")
    model = options.get("data_model")
    if model not in (None, "ILP32", "LP64"):
        raise InputError(path, 0, 0, f"unknown data_model {model!r}: ILP32 or LP64")
    expected = entry[1].get("expected_verdict")
    if not (expected is None or isinstance(expected, bool)):
        raise InputError(path, 0, 0, f"expected_verdict is neither true nor false but {expected!r}")
    file = _input_file(path, document)
    return Task(file, language_of(file), entry[0], model, expected, is_competition=True)


def _input_file(path: str, document: dict[str, Any]) -> str:
    files = document.get("input_files")
    files = [files] if isinstance(files, str) else files
    if not isinstance(files, list) or not files or not all(isinstance(name, str) for name in files):
        raise InputError(path, 0, 0, "not a task definition: input_files names no file")
    if len(files) > 1:
        raise InputError(path, 0, 0, "several input files: only tasks of one file are supported")
    return str(Path(path).parent / files[0])


def _choose(path: str, document: dict[str, Any], wanted: str | None) -> tuple[str, dict[str, Any]]:
    """The property that is asked for, else reachability or satisfiability, else the first, with its entry.

    A task names many properties whose files are of no concern here: a file is read only if its name suggests it.
    """
    entries = document.get("properties")
    if not isinstance(entries, list) or not entries:
        if wanted:
            return wanted, {}
        raise InputError(path, 0, 0, "not a task definition: properties names no property")
    files: list[tuple[Path, dict[str, Any]]] = []
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("property_file"), str):
            raise InputError(path, 0, 0, "not a task definition: a property without property_file")
        files.append((Path(path).parent / entry["property_file"], entry))
    preferred = (wanted,) if wanted else ("unreach-call", "check-sat")
    files.sort(key=lambda item: item[0].stem not in preferred)
    if wanted and files[0][0].stem != wanted:
        return wanted, {}
    return read_property(str(files[0][0])), files[0][1]
