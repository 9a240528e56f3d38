"""Positions of the statements, loops and calls of a C file, and the variables in scope there, as witnesses need them.

Computed from the tokens alone; what the tokens do not determine with certainty is left out.
"""

from collections.abc import Iterator
from dataclasses import field
from functools import cached_property
from itertools import count

from chcverify.quick_dataclass import dataclass
from encoders.c.source_map.source_tokens import Token, Tokens, tokens_of

_HEADED = ("if", "while", "for", "switch")
_QUALIFIERS = {"const", "volatile", "static", "extern", "register", "auto", "inline", "__extension__", "typedef"}
_TYPES = {"void", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "_Bool"}
_TAGGED = {"struct", "union", "enum"}
_SIZES = {("char",): 8, ("short",): 16, ("int",): 32, ("long", "long"): 64}
_NO_NAME = {"return", "goto", "break", "continue", "else", "case", "default", "sizeof", "do", *_HEADED}


@dataclass(frozen=True)
class SourceVariable:
    """A variable of the source."""

    name: str
    type: tuple[str, ...]
    """The sorted keywords of a plain arithmetic type, () for any other."""
    first: int
    last: int
    """The tokens between which it is in scope."""

    def range(self, long: int) -> tuple[int, int] | None:
        """The range of its values, None unless it is an integer other than _Bool. long: the bits of a long."""
        words = [word for word in self.type if word not in ("signed", "unsigned")]
        size = [word for word in words if word != "int"] or (["int"] if self.type else [])
        bits = long if size == ["long"] else _SIZES.get(tuple(size))
        if bits is None:
            return None
        return (0, 2**bits - 1) if "unsigned" in self.type else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


@dataclass(frozen=True, eq=False)
class SourceFunction:
    """A function definition."""

    name: str
    at: int
    """The number of the token of its name."""
    first: int
    last: int
    """Of the braces around its body."""


@dataclass(eq=False)
class SourceMap:
    """The statements, functions and variables of a file, by token numbers.

    ends: the last token of the statement that begins at a token. blocks: the closing brace of the block around it.
    """

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
        """True if a labelled statement begins at the token."""
        return _colon(self, index) > 0

    def find(self, file: str, line: int, column: int) -> int | None:
        """The token at a position of the preprocessed program; None where its column is not reliable."""
        near = [] if self.tokens.expanded else self.on_line(file, line)
        return next((index for index in near if self.token(index).column == column), None)

    def on_line(self, file: str, line: int) -> list[int]:
        """The tokens of a line of the preprocessed program."""
        lines = self.tokens.physical.get((file, line), [])
        return self._lines.get(lines[0], []) if len(lines) == 1 else []

    def visible(self, name: str, index: int) -> SourceVariable | None:
        """The variable that a name denotes at a token; None if none, or if several scopes with that name are open."""
        found = [v for v in self.variables if v.name == name and v.first < index <= v.last]
        return found[0] if len(found) == 1 else None

    def instances(self, function: SourceFunction) -> bool:
        """True if one chain of single calls leads from main to the function: it has one instance in the encoding."""
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
        """True if, judged by names, a call of the function may lead to another call of it."""
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
        """The tokens at which each function's name occurs in the bodies of functions."""
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
    """The source map of a C file; None if its brackets do not match."""
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
    """Enters the functions, the global variables and the typedefs at file scope."""
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
    """Enters the names of a declaration, if the tokens from `start` to before `end` are one. last: of their scope."""
    specifiers = _specifiers(layout, start)
    if specifiers is None:
        return
    kind, first = specifiers
    if layout.text(start) == "typedef":
        names = [layout.text(i) for i in range(first, end) if _is_name(layout.text(i))]
        layout.typedefs.update(names[:1] if "(" in map(layout.text, range(first, end)) else names)
        return
    for comma in [*_commas(layout, first, end), end]:
        name = next((i for i in range(first, comma) if _is_name(layout.text(i))), None)
        if name is not None:
            plain = name == first and (name + 1 == comma or layout.text(name + 1) == "=")
            layout.variables.append(SourceVariable(layout.text(name), kind if plain else (), name, last))
        first = comma + 1


def _specifiers(layout: SourceMap, start: int) -> tuple[tuple[str, ...], int] | None:
    """The type that a declaration begins with, as in SourceVariable, and the token behind it; None if there is none."""
    words, tagged = [], False
    for index in count(start):
        text = layout.text(index)
        if text in _TYPES:
            words.append(text)
        elif text in _TAGGED:
            tagged = True
        elif text not in _QUALIFIERS and not _is_tag(layout, index):
            break
    if layout.text(index) == "{" and tagged:
        index = layout.close(index) + 1
    if tagged or {"float", "double", "void", "_Bool"} & set(words):
        return (), index
    if words:
        return tuple(sorted(words)), index
    is_type = layout.text(index) in layout.typedefs or _is_name(layout.text(index + 1))
    return ((), index + 1) if _is_name(layout.text(index)) and is_type else None


def _is_tag(layout: SourceMap, index: int) -> bool:
    """True if the token is the tag of a structure, union or enumeration."""
    return layout.text(index - 1) in _TAGGED and _is_name(layout.text(index))


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
    """The first tokens of all statements, in order. Enters the block around each."""
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
    """Enters the last token of a statement whose parts are entered; removes the `while` that ends a `do`."""
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
