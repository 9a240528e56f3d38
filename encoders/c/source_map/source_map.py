"""Where the statements, loops and calls of a C file are, and what is in scope there: what witnesses speak about.

Found from the tokens alone. What cannot be told with certainty is not found.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

from encoders.c.source_map.source_tokens import Token, Tokens, tokens_of

_HEADED = ("if", "while", "for", "switch")
_QUALIFIERS = {"const", "volatile", "static", "extern", "register", "auto", "inline", "__extension__", "typedef"}
_TYPES = {"void", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "_Bool"}
_TAGGED = {"struct", "union", "enum"}
_SIZES = {("char",): 8, ("short",): 16, ("int",): 32, ("long", "long"): 64}
_NO_NAME = {"return", "goto", "break", "continue", "else", "case", "default", "sizeof", "do", *_HEADED}


@dataclass(frozen=True)
class SourceVariable:
    """type: the sorted keywords of a plain arithmetic type, () for any other. In scope from token `first` to `last`."""

    name: str
    type: tuple[str, ...]
    first: int
    last: int

    def range(self, long: int) -> tuple[int, int] | None:
        """Of its values, if it is an integer that is no _Bool; long: the bits of a long."""
        words = [word for word in self.type if word not in ("signed", "unsigned")]
        size = [word for word in words if word != "int"] or (["int"] if self.type else [])
        bits = long if size == ["long"] else _SIZES.get(tuple(size))
        if bits is None:
            return None
        return (0, 2**bits - 1) if "unsigned" in self.type else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


@dataclass(frozen=True, eq=False)
class SourceFunction:
    """Token numbers: of its name, and of the braces around its body."""

    name: str
    at: int
    first: int
    last: int


@dataclass(eq=False)
class SourceMap:
    """ends: the last token of the statement that begins at a token; blocks: the closing brace of what is around it."""

    tokens: Tokens
    functions: list[SourceFunction] = field(default_factory=list)
    ends: dict[int, int] = field(default_factory=dict)
    blocks: dict[int, int] = field(default_factory=dict)
    variables: list[SourceVariable] = field(default_factory=list)
    typedefs: set[str] = field(default_factory=set)

    def token(self, index: int) -> Token:
        return self.tokens.items[index]

    def text(self, index: int) -> str:
        return self.tokens.items[index].text if 0 <= index < len(self.tokens.items) else ""

    def close(self, index: int) -> int:
        return self.tokens.partner[index]

    def function_at(self, index: int) -> SourceFunction | None:
        return next((f for f in self.functions if f.first < index < f.last), None)

    def statement_at(self, index: int) -> int | None:
        """The innermost statement around a token, no block."""
        around = [start for start, end in self.ends.items() if start <= index <= end and self.text(start) != "{"]
        return max(around, default=None)

    def is_label(self, index: int) -> bool:
        """Does a labelled statement begin at the token?"""
        return _colon(self, index) > 0

    def find(self, file: str, line: int, column: int) -> int | None:
        """The token at a place of the preprocessed program; None where its column cannot be relied upon."""
        near = [] if self.tokens.expanded else self.on_line(file, line)
        return next((index for index in near if self.token(index).column == column), None)

    def on_line(self, file: str, line: int) -> list[int]:
        """The tokens of a line of the preprocessed program."""
        lines = self.tokens.physical.get((file, line), [])
        return self._lines.get(lines[0], []) if len(lines) == 1 else []

    def visible(self, name: str, index: int) -> SourceVariable | None:
        """What a name means at a token; None if nothing, or if several scopes with that name are open."""
        found = [v for v in self.variables if v.name == name and v.first < index <= v.last]
        return found[0] if len(found) == 1 else None

    def instances(self, function: SourceFunction) -> bool:
        """Does one chain of single calls lead from main to the function? Then it has one instance in the encoding."""
        seen: set[str] = set()
        while function.name != "main":
            uses = self._uses.get(function.name, [])
            caller = self.function_at(uses[0]) if len(uses) == 1 and self.text(uses[0] + 1) == "(" else None
            if caller is None or function.name in seen:
                return False
            seen.add(function.name)
            function = caller
        return "main" not in self._uses

    def recursive(self, function: SourceFunction) -> bool:
        """May a call of the function lead to another of it, as far as names say?"""
        by_name = {f.name: f for f in self.functions}
        seen: set[str] = set()
        work = [function]
        while work:
            body = work.pop()
            called = {self.text(i) for i in range(body.first, body.last)} & by_name.keys()
            if function.name in called:
                return True
            work += [by_name[name] for name in called - seen]
            seen |= called
        return False

    @cached_property
    def _uses(self) -> dict[str, list[int]]:
        """Where each function's name is in the body of a function."""
        names: dict[str, list[int]] = {function.name: [] for function in self.functions}
        for function in self.functions:
            for index in range(function.first, function.last):
                if self.text(index) in names:
                    names[self.text(index)].append(index)
        return {name: uses for name, uses in names.items() if uses}

    @cached_property
    def _lines(self) -> dict[int, list[int]]:
        """The tokens of each line."""
        lines: dict[int, list[int]] = {}
        for index, token in enumerate(self.tokens.items):
            lines.setdefault(token.line, []).append(index)
        return lines


def source_map_of(text: str, file: str) -> SourceMap | None:
    """The layout of a C file; None if its brackets do not match."""
    tokens = tokens_of(text, file)
    if tokens is None:
        return None
    layout = SourceMap(tokens)
    _find_functions(layout)
    for function in layout.functions:
        _find_statements(layout, function)
    layout.variables.sort(key=lambda variable: variable.first)
    return layout


