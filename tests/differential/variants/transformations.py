"""Transformations of C programs that keep the verdict: each takes a tree, and returns whether it changed anything."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from encoders.c.types.c_types import DataModel

from .trees import addressed, functions, of_type, replace

Change = Callable[[c_ast.FileAST, random.Random], bool]


@dataclass(frozen=True)
class Transformation:
    """name: for tables. change: what it does to a tree. model: the data model that it keeps verdicts in; "" for all."""

    name: str
    change: Change
    model: str = ""

    def fits(self, model: DataModel) -> bool:
        """True if it keeps verdicts in the data model."""
        return self.model in ("", model.name)


def rename(tree: c_ast.FileAST, chance: random.Random) -> bool:
    """New names for variables and for functions with bodies."""
    fixed = {"main", "reach_error"} | {node.name for node in of_type(tree, c_ast.Enumerator, c_ast.Typedef)}
    own = {node.decl.name for node in functions(tree)}
    members = {id(d) for record in of_type(tree, c_ast.Struct, c_ast.Union) for d in record.decls or ()}
    declared = [node for node in of_type(tree, c_ast.Decl) if node.name and id(node) not in members]
    external = {node.name for node in declared if isinstance(node.type, c_ast.FuncDecl)} - own
    external |= {node.name for node in declared if "extern" in node.storage}
    names = sorted({node.name for node in declared} - fixed - external)
    chance.shuffle(names)
    new = {name: f"{chance.choice('pqrstuvw')}{i}_x" for i, name in enumerate(names) if not name.startswith("__")}
    fields = {id(node.field) for node in of_type(tree, c_ast.StructRef)}
    fields |= {id(name) for node in of_type(tree, c_ast.NamedInitializer) for name in node.name}
    for node in of_type(tree, c_ast.ID):
        if id(node) not in fields:
            node.name = new.get(node.name, node.name)
    for node in declared:
        kind: Any = node.type
        while kind is not None and not isinstance(kind, c_ast.TypeDecl):
            kind = getattr(kind, "type", None)
        if kind is not None and kind.declname == node.name:
            kind.declname = new.get(node.name, node.name)
        node.name = new.get(node.name, node.name)
    return bool(new)


def _continues(body: c_ast.Node) -> bool:
    """True if a `continue` in the body is one of its loop."""
    stack: list[c_ast.Node] = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.Continue):
            return True
        if not isinstance(node, c_ast.For | c_ast.While | c_ast.DoWhile):
            stack.extend(child for _, child in node.children())
    return False


def loops(tree: c_ast.FileAST, chance: random.Random) -> bool:
    """`while` for `for`, and the other way round."""

    def other(node: c_ast.Node) -> c_ast.Node:
        if isinstance(node, c_ast.While) and chance.random() < 0.5:
            return c_ast.For(None, node.cond, None, node.stmt)
        if isinstance(node, c_ast.For) and not _continues(node.stmt):
            then = [node.stmt, *([node.next] if node.next is not None else [])]
            loop = c_ast.While(node.cond or c_ast.Constant("int", "1"), c_ast.Compound(then))
            first = node.init.decls if isinstance(node.init, c_ast.DeclList) else [node.init] if node.init else []
            return c_ast.Compound([*first, loop])
        return node

    return replace(tree, other) > 0


def branches(tree: c_ast.FileAST, chance: random.Random) -> bool:
    """The negated condition, with the branches exchanged."""
    found = [node for node in of_type(tree, c_ast.If) if node.iftrue is not None and node.iffalse is not None]
    for node in found:
        node.cond = c_ast.UnaryOp("!", node.cond)
        node.iftrue, node.iffalse = c_ast.Compound([node.iffalse]), node.iftrue
    return bool(found)


def pointers(tree: c_ast.FileAST, chance: random.Random) -> bool:
    """`*(a + i)` for `a[i]`."""

    def pointer(node: c_ast.Node) -> c_ast.Node:
        if not isinstance(node, c_ast.ArrayRef):
            return node
        return c_ast.UnaryOp("*", c_ast.BinaryOp("+", node.name, node.subscript))

    return replace(tree, pointer) > 0


_LONG = {("int",): ["long"], ("unsigned", "int"): ["unsigned", "long"], ("unsigned",): ["unsigned", "long"]}


def types(tree: c_ast.FileAST, chance: random.Random) -> bool:
    """`long` for `int` in local variables whose address is not taken: where both have 32 bits."""
    taken, changed = addressed(tree), 0
    for function in functions(tree):
        for node in of_type(function.body, c_ast.Decl):
            kind = node.type.type if isinstance(node.type, c_ast.TypeDecl) else None
            if isinstance(kind, c_ast.IdentifierType) and node.name not in taken and node.bitsize is None:
                new = _LONG.get(tuple(kind.names))
                changed += new is not None
                node.type.type = c_ast.IdentifierType(new or kind.names)
    return changed > 0


def assignments(tree: c_ast.FileAST, chance: random.Random) -> bool:
    """`x = x + e` for `x += e` and, as a statement, for `x++`."""
    changed = 0

    def plain(node: c_ast.Node) -> c_ast.Node:
        if isinstance(node, c_ast.Assignment) and len(node.op) > 1 and isinstance(node.lvalue, c_ast.ID):
            name = node.lvalue.name
            return c_ast.Assignment("=", node.lvalue, c_ast.BinaryOp(node.op[:-1], c_ast.ID(name), node.rvalue))
        return node

    def stepped(node: c_ast.Node) -> c_ast.Node:
        if (
            isinstance(node, c_ast.UnaryOp)
            and node.op in ("++", "p++", "--", "p--")
            and isinstance(node.expr, c_ast.ID)
        ):
            name = node.expr.name
            one = c_ast.BinaryOp("+" if "++" in node.op else "-", c_ast.ID(name), c_ast.Constant("int", "1"))
            return c_ast.Assignment("=", node.expr, one)
        return node

    for node in of_type(tree, c_ast.Compound, c_ast.For):
        if isinstance(node, c_ast.For):
            new = stepped(node.next) if node.next is not None else None
            changed += new is not node.next
            node.next = new
        for i, item in enumerate(node.block_items or () if isinstance(node, c_ast.Compound) else ()):
            node.block_items[i] = stepped(item)
            changed += node.block_items[i] is not item
    return replace(tree, plain) + changed > 0


_HARMLESS = (c_ast.ID, c_ast.Constant, c_ast.UnaryOp, c_ast.BinaryOp)


def _names(node: c_ast.Node | None) -> set[str] | None:
    """The names in an expression that neither calls, reads memory, divides nor changes anything; None of others."""
    if node is None:
        return set()
    parts = of_type(node, c_ast.Node)
    harmless = all(isinstance(part, _HARMLESS) for part in parts)
    harmless = harmless and not any(isinstance(part, c_ast.UnaryOp) and part.op not in "-+~!" for part in parts)
    harmless = harmless and not any(isinstance(part, c_ast.BinaryOp) and part.op in "/%" for part in parts)
    return {part.name for part in parts if isinstance(part, c_ast.ID)} if harmless else None


def _effect(item: c_ast.Node) -> tuple[str, set[str]] | None:
    """The variable that a statement writes, and those that it reads; None for statements that may do more."""
    if isinstance(item, c_ast.Decl) and isinstance(item.type, c_ast.TypeDecl) and not item.storage:
        kind, read = item.type.type, _names(item.init)
        plain = isinstance(kind, c_ast.IdentifierType) and not item.quals
        return (item.name, read) if plain and read is not None else None
    if isinstance(item, c_ast.Assignment) and item.op == "=" and isinstance(item.lvalue, c_ast.ID):
        read = _names(item.rvalue)
        return (item.lvalue.name, read) if read is not None else None
    return None


def order(tree: c_ast.FileAST, chance: random.Random) -> bool:
    """Neighbours exchanged that write different variables, and none that the other one reads."""
    taken, changed = addressed(tree), 0
    for block in of_type(tree, c_ast.Compound):
        items = block.block_items or []
        i = 0
        while i + 1 < len(items):
            first, second = _effect(items[i]), _effect(items[i + 1])
            i += 1
            if first is None or second is None or {first[0], second[0]} & taken:
                continue
            if first[0] != second[0] and first[0] not in second[1] and second[0] not in first[1]:
                items[i - 1], items[i] = items[i], items[i - 1]
                changed += 1
                i += 1
    return changed > 0


def _is_length(node: c_ast.Decl, tree: c_ast.FileAST) -> bool:
    """True if the variable starts with a constant and is the length of an array."""
    used = {each.dim.name for each in of_type(tree, c_ast.ArrayDecl) if isinstance(each.dim, c_ast.ID)}
    return isinstance(node.init, c_ast.Constant) and node.name in used


def sizes(tree: c_ast.FileAST, chance: random.Random) -> bool:
    """Another length of arrays, where it is the only number above 10 in the program."""
    numbers = [node for node in of_type(tree, c_ast.Constant) if "int" in node.type]
    small = {str(number) for number in range(11)}
    large = {node.value for node in numbers if node.value.rstrip("uUlL") not in small}
    lengths = {node.dim.value for node in of_type(tree, c_ast.ArrayDecl) if isinstance(node.dim, c_ast.Constant)}
    lengths |= {node.init.value for node in of_type(tree, c_ast.Decl) if _is_length(node, tree)}
    (old, *others) = large or [""]
    if others or not old.isdigit() or old not in lengths:
        return False
    new = str(int(old) + 12 * chance.randint(1, 50))  # with the same remainders by 2, 3, 4, 6
    for node in numbers:
        node.value = new if node.value == old else node.value
    return True


def unused(tree: c_ast.FileAST, chance: random.Random) -> bool:
    """A variable that nothing reads, counted up in each loop."""
    for function in functions(tree):
        if function.decl.name == "main":
            name = f"unused_{chance.randint(1, 99)}"
            kind = c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(["unsigned", "int"]))
            start = c_ast.Decl(name, [], [], [], [], kind, c_ast.Constant("int", "0"), None)
            for loop in of_type(function.body, c_ast.For, c_ast.While):
                loop.stmt = c_ast.Compound([c_ast.UnaryOp("p++", c_ast.ID(name)), loop.stmt])
            function.body.block_items = [start, *(function.body.block_items or [])]
            return True
    return False


ALL: Sequence[Transformation] = (
    Transformation("names", rename),
    Transformation("loops", loops),
    Transformation("branches", branches),
    Transformation("pointers", pointers),
    Transformation("types", types, "ILP32"),
    Transformation("assignments", assignments),
    Transformation("order", order),
    Transformation("sizes", sizes),
    Transformation("unused", unused),
)
