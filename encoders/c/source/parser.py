"""Preprocessed C text to pycparser's syntax tree."""

import gc
import re
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

from pycparser import c_ast
from pycparser.c_parser import ParseError

from chcverify.effort import RECURSION_LIMIT
from chcverify.horn.system import Origin
from encoders.c.source.attributes import Attributes
from encoders.c.source.gnu_tokens import GnuLexer, Key
from encoders.c.source.grammar import GnuParser
from encoders.c.source.pointer_objects import NUMBER, compare_objects
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import LP64, DataModel

T = TypeVar("T")

# Names that gcc defines in every translation unit.
_PRELUDE = """
typedef float _Float32; typedef double _Float32x; typedef double _Float64; typedef long double _Float64x;
typedef __float128 _Float128;
"""
_ARGUMENT_LISTS = {
    "LP64": "typedef struct __va_list_tag { unsigned gp_offset; unsigned fp_offset; void *overflow_arg_area; "
    "void *reg_save_area; } __builtin_va_list[1]; "
    "typedef struct __chcverify_argument { unsigned long number; double real; void *pointer; int kind; } "
    "__chcverify_argument; typedef unsigned long __CPROVER_size_t; "
    "typedef __int128 __int128_t; typedef unsigned __int128 __uint128_t;",
    "ILP32": "typedef char *__builtin_va_list; "
    "typedef struct __chcverify_argument { unsigned long long number; double real; void *pointer; int kind; } "
    "__chcverify_argument; typedef unsigned __CPROVER_size_t;",
}
_STACK_BYTES = 512 << 20
"""Bytes of the stack of the thread that parses, enough for RECURSION_LIMIT nested calls. Chosen by hand."""


def parse(text: str, file: str, model: DataModel = LP64) -> tuple[c_ast.FileAST, Attributes]:
    """The syntax tree of `text` (no comments, no directives but line markers), and the attributes of its nodes.

    Raises SourceError with the coordinates of the offending token, which honour line markers.
    """
    parser = GnuParser(lexer=GnuLexer)
    quoted = file.replace("\\", "\\\\").replace('"', "_")
    try:
        tree = parser.parse(f'{_ARGUMENT_LISTS[model.name]}{_PRELUDE}# 1 "{quoted}"\n{text}', file)
    except ParseError as error:
        last = parser.clex.last if isinstance(parser.clex, GnuLexer) else None
        raise _located(str(error), last, file) from None
    except (ValueError, AttributeError, AssertionError) as error:
        raise SourceError(Origin(file, 1), f"cannot be parsed: {error or type(error).__name__}") from None
    if NUMBER in text:
        compare_objects(tree)
    return tree, parser.attributes


def _located(message: str, last: Key | None, file: str) -> SourceError:
    """The parser's error with a position; the last token that was read if it has none."""
    match = re.match(r"(.*?):(\d+)(?::(\d+))?: (.*)", message, re.DOTALL)
    what = match[4] if match else message.rsplit(": ", 1)[-1].lower()
    lvalue = (match[1], int(match[2]), int(match[3] or 1)) if match else last or (file, 1, 1)
    if what.startswith("before: "):
        return SourceError(Origin(*lvalue), f"syntax error before '{what.removeprefix('before: ')}'")
    return SourceError(Origin(*lvalue), "unterminated comment" if "Comments" in what else f"syntax error: {what}")


def with_deep_stack(work: Callable[[], T]) -> T:
    """The result of work(), run where syntax trees may nest thousands of levels deep.

    Garbage collection pauses meanwhile: trees and automata live on, and scanning them again and again is what costs.
    """
    outcome: list[T] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:
            failure.append(error)

    collecting = gc.isenabled()
    gc.disable()
    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK_BYTES)
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        thread = threading.Thread(target=run, name="c-front-end")
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
        if collecting:
            gc.enable()
    if failure:
        error = failure[0]
        if isinstance(error, RecursionError):
            raise Unsupported(Origin("<input>", 1), "nesting too deep") from None
        raise error
    return outcome[0]