def _find_functions(layout: SourceMap) -> None:
    """Functions and global variables; typedefs that are at the top."""
    index, start, size = 0, 0, len(layout.tokens.items)
    while index < size:
        text = layout.text(index)
        if text == "{" and layout.text(index - 1) == ")":
            header = layout.close(index - 1)
            function = SourceFunction(layout.text(header - 1), header - 1, index, layout.close(index))
            layout.functions.append(function)
            _parameters(layout, header, function)
            index = start = function.last + 1
        elif text in ("{", "(", "["):
            index = layout.close(index) + 1
        elif text == ";":
            if layout.text(start) != ";":
                _declare(layout, start, index, size)
            index = start = index + 1
        else:
            index += 1


def _parameters(layout: SourceMap, header: int, function: SourceFunction) -> None:
    start = header + 1
    for comma in [*_commas(layout, start, layout.close(header)), layout.close(header)]:
        if comma > start:
            _declare(layout, start, comma, function.last)
        start = comma + 1


def _commas(layout: SourceMap, start: int, end: int) -> Iterator[int]:
    index = start
    while index < end:
        if layout.text(index) == ",":
            yield index
        index = layout.close(index) + 1 if layout.text(index) in ("(", "[", "{") else index + 1


def _declare(layout: SourceMap, start: int, end: int, last: int) -> None:
    """Enters the names of a declaration, if the tokens from `start` to before `end` are one."""
    index, words, other = start, [], False
    for index in count(start):
        text = layout.text(index)
        if text in _TYPES:
            words.append(text)
        elif text in _TAGGED:
            other = True
        elif not (text in _QUALIFIERS or (other and _is_name(text) and layout.text(index - 1) in _TAGGED)):
            break
    if layout.text(index) == "{" and other:
        index = layout.close(index) + 1
    if not words and not other:
        known = layout.text(index) in layout.typedefs or _is_name(layout.text(index + 1))
        if not _is_name(layout.text(index)) or not known:
            return
        index, other = index + 1, True
    if layout.text(start) == "typedef":
        names = [layout.text(i) for i in range(index, end) if _is_name(layout.text(i))]
        layout.typedefs.update(names[:1] if "(" in map(layout.text, range(index, end)) else names)
        return
    kind = () if other or {"float", "double", "void", "_Bool"} & set(words) else tuple(sorted(words))
    first = index
    for comma in [*_commas(layout, index, end), end]:
        name = next((i for i in range(first, comma) if _is_name(layout.text(i))), None)
        if name is not None:
            plain = name == first and (name + 1 == comma or layout.text(name + 1) == "=")
            layout.variables.append(SourceVariable(layout.text(name), kind if plain else (), name, last))
        first = comma + 1


def _is_name(text: str) -> bool:
    return text.isidentifier() and text not in _NO_NAME and text not in _TYPES | _TAGGED | _QUALIFIERS


def _find_statements(layout: SourceMap, function: SourceFunction) -> None:
    starts = _starts(layout, function)
    for start in reversed(starts):
        _end(layout, start)
    for start in starts:
        if start not in layout.ends:
            continue
        if layout.text(start) == "for":
            semicolon = _semicolon(layout, start + 2)
            _declare(layout, start + 2, semicolon, layout.ends[start])
        elif layout.text(start) not in ("{", ";", *_NO_NAME):
            _declare(layout, start, layout.ends[start], layout.blocks[start])


def _starts(layout: SourceMap, function: SourceFunction) -> list[int]:
    """The first tokens of all statements, in order; `blocks` of each."""
    starts: list[int] = []
    closing = [function.last]
    index, fresh = function.first + 1, True
    while index < function.last:
        text = layout.text(index)
        if text == "}":
            closing.pop()
            index, fresh = index + 1, True
            continue
        if fresh and text != "else":
            starts.append(index)
            layout.blocks[index] = closing[-1]
        if text == "{" and fresh:
            closing.append(layout.close(index))
            index += 1
        elif fresh and text in _HEADED and layout.text(index + 1) == "(":
            index = layout.close(index + 1) + 1
        elif fresh and text in ("do", "else"):
            index += 1
        elif fresh and (colon := _colon(layout, index)):
            index = colon + 1
        else:
            index = layout.close(index) if text in ("(", "[", "{") else index
            fresh = layout.text(index) == ";"
            index += 1
    return starts


def _colon(layout: SourceMap, index: int) -> int:
    """The colon of a label at a statement's beginning; 0 if there is none."""
    if layout.text(index) in ("case", "default"):
        end = _semicolon(layout, index)
        return next((i for i in range(index, end) if layout.text(i) == ":"), 0)
    return index + 1 if layout.text(index + 1) == ":" and layout.text(index).isidentifier() else 0


def _semicolon(layout: SourceMap, index: int) -> int:
    """The next semicolon outside of brackets."""
    while index < len(layout.tokens.items) and layout.text(index) != ";":
        index = layout.close(index) + 1 if layout.text(index) in ("(", "[", "{") else index + 1
    return index


def _end(layout: SourceMap, start: int) -> None:
    """Enters the last token of a statement whose parts are known; forgets the `while` that ends a `do`."""
    text, ends = layout.text(start), layout.ends
    if text == "{":
        ends[start] = layout.close(start)
    elif text in _HEADED and layout.text(start + 1) == "(":
        end = ends.get(layout.close(start + 1) + 1)
        if end is not None and text == "if" and layout.text(end + 1) == "else":
            end = ends.get(end + 2)
        if end is not None:
            ends[start] = end
    elif text == "do":
        end = ends.get(start + 1)
        if end is not None and layout.text(end + 1) == "while":
            ends[start] = layout.close(end + 2) + 1
            ends.pop(end + 1, None)
            ends.pop(ends[start], None)
    elif colon := _colon(layout, start):
        if colon + 1 in ends:
            ends[start] = ends[colon + 1]
    else:
        ends[start] = _semicolon(layout, start)
