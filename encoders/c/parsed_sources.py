"""C files, preprocessed and parsed, and their declarations entered: what all programs of the same files share."""

import pickle
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pycparser import c_ast

from chcverify.horn.system import Origin
from chcverify.options import SourceFile
from chcverify.properties.registry import kinds_of, parts
from chcverify.quick_dataclass import dataclass
from encoders.c.contracts.behaviours import ContractClause, with_behaviours
from encoders.c.harness.entry_functions import mentioned_names
from encoders.c.harness.reached_functions import with_reached_functions
from encoders.c.library.function_table import Trait
from encoders.c.library.model_files import KEY_CREATIONS
from encoders.c.library.table_reader import closing_names, find, names_with
from encoders.c.lowering.composition import declare_file
from encoders.c.lowering.context import Unit
from encoders.c.lowering.environment import may_use_interface
from encoders.c.lowering.file_scope.program_files import (
    ProgramFile,
    RecordKey,
    RecordsDiffer,
    external_names,
    inline_names,
    open_definitions,
)
from encoders.c.lowering.symbols import FunctionSymbol, Scope
from encoders.c.source.attributes import Attributes
from encoders.c.source.file_local_names import PREFIX
from encoders.c.source.parser import parse, with_deep_stack
from encoders.c.source.preprocessor import accepted_by_compiler, preprocess, read_source
from encoders.c.source.source_errors import LinkError, SourceError, Unsupported
from encoders.c.types.c_types import DataModel
from encoders.c.types.record_layout import RecordLayouts

T = TypeVar("T")
# A keyword, or a number whose suffix has i or j; not part of a name, and no width in a format ("%2i").
_COMPLEX = re.compile(
    r"\b(?:_Complex|__complex(?:__)?|__builtin_complex|__real(?:__)?|__imag(?:__)?)\b"
    r"|(?<![\w%])(?:0[xX][\da-fA-F.]+(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUfFlL]*[ij][uUfFlL]*\b"
)
_REPLACED_STREAM = re.compile(r"\bstd(?:in|out|err)\s*=(?!=)|&\s*std(?:in|out|err)\b")


@dataclass(frozen=True)
class ParsedFile:
    """A C file: its name in messages, its preprocessed text, and what was parsed of it."""

    file: str
    text: str
    tree: c_ast.FileAST
    attributes: Attributes

    @cached_property
    def has_exit_handlers(self) -> bool:
        """True if an expression mentions a function that is given exit handlers."""
        return self._mentions(names_with(Trait.REGISTERS))

    @cached_property
    def closes_streams(self) -> bool:
        """True if an expression mentions a function that closes streams."""
        return self._mentions(closing_names())

    @cached_property
    def uses_streams_in_memory(self) -> bool:
        """True if an expression mentions a function that opens streams over memory."""
        return self._mentions(names_with(Trait.IN_MEMORY))

    @property
    def uses_complex(self) -> bool:
        """True if the text mentions complex numbers; names of files in line markers, such as "x-2.i", do not count."""
        return _mentions_complex(self.text)

    @property
    def replaces_streams(self) -> bool:
        """True if a standard stream may become another one."""
        return _REPLACED_STREAM.search(self.text) is not None

    @cached_property
    def sets_rounding(self) -> bool:
        """True if an expression mentions a function that changes how floating-point operations round."""
        return self._mentions(names_with(Trait.ROUNDS))

    @cached_property
    def has_jumps(self) -> bool:
        """True if an expression mentions setjmp, longjmp or their like."""
        return self._mentions(names_with(Trait.MARKS) | names_with(Trait.JUMPS))

    @cached_property
    def has_thread_keys(self) -> bool:
        """True if an expression mentions a function that creates keys of thread-specific data."""
        return self._mentions(KEY_CREATIONS)

    @property
    def reads_errno(self) -> bool:
        """True if the text has more of errno than its declaration."""
        return any(self.text.count(name) > 1 for name in names_with(Trait.ERROR_NUMBER))

    def _mentions(self, names: Iterable[str]) -> bool:
        """Does an expression mention one of the names?"""
        found = {name for name in names if name in self.text}
        return bool(found) and bool(found & set(mentioned_names([self.tree])))


