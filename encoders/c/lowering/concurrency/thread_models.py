"""Models in C of what threads wait for: mutexes, conditions, locks of readers and writers, semaphores, barriers.

They use the program's own types, whose declarations `with_modelled_objects` makes simple.
"""

import re
from functools import cache
from pathlib import Path

from pycparser import c_ast

from chcverify.horn.system import Origin
from encoders.c.library.model_files import RUN_DESTRUCTORS
from encoders.c.lowering.calls.library_models import DIRECTORY, FUNCTION, declared_model, declared_text
from encoders.c.lowering.context import Unit
from encoders.c.lowering.file_scope.static_objects import is_thread_local
from encoders.c.lowering.symbols import FunctionSymbol, Scope, Symbol, TypeName
from encoders.c.source.comments import strip_comments
from encoders.c.source.parser import parse
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import CInteger

# Of a union of glibc its first member remains, so that initialisers fit; what has none gets the members below.
_FIRST_MEMBER = frozenset({"pthread_mutex_t"})
_OBJECTS = """
typedef struct { int __kind; } pthread_mutexattr_t;
typedef struct { struct { int __readers; int __writer; int __rest[14]; } __data; } pthread_rwlock_t;
typedef struct { unsigned __value; } sem_t;
typedef struct { unsigned __count; unsigned __waiting; unsigned __round; } pthread_barrier_t;
typedef struct { int __owner; int __count; int __kind; int __rest[7]; } mtx_t;
"""
# A record of the program's own may be called so, which is no type of the library; glibc's is a union.
_OTHERS_MAY_DEFINE = frozenset({"mtx_t"})
_TYPE = re.compile(r"\b(?:pthread_\w+_t|sem_t|mtx_t|cnd_t|once_flag)\b")
# Where a thread begins instead, if the program has keys.
_WITH_DESTRUCTORS = """
{result} __chcverify_begin({parameter}) {{
  {result} result = __chcverify_start({argument});
  {destructors}();
  return result;
}}
"""


@cache
def _index() -> dict[str, tuple[Path, frozenset[str]]]:
    """The file that models each function, and the types of the program that it mentions."""
    found = {}
    for path in sorted((DIRECTORY / "threads").glob("*.c")):
        text = strip_comments(path.read_text(encoding="utf-8"))
        kinds = frozenset(_TYPE.findall(text)) | ({"struct timespec"} if "timespec" in text else frozenset())
        found.update({match[1]: (path, kinds) for match in FUNCTION.finditer(text)})
    return found


def thread_model(unit: Unit, scope: Scope, name: str) -> FunctionSymbol | None:
    """The model of a function; None if it has none, or if its types are not declared in the scope of the call."""
    if name not in _index():
        return None
    path, kinds = _index()[name]
    names: dict[str, Symbol] = {}
    for kind in kinds:
        symbol = scope.find(kind)
        if isinstance(symbol, TypeName):
            names[kind] = symbol
    key = f"{path}<{', '.join(f'{kind} {symbol.type}' for kind, symbol in sorted(names.items()))}>"  # type: ignore[union-attr]
    found = unit.libraries.get(key)
    if found is None:
        found = unit.libraries[key] = declared_model(unit, path, Scope(names=names))
    model = found.names.get(name)
    return model if isinstance(model, FunctionSymbol) else None


def with_destructors(unit: Unit, start: FunctionSymbol) -> FunctionSymbol:
    """The function that calls the one at which a thread begins and then the destructors of the thread's keys."""
    name = f"<thread with keys {start.name}>"
    scope = unit.libraries.get(name)
    if scope is None:
        is_number, has_argument = isinstance(start.type.result, CInteger), bool(start.type.parameters)
        text = _WITH_DESTRUCTORS.format(
            result="int" if is_number else "void *",
            parameter="void *argument" if has_argument else "void",
            argument="argument" if has_argument else "",
            destructors=RUN_DESTRUCTORS,
        )
        names: dict[str, Symbol] = {"__chcverify_start": start, RUN_DESTRUCTORS: destructors_of_keys(unit)}
        scope = unit.libraries[name] = declared_text(unit, text, "keys.c", Scope(names=names))
    made = scope.names["__chcverify_begin"]
    assert isinstance(made, FunctionSymbol)
    made.name = name
    return made


def destructors_of_keys(unit: Unit) -> FunctionSymbol:
    """The function that calls the destructors of the executing thread's keys; it is lowered with the program."""
    found = thread_model(unit, Scope(), RUN_DESTRUCTORS)
    assert found is not None
    unit.wanted.setdefault(found.name, found)
    return found


def with_modelled_objects(tree: c_ast.FileAST) -> None:
    """Changes the declarations of types that the models use, which are unions in glibc, to records of one member."""
    simple, _ = parse(_OBJECTS, "<threads>")
    own = {node.name: node for node in simple.ext if isinstance(node, c_ast.Typedef)}
    for position, node in enumerate(tree.ext):
        if not isinstance(node, c_ast.Typedef):
            continue
        declarator = node.type
        kind = declarator.type if isinstance(declarator, c_ast.TypeDecl) else None
        is_own_record = node.name in _OTHERS_MAY_DEFINE and isinstance(kind, c_ast.Struct)
        if node.name in own and isinstance(kind, c_ast.Struct | c_ast.Union) and not is_own_record:
            own[node.name].coord = node.coord
            tree.ext[position] = own[node.name]
        elif node.name in _FIRST_MEMBER and isinstance(kind, c_ast.Union) and kind.decls:
            assert isinstance(declarator, c_ast.TypeDecl)
            declarator.type = c_ast.Struct(kind.name, kind.decls[:1], kind.coord)


def refuse_foreign_thread_storage(tree: c_ast.FileAST) -> None:
    """Raises Unsupported for thread-local objects that another file may define."""
    stack: list[c_ast.Node] = list(reversed(tree.ext))
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.Decl) and is_thread_local(node) and "extern" in node.storage:
            raise Unsupported(_origin(node), f"thread-local extern object '{node.name}'")
        stack.extend(child for _, child in reversed(node.children()))


def _origin(node: c_ast.Node) -> Origin:
    coord = node.coord
    return Origin(coord.file or "", coord.line, coord.column or 1) if coord is not None else Origin("", 1)
