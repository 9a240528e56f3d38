"""Preprocessed texts of which only what one function may call is left.

A function is kept if its name stands in text that is kept, whatever is done with it there. Headers and neighbours are
most of what is parsed, and little of it is called. Blanks and line breaks take the place of the other functions, so
that all else keeps its position. The texts are split into declarations here, and not parsed: that is what takes long.
Where it is not plain how a function is called, it is kept with all that it mentions.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from chcverify.quick_dataclass import dataclass

# A literal, a line marker, or what begins or ends a declaration at file scope.
_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#.*$|[{};]', re.MULTILINE)
_MARKER = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_MARKER_OR_CHARACTER = re.compile(r"^[ \t]*#.*$|\S", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_INNERMOST = re.compile(r"\([^()]*\)")
# What parameters may follow, also behind parentheses around the name: f(int), (f)(int), (*f(int))(int).
_DECLARED = re.compile(r"([A-Za-z_$][\w$]*)[\s)]*\(")
_TAG = re.compile(r"\b(?:struct|union|enum)\b")
# More than a function is declared, or something else.
_OTHER = re.compile(r"\b(?:typedef|_Static_assert|static_assert|_Pragma)\b|[=,]")
# Attributes by which a function is used that nothing mentions, or by another name.
_UNNAMED = re.compile(r"\b_*(?:constructor|destructor|alias|ifunc|weakref|symver|asm)_*\b")
_DIGRAPH = "<%"
_NO_NAME = re.compile(
    r"_Noreturn|_Bool|_Alignas|__declspec|__extension__|_*(?:attribute|typeof|const|volatile|inline|restrict)_*"
    r"|void|char|short|int|long|float|double|signed|unsigned|static|extern"
)


@dataclass(frozen=True)
class _Signature:
    """Of a function. names: its own is one of them, those of parameters that are functions are others. has_tag: its
    result may introduce a tag for the whole file (C11 6.2.1p7)."""

    names: tuple[str, ...]
    has_tag: bool


@dataclass(frozen=True)
class _Function:
    """A declaration of a function at file scope. body: where that begins, None without one."""

    start: int
    end: int
    signature: _Signature
    body: int | None = None


def with_reached_functions(texts: Sequence[str], entry: str, stays: Callable[[str], bool]) -> list[str]:
    """The texts of one program without functions to which no call of the entry leads, by the names that are mentioned.

    stays: says whether a function with this name may be called by what is not in the texts. A text that is not
    understood stays as it is, and so does what it mentions; so do all where the entry is not defined.
    """
    functions = [_functions(text) for text in texts]
    declared: dict[str, list[tuple[int, _Function]]] = {}
    work = [{entry}]
    for number, (text, found) in enumerate(zip(texts, functions, strict=True)):
        done = 0
        for function in found:
            work.append(set(_WORD.findall(text, done, function.start)))
            done = function.end
            for name in function.signature.names:
                declared.setdefault(name, []).append((number, function))
                if function.body is not None and stays(name):
                    work.append({name})
        work.append(set(_WORD.findall(text, done)))
    if all(function.body is None for _, function in declared.get(entry, ())):
        return list(texts)
    mentioned = set[str]()
    while work:
        fresh = work.pop() - mentioned
        mentioned |= fresh
        for name in fresh & declared.keys():
            work += [set(_WORD.findall(texts[number], each.start, each.end)) for number, each in declared[name]]
    return [
        _without(text, (function for function in found if mentioned.isdisjoint(function.signature.names)))
        for text, found in zip(texts, functions, strict=True)
    ]


def _without(text: str, functions: Iterable[_Function]) -> str:
    """The text with blanks and line breaks in the place of functions, but for line markers; of one that may introduce
    a tag, its declaration stays."""
    parts, done = list[str](), 0
    for function in functions:
        start = function.start
        if function.signature.has_tag:
            if function.body is None:
                continue
            start = function.body + 1
        parts += [text[done:start], _MARKER_OR_CHARACTER.sub(_blank, text[start : function.end])]
        if function.signature.has_tag:
            parts[-2] = f"{parts[-2][:-1]};"
        done = function.end
    return "".join([*parts, text[done:]])


def _blank(found: re.Match[str]) -> str:
    return found[0] if "#" in found[0] and len(found[0]) > 1 else " "


def _functions(text: str) -> list[_Function]:
    """The declarations of functions at file scope; none if the text is not understood, as where definitions are in the
    manner before C89."""
    found: list[_Function] = []
    depth = start = opened = 0
    signature: _Signature | None = None
    for token in () if _DIGRAPH in text else _TOKEN.finditer(text):
        match text[token.start()]:
            case "{":
                if depth == 0:
                    opened = token.start()
                    if not _MARKER.sub("", text[start:opened]).strip():
                        return []
                    signature = _signature(text[start:opened])
                depth += 1
            case "}":
                depth -= 1
                if depth < 0:
                    return []
                if depth == 0 and signature is not None:
                    found.append(_Function(start, token.end(), signature, opened))
                if depth == 0 and (signature is not None or _is_function(text[start:opened])):
                    start, signature = token.end(), None
            case ";" if depth == 0:
                declared = _signature(text[start : token.start()]) if opened < start else None
                if declared is not None:
                    found.append(_Function(start, token.end(), declared))
                start = token.end()
    return found if depth == 0 and not _MARKER.sub("", text[start:]).strip() else []


def _is_function(head: str) -> bool:
    """Does what stands in front of a body begin a function, and nothing that goes on behind the body?"""
    plain = _MARKER.sub("", head).rstrip()
    return plain.endswith(")") and "{" not in plain and not _TAG.search(plain) and not _OTHER.search(plain)


def _signature(head: str) -> _Signature | None:
    """What stands in front of the body or the end of a declaration; None if that is not one of a single function, or
    more than its name may lead to it, or if another body is in it, of what was not understood before."""
    plain = _MARKER.sub("", head).rstrip()
    if not plain.endswith(")") or "{" in plain or _UNNAMED.search(plain):
        return None
    names = tuple(found[1] for found in _DECLARED.finditer(plain) if not _NO_NAME.fullmatch(found[1]))
    inner = ""
    while inner != plain:
        inner, plain = plain, _INNERMOST.sub("", plain)
    if not names or "(" in plain or _OTHER.search(plain):
        return None
    return _Signature(names, _TAG.search(plain) is not None)