@dataclass(frozen=True, eq=False)
class ParsedSources:
    """C files with their syntax trees, of use for one program: lowering changes the trees. A process that parses them
    once can be forked for each of several programs."""

    sources: tuple[SourceFile, ...]
    data_model: DataModel
    contracts: bool
    """Were annotations in comments read?"""
    texts: list[tuple[str, str]]
    clauses: list[ContractClause]
    """The clauses of contracts."""
    files: list[ParsedFile]
    entry: str = ""
    """The function where the program begins, if functions that it cannot call were left out."""
    units: list[Unit] = field(default_factory=list)
    """The program with the declarations of the files, if they have been entered, until it is used."""

    @classmethod
    def of(
        cls, sources: Sequence[SourceFile], data_model: DataModel, contracts: bool = False, entry: str = ""
    ) -> "ParsedSources":
        """The preprocessed and parsed files. Raises SourceError and Unsupported.

        contracts: are annotations in comments read? entry: the function where all programs of these files begin, so
        that what it cannot call may be left out; "" if there are others.
        """
        texts, clauses = preprocessed(sources, data_model, contracts)
        # The interface of the verifier counts where nothing calls it, and edited programs have names that no text has.
        is_edited = any(source.removed or source.shadowed for source in sources)
        if clauses or is_edited or any(may_use_interface(text) or PREFIX in text for _, text in texts):
            entry = ""
        if entry:
            name = entry.partition(" ")[0]  # of `f (b.c)`, a static function of a second file
            reached = with_reached_functions([text for _, text in texts], name, lambda name: find(name) is not None)
            texts = [(file, new if new.strip() else old) for (file, old), new in zip(texts, reached, strict=True)]
        return cls(tuple(sources), data_model, contracts, texts, clauses, parsed_files(texts, data_model), entry)

    @classmethod
    def of_text(cls, text: str, file: str, data_model: DataModel) -> "ParsedSources":
        """A C text; file: its name in messages. Errors as of `of`."""
        texts = [(file, preprocess(text, file, data_model))]
        return cls((), data_model, False, texts, [], parsed_files(texts, data_model))

    def packed(self) -> bytes:
        """These, before they are used, for another process, which unpacks them in a fifth of the time that parsing
        takes."""
        return with_deep_stack(lambda: pickle.dumps(self, pickle.HIGHEST_PROTOCOL))

    @staticmethod
    def unpacked(packed: bytes) -> "ParsedSources":
        """What another process has packed."""
        found: ParsedSources = with_deep_stack(lambda: pickle.loads(packed))
        return found

    def are_of(self, sources: Sequence[SourceFile], data_model: DataModel, contracts: bool, begin: str) -> bool:
        """True if these are the files, read so. begin: the function where the program begins."""
        is_same = (self.sources, self.data_model, self.contracts) == (tuple(sources), data_model, contracts)
        return is_same and self.entry in ("", begin)

    def declared(self, property: str) -> "ParsedSources":
        """The same with the declarations entered, for programs that this property is checked of.

        Without them where a program changes the trees before its declarations are entered, or where they have errors,
        which each program then reports.
        """
        for file in self.files:  # searched once for all programs
            _ = file.has_exit_handlers, file.closes_streams
        is_edited = any(source.removed or source.shadowed for source in self.sources)
        if self.clauses or is_edited or any(PREFIX in file.text for file in self.files):
            return self

        def entered(separate: frozenset[RecordKey]) -> Unit:
            return declared_unit(self.files, self.data_model, property, separate)

        with suppress(SourceError, Unsupported):
            return replace(self, units=[with_deep_stack(lambda: retried(entered))])
        return self

    def take_unit(self, property: str) -> Unit | None:
        """The program with the declarations entered, if they have been for this property; only once."""
        return self.units.pop() if self.units and self.units[0].checks == kinds_of(property) else None


def preprocessed(
    sources: Sequence[SourceFile], data_model: DataModel, contracts: bool = False
) -> tuple[list[tuple[str, str]], list[ContractClause]]:
    """The preprocessed texts with the names of their files, and the clauses of contracts, if these are read."""
    if contracts:
        return _preprocessed_with_contracts(sources, data_model)
    read = (source for source in sources if not source.only_contracts)
    return [
        (source.path, preprocess(read_source(Path(source.path)), source.path, data_model, source.flags))
        for source in read
    ], []


