"""The token pass: GNU C token sequences become the C11 that pycparser reads; coordinates stay as they are.

Attributes vanish from the token stream. Those that change a type's layout or a function's behaviour are kept aside in
`GnuLexer.attributes` under the coordinates that pycparser gives to the declared name or the record.
"""

import re
from collections import deque

from pycparser.c_lexer import CLexer, Token

from chcverify.horn.system import Origin
from encoders.c.errors import Unsupported

Key = tuple[str, int, int]  # file, line, column of a token

# What takes no part in the meaning of a program.
_DROPPED = {"__extension__"}
_SPELLINGS = {
    **dict.fromkeys(("__inline", "__inline__"), "INLINE"),
    **dict.fromkeys(("__const", "__const__"), "CONST"),
    **dict.fromkeys(("__volatile", "__volatile__"), "VOLATILE"),
    **dict.fromkeys(("__restrict", "__restrict__"), "RESTRICT"),
    **dict.fromkeys(("__signed", "__signed__"), "SIGNED"),
    **dict.fromkeys(("__complex", "__complex__"), "_COMPLEX"),
    **dict.fromkeys(("__alignof", "__alignof__"), "_ALIGNOF"),
    **dict.fromkeys(("typeof", "__typeof", "__typeof__"), "TYPEOF"),
    "__thread": "_THREAD_LOCAL",
    "__builtin_offsetof": "OFFSETOF",
    "static_assert": "_STATIC_ASSERT",
    "__float128": "DOUBLE",  # the type keeps its spelling; the type builder refuses it where it is used
}
_PLAIN_KEYWORDS = {"OFFSETOF": "offsetof", "__INT128": "__int128"}
_ASSEMBLER = {"asm", "__asm", "__asm__"}
_ATTRIBUTE = {"__attribute", "__attribute__"}
_KEPT = {"packed", "aligned", "mode", "vector_size", "noreturn", "transparent_union", "scalar_storage_order"}
# Attributes of the symbol that a declaration names; ASSEMBLER_NAME is none, but kept in the same way.
ASSEMBLER_NAME = "assembler name"
SYMBOL_ATTRIBUTES = {"alias", "weak", "weakref", "ifunc", ASSEMBLER_NAME}
_REFUSED = {"constructor", "destructor", "cleanup"}
ASSEMBLER_CALL = "__assembler_statement"


