"""Functions of a file as CBMC's compiler exports them (`--export-file-local-symbols`), and bodies that do not count.

A static function f of a file a.c is `__CPROVER_file_local_a_c_f` for other files, so proofs can call or replace it.
"""

import os
from collections.abc import Iterable, Iterator, Sequence

from pycparser import c_ast

from chcverify.horn.origin import Origin
from encoders.c.source.source_errors import Unsupported
from encoders.c.source.syntax_trees import named_declarator

PREFIX = "__CPROVER_file_local_"


def export_file_locals(
    trees: Sequence[c_ast.FileAST], removed: Sequence[Iterable[str]], shadowed: Sequence[bool] = ()
) -> None:
    """Changes the trees of a program's files: static functions that others name by their exported names get these.

    removed: for each tree, names of functions whose definitions become declarations. shadowed: for each tree, do
    functions that a tree which is not shadowed defines for other files count as removed? Raises Unsupported where a
    name that would have to change is that of something else, too.
    """
    wanted = {name for tree in trees for name in _names(tree) if name.startswith(PREFIX)}
    wanted |= {name for names in removed for name in names}
    shadowed = shadowed or [False] * len(trees)
    shadowing = [tree for tree, is_shadowed in zip(trees, shadowed, strict=True) if not is_shadowed]
    defined = {name for tree in shadowing for name in _defined(tree)}
    wanted |= {name for name in defined if name.startswith(PREFIX)}
    for tree, names, is_shadowed in zip(trees, removed, shadowed, strict=True):
        exported = {
            node.decl.name: name
            for node in tree.ext
            if isinstance(node, c_ast.FuncDef) and "static" in node.decl.storage
            if (name := _exported(node)) in wanted
        }
        _rename(tree, exported)
        without = set(names) | (defined if is_shadowed else set())
        tree.ext = [
            node.decl if isinstance(node, c_ast.FuncDef) and node.decl.name in without else node for node in tree.ext
        ]


def _defined(tree: c_ast.FileAST) -> Iterator[str]:
    """The functions that a tree defines for other files."""
    for node in tree.ext:
        if isinstance(node, c_ast.FuncDef) and "static" not in node.decl.storage and not node.decl.funcspec:
            yield node.decl.name


def _exported(node: c_ast.FuncDef) -> str:
    """`__CPROVER_file_local_a_c_f` for f of a.c."""
    file = os.path.basename(node.decl.coord.file)
    return f"{PREFIX}{file.replace('.', '_')}_{node.decl.name}"


def _names(tree: c_ast.FileAST) -> Iterator[str]:
    """The names that expressions of a tree mention and that functions are declared with."""
    for node in _nodes(tree):
        if isinstance(node, c_ast.ID) or (isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl)):
            yield node.name or ""


def _nodes(tree: c_ast.Node) -> Iterator[c_ast.Node]:
    """All nodes, those that name a member of a record excepted."""
    work: list[c_ast.Node] = [tree]
    while work:
        node = work.pop()
        yield node
        if isinstance(node, c_ast.StructRef):
            work.append(node.name)
        elif isinstance(node, c_ast.Struct | c_ast.Union):
            work.extend(part for member in node.decls or () for _, part in member.children())
        elif isinstance(node, c_ast.NamedInitializer):
            work.append(node.expr)
            work.extend(part for part in node.name if not isinstance(part, c_ast.ID))
        else:
            work.extend(child for _, child in node.children())


def _rename(tree: c_ast.FileAST, names: dict[str, str]) -> None:
    """Gives functions of a tree other names and external linkage."""
    if not names:
        return
    for node in _nodes(tree):
        if isinstance(node, c_ast.ID) and node.name in names:
            node.name = names[node.name]
        elif isinstance(node, c_ast.Decl | c_ast.Typedef | c_ast.Enumerator) and node.name in names:
            if not isinstance(node, c_ast.Decl) or not isinstance(node.type, c_ast.FuncDecl):
                origin = Origin(node.coord.file, node.coord.line, node.coord.column or 1)
                raise Unsupported(origin, f"'{node.name}', which is also a static function that another file names")
            node.name = names[node.name]
            node.storage = [word for word in node.storage if word != "static"]
            named_declarator(node.type).declname = node.name
