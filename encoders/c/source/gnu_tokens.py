"""The token pass: GNU C token sequences become the C11 that pycparser reads; coordinates stay as they are.

Attributes without influence vanish from the token stream; of the others each name is one AttributeToken, which the
parser attaches to what is declared. Of pragmas only `pack` is left here; a closing brace carries its limit.
"""

import re
from collections import deque
from dataclasses import replace

from pycparser.c_lexer import CLexer, Token

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from encoders.c.source.assembler import declared_operands, is_barrier
from encoders.c.source.attributes import ASSEMBLER_NAME
from encoders.c.source.extensions import Treatment, attribute_treatment
from encoders.c.source.packing import Packing
from encoders.c.source.quantifiers import QUANTIFIERS, as_loop
from encoders.c.source.source_errors import Unsupported

Key = tuple[str, int, int]  # file, line, column of a token

INFERRING_AUTO = "__chcverify_auto"  # `auto` of C23, as the preprocessor spells it
PART_OPERATORS = {"__real__": "__real__", "__real": "__real__", "__imag__": "__imag__", "__imag": "__imag__"}
_IMAGINARY = re.compile(r"[ij][fF]?|[fF][ij]")  # what stands behind the digits of an imaginary constant
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
    "__chcverify_typeof_unqual": "TYPEOF_UNQUAL",
    "__chcverify_constexpr": "CONSTEXPR",
    INFERRING_AUTO: "AUTO",
    "__builtin_offsetof": "OFFSETOF",
    "static_assert": "_STATIC_ASSERT",
    "__float128": "DOUBLE",  # the type keeps its spelling; the type builder refuses it where it is used
}
_PLAIN_KEYWORDS = {"OFFSETOF": "offsetof", "__INT128": "__int128"}
_ASSEMBLER = {"asm", "__asm", "__asm__"}
_ATTRIBUTE = {"__attribute", "__attribute__"}
_DIGRAPHS = {"<:": ("LBRACKET", "["), ":>": ("RBRACKET", "]"), "<%": ("LBRACE", "{"), "%>": ("RBRACE", "}")}
_STANDARD_ATTRIBUTES = {
    "deprecated", "fallthrough", "maybe_unused", "nodiscard", "noreturn", "_Noreturn", "unsequenced", "reproducible",
}  # fmt: skip
ASSEMBLER_CALL = "__asm__"  # an assembler statement is a call of it


@dataclass(slots=True)
class AttributeToken(Token):
    """An attribute that is modelled or refused. Its type is that of `_Alignas`, a specifier like the others."""

    name: str = ""
    arguments: str = ""
    """Their text."""
    valued: bool = False
    """Does `(expression)` follow as tokens?"""


@dataclass(slots=True)
class ClosingBrace(Token):
    """A brace where `#pragma pack` limits alignments: the limit in bytes."""

    pack: int = 0


