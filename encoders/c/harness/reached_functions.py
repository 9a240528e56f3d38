"""Preprocessed texts reduced to what one function may call.

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
_DECLARED = re.compile(r"([A-Za-z_$][\w$]*)\s*\(")
# Parentheses around a name or a declarator, as in (f)(int) and (*f(int))(int): what is in them is not looked at.
_ENCLOSED = re.compile(r"\)\s*\(")
_TAG = re.compile(r"\b(?:struct|union|enum)\b")
# More than a function is declared, or something else, or attributes whose words look like names.
_OTHER = re.compile(r"\b(?:typedef|_Static_assert|static_assert|_Pragma)\b|[=,]|\[\[")
# Attributes by which a function is used that nothing mentions, or by another name.
_UNNAMED = re.compile(r"\b_*(?:constructor|destructor|alias|ifunc|weakref|symver|asm)_*\b")
_DIGRAPH = "<%"
_NO_NAME = re.compile(
    r"_Noreturn|_Bool|_Alignas|__declspec|__extension__|_*(?:attribute|typeof|const|volatile|inline|restrict)_*"
    r"|void|char|short|int|long|float|double|signed|unsigned|static|extern"
)


@dataclass(frozen=True)
class _Signature:
    """Of a function. names: its own is one of them. has_tag: its result may introduce a tag for the whole file (C11
    6.2.1p7)."""

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
    if not plain.endswith(")") or "{" in plain or _TAG.search(plain):
        return False
    return not _OTHER.search(_outside_parentheses(plain))


def _signature(head: str) -> _Signature | None:
    """What stands in front of the body or the end of a declaration; None if that is not one of a single function, or
    more than its name may lead to it, or if another body is in it, of what was not understood before."""
    plain = _MARKER.sub("", head).rstrip()
    if not plain.endswith(")") or "{" in plain or _UNNAMED.search(plain) or _ENCLOSED.search(plain):
        return None
    outside = _outside_parentheses(plain)
    # The last word before the parameters and what follows these: attributes may stand between.
    last = [word for word in _WORD.findall(outside) if not _NO_NAME.fullmatch(word)][-1:]
    words = [*(found[1] for found in _DECLARED.finditer(plain)), *last]
    names = tuple(dict.fromkeys(word for word in words if not _NO_NAME.fullmatch(word)))
    if not names or "(" in outside or _OTHER.search(outside):
        return None
    return _Signature(names, _TAG.search(outside) is not None)


def _outside_parentheses(text: str) -> str:
    """What is in no parentheses."""
    inner = ""
    while inner != text:
        inner, text = text, _INNERMOST.sub("", text)
    return text