class GnuLexer(CLexer):  # type: ignore[misc]
    """pycparser's lexer with the GNU pass behind it. `token()` is the interface to the parser."""

    def input(self, text: str, filename: str = "") -> None:
        super().input(text, filename)
        self.attributes: dict[Key, list[tuple[str, str]]] = {}
        self.last: Key | None = None  # coordinates of the last token handed out
        self._ready: deque[Token] = deque()
        self._previous: Token | None = None
        self._records: list[Key | None] = []  # one entry per open brace: the record it belongs to
        self._opening: Key | None = None  # coordinates of a record specifier whose brace may follow
        self._closed: Key | None = None  # the record whose brace has just closed
        self._after_record_keyword = False
        self._pending: list[tuple[str, str]] = []  # attributes between `struct` and its name or brace
        self._declared: Key | None = None  # the last identifier outside parentheses
        self._depth = 0
        self._leading: list[tuple[str, str]] = []  # attributes of symbols before the names that they are for

    def token(self) -> Token | None:
        """The next token of the cleaned stream, None at the end."""
        while True:
            token = self._next()
            if token is None:
                return None
            if token.type == "ID" or token.type in _PLAIN_KEYWORDS:
                if token.value in _DROPPED:
                    continue
                if token.value in _ATTRIBUTE:
                    token = self._attribute(token)
                    if token is None:
                        continue
                elif token.value in _ASSEMBLER:
                    token = self._assembler(token)
                    if token is None:
                        continue
                elif token.value == "__label__":
                    raise Unsupported(_origin(token), "local labels (__label__)")
                else:
                    self._rename(token)
            self._track(token)
            self.last = (token.filename, token.lineno, token.column)
            self._previous = token
            return token

    def _next(self) -> Token | None:
        return self._ready.popleft() if self._ready else super().token()

    def _rename(self, token: Token) -> None:
        spelling: str | None = _SPELLINGS.get(token.value)
        if token.type == "OFFSETOF" and token.value == "offsetof":
            spelling = "ID"  # an ordinary identifier unless <stddef.h> defines it
        if (
            token.value == "static_assert"
            and self._previous is not None
            and self._previous.type not in ("SEMI", "RBRACE")
        ):
            return
        if spelling is not None:
            token.type = spelling

    def _group(self) -> list[Token]:
        """The tokens of the balanced parentheses that follow, both parentheses included; [] if none follow."""
        first = self._next()
        if first is None or first.type != "LPAREN":
            if first is not None:
                self._ready.appendleft(first)
            return []
        group, depth = [first], 1
        while depth:
            token = self._next()
            if token is None:
                self.error_func("unbalanced parentheses", first.lineno, first.column)
                return group
            depth += {"LPAREN": 1, "RPAREN": -1}.get(token.type, 0)
            group.append(token)
        return group

    def _attribute(self, keyword: Token) -> Token | None:
        names = _attribute_names(self._group())
        kept = [(name, arguments) for name, arguments in names if name in _KEPT]
        for name, _ in names:
            if name in _REFUSED:
                raise Unsupported(_origin(keyword), f"__attribute__(({name}))")
        previous = self._previous.type if self._previous is not None else "SEMI"
        self._of_symbol([(name, arguments) for name, arguments in names if name in SYMBOL_ATTRIBUTES])
        if any(name == "noreturn" for name, _ in kept) and previous not in ("RPAREN", "TIMES", "LPAREN", "COMMA"):
            return Token("_NORETURN", "_Noreturn", keyword.lineno, keyword.column, keyword.filename)
        if self._after_record_keyword:
            self._pending += kept
        elif self._closed is not None and previous == "RBRACE":
            self._keep(self._closed, kept)
        elif self._declared is not None:
            self._keep(self._declared, kept)
            if self._records and self._records[-1] is not None:  # a field's layout is its record's
                self._keep(self._records[-1], kept)
        return None

    def _of_symbol(self, kept: list[tuple[str, str]]) -> None:
        """Attributes after a declared name are its own; those before are all names' that follow."""
        if self._declared is not None:
            self._keep(self._declared, kept)
        elif self._depth == 0:
            self._leading += kept

    def _keep(self, key: Key, kept: list[tuple[str, str]]) -> None:
        if kept:
            self.attributes.setdefault(key, []).extend(kept)

    def _assembler(self, keyword: Token) -> Token | None:
        """An assembler label is dropped; an assembler statement becomes a call that the lowering refuses."""
        previous = self._previous.type if self._previous is not None else "SEMI"
        statement = previous in ("SEMI", "LBRACE", "RBRACE", "COLON", "ELSE", "DO") or (
            previous == "RPAREN" and self._declared is None
        )
        following = self._next()
        while following is not None and following.value in ("volatile", "__volatile__", "__volatile", "goto", "inline"):
            statement, following = True, self._next()
        if following is not None:
            self._ready.appendleft(following)
        group = self._group()
        if not statement:
            label = "".join(re.findall(r'"([^"]*)"', " ".join(token.value for token in group)))
            self._of_symbol([(ASSEMBLER_NAME, label)])
            return None
        if group:
            self._ready.extendleft([group[-1], group[0]])
        return Token("ID", ASSEMBLER_CALL, keyword.lineno, keyword.column, keyword.filename)

    def _track(self, token: Token) -> None:
        """Follow records and declared names so that attributes find their owners."""
        kind, key = token.type, (token.filename, token.lineno, token.column)
        if self._after_record_keyword:
            self._after_record_keyword = False
            self._opening = key
            self._keep(key, self._pending)
            self._pending = []
        elif kind != "LBRACE":
            self._opening = None
        if kind in ("STRUCT", "UNION"):
            self._after_record_keyword = True
        elif kind == "LBRACE":
            self._records.append(self._opening)
            self._opening, self._depth, self._declared, self._leading = None, 0, None, []
        elif kind == "RBRACE":
            self._closed = self._records.pop() if self._records else None
            self._depth, self._declared = 0, None
        elif kind == "LPAREN":
            self._depth += 1
        elif kind == "RPAREN":
            self._depth = max(0, self._depth - 1)
        elif kind == "SEMI":
            self._declared, self._leading = None, []
        elif kind == "ID" and self._depth == 0:
            self._declared = key
            if self._previous is None or self._previous.type not in ("STRUCT", "UNION", "ENUM", "PERIOD", "ARROW"):
                self._keep(key, self._leading)
        if kind != "RBRACE":
            self._closed = None


def _attribute_names(group: list[Token]) -> list[tuple[str, str]]:
    """(name without underscores, text of the arguments) of each attribute in `((...))`."""
    text = " ".join(token.value for token in group[2:-2])
    names = []
    for match in re.finditer(r"([A-Za-z_]\w*)\s*(\([^()]*(?:\([^()]*\)[^()]*)*\))?", text):
        names.append((match[1].strip("_"), (match[2] or "").strip("() ")))
    return names


def _origin(token: Token) -> Origin:
    return Origin(token.filename, token.lineno, token.column)
