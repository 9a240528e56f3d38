"""The files of a program as the linker sees them: which names they share, and which are their own (C11 6.2.2, 6.9)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from chcverify.quick_dataclass import dataclass
from encoders.c.lowering.symbols import FunctionSymbol, GlobalVariable, Scope
from encoders.c.source.attributes import Attributes
from encoders.c.source.syntax_trees import source_text
from encoders.c.types.c_types import CRecord

LinkedSymbol = FunctionSymbol | GlobalVariable
RecordKey = tuple[str, ...]
"""Identifies a record that several files may declare: its kind, and its tag; or, without one, coordinates or text."""


class RecordsDiffer(Exception):
    """Two files define records of one key with different members: the key, for which the files are kept apart."""

    def __init__(self, key: RecordKey) -> None:
        super().__init__(" ".join(key))
        self.key = key


@dataclass
class ProgramFile:
    """One translation unit."""

    file: str
    scope: Scope
    own: dict[str, LinkedSymbol] = field(default_factory=dict)
    """Its symbols with internal linkage, by the linker's names."""
    inline: frozenset[str] = frozenset()
    """The functions that it defines `inline` without `extern`, which are no definitions for other files (C11 6.7.4)."""
    foreign: frozenset[str] = frozenset()
    """Names with external linkage in other files."""
    weak: set[str] = field(default_factory=set)
    """Names that it declares weak."""
    completed: set[str] = field(default_factory=set)
    """Tags of records that it has defined."""
    mentioned: Counter[RecordKey] = field(default_factory=Counter)
    """The number of records so far of each key."""

    def is_internal(self, node: c_ast.Decl) -> bool:
        """True if the declaration, as the first one of its name in the file, has internal linkage."""
        return "static" in node.storage or node.name in self.inline


@dataclass
class ProgramFiles:
    """The files after the first one, and what all files share."""

    others: list[ProgramFile] = field(default_factory=list)
    linked: dict[str, LinkedSymbol] = field(default_factory=dict)
    """Symbols with external linkage, by the linker's names."""
    names: set[str] = field(default_factory=set)
    """Of functions and variables of the program that are in use."""
    shared: dict[RecordKey, CRecord] = field(default_factory=dict)
    """Records by their keys."""
    separate: frozenset[RecordKey] = frozenset()
    """Keys of records that differ between files."""
    keys: dict[str, RecordKey] = field(default_factory=dict)
    """The keys of records, by their tags."""

    def own_name(self, name: str, file: ProgramFile) -> str:
        """A name that no other symbol of the program has, for one with internal linkage: `f`, `f (b.c)`."""
        found, number = name, 1
        while found in self.names or (found == name and name in file.foreign):
            suffix = "" if number == 1 else f" {number}"
            found, number = f"{name} ({os.path.basename(file.file)}{suffix})", number + 1
        self.names.add(found)
        return found

    def record_key(self, node: c_ast.Struct | c_ast.Union, file: ProgramFile) -> RecordKey | None:
        """The key of a record of file scope; None for one that is not shared."""
        kind = "union" if isinstance(node, c_ast.Union) else "struct"
        key: RecordKey
        if node.name is not None:
            key = (kind, node.name)
        elif node.coord is not None:
            key = (kind, str(node.coord.file), str(node.coord.line), str(node.coord.column))
            if node.coord.file == file.file:  # not in a header: another file may have written the same
                key = (kind, source_text(node, maximum=None))
            file.mentioned[key] += 1
            key = (*key, str(file.mentioned[key]))
        else:
            return None
        return None if key in self.separate else key


def external_names(tree: c_ast.FileAST, attributes: Attributes) -> frozenset[str]:
    """The names to which the file's declarations give external linkage. attributes: of its declarations."""
    found: set[str] = set()
    internal: set[str] = set()
    for node in _declarations(tree.ext):
        if "typedef" in node.storage or node.name is None:
            continue
        (internal if "static" in node.storage else found).add(node.name)
    return frozenset(found - internal - inline_names(tree, attributes))


def inline_names(tree: c_ast.FileAST, attributes: Attributes) -> frozenset[str]:
    """The functions that the file defines for itself alone, by an inline definition (C11 6.7.4p7).

    All their declarations are `inline` without `extern`; of those with the attribute gnu_inline, the definition is
    `extern inline`. attributes: of the file's declarations.
    """
    defined = {node.decl.name for node in tree.ext if isinstance(node, c_ast.FuncDef)}
    inline: set[str] = set()
    others: set[str] = set()
    for node in _declarations(tree.ext):
        storage, is_inline = set(node.storage), "inline" in (node.funcspec or ())
        if any(attribute.name == "gnu_inline" for attribute in attributes.of(node)):
            only = is_inline and "extern" in storage
        else:
            only = is_inline and not {"extern", "static"} & storage
        (inline if only else others).add(node.name)
    return frozenset((defined & inline) - others)


def open_definitions(files: Sequence[tuple[c_ast.FileAST, ProgramFile]]) -> Iterator[tuple[ProgramFile, str, str]]:
    """The inline definitions that differ from the definition in another file: C leaves open which a call means.

    files: with their trees. The results are the file, the function's name, and the other file's name.
    """
    for tree, file in files:
        for name in sorted(file.inline):
            (own,) = _definitions(tree, name)
            others = [(item, other) for item, other in files if other is not file and name not in other.inline]
            for item, other in others:
                found = [node for node in _definitions(item, name) if "static" not in node.decl.storage]
                if any(_text(node) != _text(own) for node in found):
                    yield file, name, other.file


def _definitions(tree: c_ast.FileAST, name: str) -> list[c_ast.FuncDef]:
    return [node for node in tree.ext if isinstance(node, c_ast.FuncDef) and node.decl.name == name]


def _text(definition: c_ast.FuncDef) -> str:
    """Parameters and body."""
    return str(CGenerator().visit(definition.decl.type) + CGenerator().visit(definition.body))


def _declarations(nodes: Iterable[c_ast.Node]) -> list[c_ast.Decl]:
    found = (node.decl if isinstance(node, c_ast.FuncDef) else node for node in nodes)
    return [node for node in found if isinstance(node, c_ast.Decl)]
