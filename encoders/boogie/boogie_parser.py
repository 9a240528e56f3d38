"""From the text of a Boogie program to its declarations."""

import re
from functools import lru_cache
from importlib.resources import files

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken, VisitError

from chcverify.errors import InputError
from encoders.boogie import syntax as s
from encoders.boogie.tree_builder import TreeBuilder

_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """assert assume axiom break call const else ensures exists false forall free function goto havoc if
        implementation invariant lambda modifies old procedure requires return returns then true type unique var where
        while""",
    )
)
"""The words that are no names, also where no keyword fits."""


class _KeywordAsName(Exception):
    """A keyword stands where a name is expected."""

    def __init__(self, token: Token) -> None:
        super().__init__()
        self.token = token


def _checked_name(token: Token) -> Token:
    if str(token) in _KEYWORDS:
        raise _KeywordAsName(token)
    return token


@lru_cache(maxsize=1)
def _parser() -> Lark:
    grammar = files("encoders.boogie").joinpath("boogie.lark").read_text("utf-8")
    return Lark(
        grammar,
        parser="lalr",
        propagate_positions=True,
        maybe_placeholders=True,
        lexer_callbacks={"NAME": _checked_name},
    )


def parse(text: str, file: str) -> tuple[s.Declaration, ...]:
    """The declarations of a program in their order; InputError with the position of what is no Boogie."""
    try:
        declarations: tuple[s.Declaration, ...] = TreeBuilder(file).transform(_parser().parse(text))
    except UnexpectedEOF as error:
        raise _error(file, text, error, "the file ends too early") from error
    except UnexpectedToken as error:
        found = "the file ends too early" if error.token.type == "$END" else f"'{error.token}' does not fit here"
        raise _error(file, text, error, found) from error
    except _KeywordAsName as error:
        line, column = error.token.line or 0, error.token.column or 0
        raise InputError(file, line, column, f"'{error.token}' does not fit here") from error
    except UnexpectedCharacters as error:
        raise _error(file, text, error, "no token of Boogie begins here") from error
    except VisitError as error:
        raise error.orig_exc from None
    return declarations


def _error(file: str, text: str, error: UnexpectedInput, what: str) -> InputError:
    line, column = error.line, error.column
    if not isinstance(line, int) or line < 1:  # at the end of the file
        line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
    return InputError(file, line, column, what)