class GnuLexer(CLexer):
    """pycparser's lexer with the GNU pass behind it. `token()` is the interface to the parser."""

    def input(self, text: str, filename: str = "") -> None:
        super().input(text, filename)
        self.last: Key | None = None  # coordinates of the last token handed out
        self._ready: deque[Token] = deque()
        self._previous: Token | None = None
        self._packing = Packing()
        self._declared: Key | None = None  # the last identifier outside parentheses
        self._depth = 0

    def token(self) -> Token | None:
        """The next token of the cleaned stream, None at the end."""
        while True:
            token = self._next()
            if token is None:
                return None
            token = self._cleaned(token)
            if token is not None:
                self._track(token)
                self.last = (token.filename, token.lineno, token.column)
                self._previous = token
                return token

    def _cleaned(self, token: Token) -> Token | None:
        """The token as the parser gets it, None if it vanishes; more may then be ready."""
        if token.type == "PPPRAGMA" and self._pending_tok is not None:
            pragma = super().token()
            assert pragma is not None
            self._packing.read(pragma.value, _origin(token))
            return None
        if token.type == "ATTRIBUTE_BEGIN":
            return self._standard_attribute(token)
        if token.type == "RBRACE" and self._packing.limit:
            return ClosingBrace("RBRACE", "}", token.lineno, token.column, token.filename, self._packing.limit)
        if token.type == "FLOAT_CONST" and (number := self._imaginary(token)) is not None:
            return number
        if token.type == "ID" or token.type in _PLAIN_KEYWORDS:
            return self._word(token)
        return token

    def _word(self, token: Token) -> Token | None:
        """An identifier or one of GNU's keywords."""
        if token.value in _DROPPED:
            return None
        if token.value in _ATTRIBUTE:
            return self._attribute(token)
        if token.value in _ASSEMBLER:
            return self._assembler(token)
        if token.value == "__auto_type":
            return self._inferred(token)
        if token.value in QUANTIFIERS:
            return self._quantified(token)
        if token.value == "_BitInt":
            raise Unsupported(_origin(token), "_BitInt")
        self._rename(token)
        return token

    def _imaginary(self, number: Token) -> Token | None:
        """`1.0i` becomes `__builtin_complex(0.0, 1.0)`: the first token of that; None for real numbers."""
        suffix = self._next()
        if suffix is None:
            return None
        is_near = suffix.lineno == number.lineno and suffix.column == number.column + len(number.value)
        if suffix.type != "ID" or not is_near or not _IMAGINARY.fullmatch(suffix.value):
            self._ready.appendleft(suffix)
            return None
        place = (number.lineno, number.column, number.filename)
        text = number.value + "f" * ("f" in suffix.value.lower())
        zero = "0.0" + text[-1] * (text[-1] in "fF")
        parts = [("LPAREN", "("), ("FLOAT_CONST", zero), ("COMMA", ","), ("FLOAT_CONST", text), ("RPAREN", ")")]
        self._ready.extendleft(Token(kind, value, *place) for kind, value in reversed(parts))
        return Token("ID", "__builtin_complex", *place)

    def _quantified(self, keyword: Token) -> Token:
        """A quantifier over a range becomes a loop, another one a call without arguments, which is not modelled."""
        following = self._next()
        if following is None or following.type != "LBRACE":
            self._ready.extendleft([] if following is None else [following])
            return keyword
        inside: list[Token] = []
        depth = 1
        while (token := self._next()) is not None:
            depth += {"LBRACE": 1, "RBRACE": -1}.get(token.type, 0)
            if depth == 0:
                break
            inside.append(token)
        place = (following.lineno, following.column, following.filename)
        loop = as_loop(keyword.value, inside, following) or [
            keyword,
            Token("LPAREN", "(", *place),
            Token("RPAREN", ")", *place),
        ]
        self._ready.extendleft(reversed(loop[1:]))
        return loop[0]

    def _next(self) -> Token | None:
        return self._ready.popleft() if self._ready else super().token()

    def _match_token(self) -> Token | None:
        """Digraphs are other spellings of brackets and braces."""
        spelling = _DIGRAPHS.get(self._lexdata[self._pos : self._pos + 2])
        if spelling is None:
            return super()._match_token()
        token = self._make_token(*spelling, self._pos)
        self._pos += 2
        return token

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
        """The first token of what is not harmless, None if there is none; the others go to the front of the stream."""
        ready: list[Token] = []
        for part in _parts(self._group()[2:-2]):
            name, arguments = part[0].value.strip("_"), part[2:-1]
            treatment = attribute_treatment(name)
            if treatment is Treatment.HARMLESS:
                continue
            if treatment is Treatment.REFUSED_EVERYWHERE:
                raise Unsupported(_origin(keyword), f"__attribute__(({name}))")
            valued = name == "aligned" and bool(arguments)
            text = " ".join(token.value for token in arguments)
            ready.append(
                AttributeToken(
                    "_ALIGNAS", "__attribute__", keyword.lineno, keyword.column, keyword.filename, name, text, valued
                )
            )
            if valued:
                ready += part[1:]
        self._ready.extendleft(reversed(ready[1:]))
        return ready[0] if ready else None

    def _inferred(self, keyword: Token) -> Token:
        """`__auto_type x = e` becomes `__typeof__(0, (e)) x = e`: the comma lets arrays decay."""
        lvalue = (keyword.lineno, keyword.column, keyword.filename)
        head: list[Token] = []
        while (token := self._next()) is not None and token.type not in ("EQUALS", "SEMI"):
            head.append(token)
        initialiser: list[Token] = []
        depth = 0
        while token is not None and token.type == "EQUALS" and (part := self._next()) is not None:
            depth += {"LPAREN": 1, "LBRACE": 1, "LBRACKET": 1, "RPAREN": -1, "RBRACE": -1, "RBRACKET": -1}.get(
                part.type, 0
            )
            if depth == 0 and part.type in ("SEMI", "COMMA"):
                self._ready.appendleft(part)
                break
            initialiser.append(part)
        if token is None or not initialiser:
            raise Unsupported(_origin(keyword), "__auto_type without an initializer")
        opening = [Token("LPAREN", "(", *lvalue), Token("INT_CONST_DEC", "0", *lvalue), Token("COMMA", ",", *lvalue)]
        opening.append(Token("LPAREN", "(", *lvalue))
        closing = [Token("RPAREN", ")", *lvalue)] * 2
        again = [replace(part) for part in initialiser]
        self._ready.extendleft(reversed([*opening, *initialiser, *closing, *head, token, *again]))
        return Token("TYPEOF", "__typeof__", *lvalue)

    def _standard_attribute(self, opening: Token) -> Token | None:
        """`[[...]]`: what is not harmless is refused, but for noreturn."""
        names: list[str] = []
        previous = opening
        while (token := self._next()) is not None and token.type != "ATTRIBUTE_END":
            if token.type == "ID" and previous.type == "COLONCOLON":
                names[-1] += f"::{token.value.strip('_')}"
            elif token.type == "ID":
                names.append(token.value)
            previous = token
        result = None
        for name in names:
            namespace, _, gnu = name.rpartition("::")
            if not namespace and name not in _STANDARD_ATTRIBUTES:
                raise Unsupported(_origin(opening), f"[[{name}]]")
            if namespace.strip("_") not in ("gnu", "") or attribute_treatment(gnu) is Treatment.HARMLESS:
                continue  # gcc ignores the attributes of other compilers
            if gnu.strip("_").lower() != "noreturn":
                raise Unsupported(_origin(opening), f"[[{name}]]")
            result = AttributeToken(
                "_ALIGNAS", "__attribute__", opening.lineno, opening.column, opening.filename, "noreturn"
            )
        return result

    def _assembler(self, keyword: Token) -> Token | None:
        """A label is kept as an attribute; an assembler statement becomes a call that the lowering refuses, one that
        executes nothing vanishes."""
        previous = self._previous.type if self._previous is not None else "SEMI"
        statement = previous in ("SEMI", "LBRACE", "RBRACE", "COLON", "ELSE", "DO") or (
            previous == "RPAREN" and self._declared is None
        )
        following = self._next()
        jumps = False
        while following is not None and following.value in ("volatile", "__volatile__", "__volatile", "goto", "inline"):
            jumps |= following.value == "goto"
            statement, following = True, self._next()
        if following is not None:
            self._ready.appendleft(following)
        group = self._group()
        if not statement:
            label = "".join(token.value[1:-1] for token in group if token.type == "STRING_LITERAL")
            position = (keyword.lineno, keyword.column, keyword.filename)
            return AttributeToken("_ALIGNAS", "__asm__", *position, ASSEMBLER_NAME, label)
        if group and is_barrier(group):
            return None
        if group:
            operands = [] if jumps else declared_operands(group)
            self._ready.extendleft(reversed([group[0], *operands, group[-1]]))
        return Token("ID", ASSEMBLER_CALL, keyword.lineno, keyword.column, keyword.filename)

    def _track(self, token: Token) -> None:
        """Records declared names, which distinguish an assembler label from a statement."""
        kind = token.type
        if kind in ("LBRACE", "RBRACE"):
            self._depth, self._declared = 0, None
        elif kind == "LPAREN":
            self._depth += 1
        elif kind == "RPAREN":
            self._depth = max(0, self._depth - 1)
        elif kind == "SEMI":
            self._declared = None
        elif kind == "ID" and self._depth == 0:
            self._declared = (token.filename, token.lineno, token.column)


def _parts(tokens: list[Token]) -> list[list[Token]]:
    """The attributes of a list that commas separate: a name, and perhaps parentheses with arguments."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += {"LPAREN": 1, "RPAREN": -1}.get(token.type, 0)
        if token.type == "COMMA" and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _origin(token: Token) -> Origin:
    return Origin(token.filename, token.lineno, token.column)