def _preprocessed_with_contracts(
    sources: Sequence[SourceFile], data_model: DataModel
) -> tuple[list[tuple[str, str]], list[ContractClause]]:
    """The preprocessed texts with labels in place of their annotations, and the clauses of these."""
    from encoders.c.contracts.annotations import move_annotations, taken_clauses

    texts: list[tuple[str, str]] = []
    clauses: list[ContractClause] = []
    for source in sources:
        text, found = move_annotations(read_source(Path(source.path)), source.path)
        if source.only_contracts:
            clauses += with_behaviours(found)
            continue
        text, found = taken_clauses(preprocess(text, source.path, data_model, source.flags), found)
        texts.append((source.path, text))
        clauses += found
    return texts, clauses


def parsed_files(texts: Sequence[tuple[str, str]], data_model: DataModel) -> list[ParsedFile]:
    """What is parsed of preprocessed texts with the names of their files. Raises SourceError and Unsupported."""
    return diagnosed(
        texts, data_model, lambda: [ParsedFile(file, text, *parse(text, file, data_model)) for file, text in texts]
    )


def diagnosed(texts: Sequence[tuple[str, str]], data_model: DataModel, work: Callable[[], T]) -> T:
    """The result of work with a deep stack. Raises Unsupported for errors in files that the compiler accepts."""
    for file, text in texts:
        if not text.strip():
            raise SourceError(Origin(file, 1), "the file is empty")
    try:
        return with_deep_stack(work)
    except LinkError:
        raise
    except SourceError as error:
        if all(accepted_by_compiler(text, data_model) for _, text in texts):
            what = f"a construct that gcc accepts ({error.message}{_complex(text for _, text in texts)})"
            raise Unsupported(error.origin, what) from None
        raise


def _mentions_complex(text: str) -> bool:
    starts = (text.rfind("\n", 0, found.start()) + 1 for found in _COMPLEX.finditer(text))
    return any(not text.startswith("#", start) for start in starts)


def _complex(texts: Iterable[str]) -> str:
    """The hint that complex numbers are not modelled, where programs use them."""
    return "; complex numbers are not modelled" if any(map(_mentions_complex, texts)) else ""


def retried(work: Callable[[frozenset[RecordKey]], T], separate: frozenset[RecordKey] = frozenset()) -> T:
    """The result of work, which gets the keys of the records that differ between files, as far as they are known.

    separate: those that are known before.
    """
    while True:
        try:
            return work(separate)
        except RecordsDiffer as found:
            separate |= {found.key}


def declared_unit(
    files: Sequence[ParsedFile], data_model: DataModel, property: str, separate: frozenset[RecordKey]
) -> Unit:
    """The program with the declarations of its files. separate: as in ProgramFiles. Raises RecordsDiffer."""
    attributes = Attributes()
    for file in files:
        attributes.update(file.attributes)
    checks = kinds_of(property)
    unit = Unit(files[0].file, RecordLayouts(data_model), attributes, declare_file, checks=checks)
    unit.files.separate = separate
    unit.assumptions_block = any(item.is_about_ends for item in parts(property))
    unit.reads_errno = any(file.reads_errno for file in files)
    unit.has_exit_handlers = any(file.has_exit_handlers for file in files)
    unit.has_jumps = any(file.has_jumps for file in files)
    unit.has_thread_keys = any(file.has_thread_keys for file in files)
    unit.sets_rounding = any(file.sets_rounding for file in files)
    unit.closes_streams = any(file.closes_streams for file in files)
    unit.uses_complex = any(file.uses_complex for file in files)
    unit.streams_in_memory = any(file.uses_streams_in_memory for file in files)
    unit.replaces_streams = unit.streams_in_memory and any(file.replaces_streams for file in files)
    unit.files.others += [ProgramFile(file.file, Scope()) for file in files[1:]]
    external = [external_names(file.tree, attributes) for file in files]
    for number, (file, entered) in enumerate(zip(files, (unit.first, *unit.files.others), strict=True)):
        entered.inline = inline_names(file.tree, attributes) if len(files) > 1 else frozenset()
        entered.foreign = frozenset().union(*external[:number], *external[number + 1 :])
    for file, scope in zip(files, unit.scopes(), strict=True):
        declare_file(unit, scope, file.tree)
    trees = [file.tree for file in files]
    for inlined, name, other in open_definitions(list(zip(trees, (unit.first, *unit.files.others), strict=True))):
        symbol = inlined.scope.names.get(name)
        if isinstance(symbol, FunctionSymbol) and symbol.definition is not None:
            origin = Origin(inlined.file, symbol.definition.coord.line, symbol.definition.coord.column or 1)
            what = f"{name}, whose inline definition is not that of {other}: C leaves open which one is called"
            symbol.error = symbol.error or Unsupported(origin, what)
    return unit
