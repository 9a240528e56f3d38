"""z3 terms as SMT-LIB text, and the outer shape of SMT-LIB text.

Terms are printed by z3's benchmark printer: linear in the term's DAG (shared subterms become lets), where `sexpr`,
which lays out its lines, takes minutes for ten megabytes. Short terms still get the layout, for readers. Names are
printed as they are: see `binders.rename_apart`.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import z3

from chcverify.effort import MAX_BUILT

_SIMPLE_SYMBOL = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][0-9A-Za-z~!@$%^&*_+=<>.?/-]*\Z")
_RESERVED = frozenset(["!", "_", "as", "exists", "forall", "let", "match", "par"])
_SKELETON = re.compile(r'[()]|;[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[^\s()|";]+|["|]')
_PARENTHESES = re.compile(r'[()]|;[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||["|]')
_QUOTE = re.compile(r'["|;]')
_QUOTED = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||;[^\n]*')
_CARRIER = "printed!"
INLINE_CHARACTERS = 48
"""Characters of a term's text that is written wherever the term stands; a longer one is written once, and named. Chosen
by hand."""


class Malformed(ValueError):
    """Text that is no sequence of s-expressions; `position` is where that shows."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


def symbol(name: str) -> str:
    """The name as an SMT-LIB symbol, quoted where it must be; ValueError for names that no quoting can express."""
    if _SIMPLE_SYMBOL.match(name) and name not in _RESERVED:
        return name
    if "|" in name or "\\" in name:
        raise ValueError(f"{name!r} is no SMT-LIB symbol")
    return f"|{name}|"


def name_of(text: str) -> str:
    """The name of a symbol that may be quoted."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "|" else text


def benchmark(formula: z3.BoolRef) -> str:
    """A script that declares the sorts and symbols of the formula, asserts it and ends with (check-sat)."""
    text = z3.Z3_benchmark_to_smtlib_string(
        formula.ctx_ref(), "", "", "unknown", "", 0, (z3.Ast * 0)(), formula.as_ast()
    )
    return str(text)


def term_text(term: z3.ExprRef) -> str:
    """The term alone. Terms of another sort than Bool are printed as the argument of a predicate, which is cut off."""
    if z3.is_int_value(term):
        digits = str(term.as_string())
        return f"(- {digits[1:]})" if digits[0] == "-" else digits
    if z3.is_const(term):
        return str(term.sexpr())
    is_formula = term.sort().kind() == z3.Z3_BOOL_SORT  # a lambda is a QuantifierRef, and so a BoolRef, too
    formula: Any = term if is_formula else z3.Function(_CARRIER, term.sort(), z3.BoolSort())(term)
    body = asserted(benchmark(formula))
    if len(body) < MAX_BUILT:
        return str(term.sexpr())
    return body if is_formula else _without_carrier(body)


def asserted(text: str) -> str:
    """The formula that a benchmark asserts, as it stands there."""
    _, start = _preamble(text)
    end = text.rindex(")", start, text.rindex("(check-sat)"))
    return text[start + len("(assert") : end].strip()


def _preamble(text: str) -> tuple[list[str], int]:
    """The commands of a benchmark before its assertion, and where that begins. (The assertion is not scanned.)"""
    commands, position = [], text.index("(")
    while not text.startswith("(assert", position):
        _, end = next(expressions(text, position))
        commands.append(text[position:end])
        position = text.index("(", end)
    return commands, position


def _without_carrier(text: str) -> str:
    start = text.rindex(f"({_CARRIER} ")
    end = next(iter(expressions(text, start)))[1]
    return f"{text[:start]}{text[start + len(_CARRIER) + 2 : end - 1]}{text[end:]}"


def declarations(sorts: Iterable[z3.SortRef]) -> str:
    """The commands, on one line, that declare the user's sorts and datatypes among these and within them."""
    distinct = {sort.get_id(): sort for sort in sorts}
    constants = [z3.Const(f"c{i}", sort) for i, sort in enumerate(distinct.values())]
    if not constants:
        return ""
    commands, _ = _preamble(benchmark(z3.And([constant == constant for constant in constants])))
    wanted = [command for command in commands if command.startswith(("(declare-sort", "(declare-datatype"))]
    return " ".join(" ".join(command.split()) for command in wanted)


def is_closed(term: z3.ExprRef, functions: Collection[str] = ()) -> bool:
    """True if every symbol of the term is interpreted (no free constant, uninterpreted or recursive function).

    functions: names of uninterpreted functions with arguments that may occur.
    """
    commands, _ = _preamble(benchmark(term == term))
    free = [command for command in commands if command.startswith(("(declare-fun", "(declare-const", "(define-"))]
    allowed = {f"(declare-fun {symbol(name)} (" for name in functions}
    return all(any(c.startswith(a) and not c.startswith(f"{a})") for a in allowed) for c in free)


def expressions(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """The spans of the top-level s-expressions of text[start:end], lazily; Malformed where they do not balance."""
    depth, opened, position = 0, start, start
    stop = len(text) if end is None else end
    while position < stop:
        token = (_PARENTHESES if depth else _SKELETON).search(text, position, stop)
        if token is None:
            break
        position = token.end()
        first = token.group()
        if first in ('"', "|"):
            raise Malformed(f"{first} without its end", token.start())
        if first == "(":
            if depth == 0:
                opened = token.start()
                if after := _end_of_plain_list(text, opened, stop):
                    position = after
                    yield opened, position
                    continue
            depth += 1
        elif first == ")":
            depth -= 1
            if depth < 0:
                raise Malformed("unexpected )", token.start())
            if depth == 0:
                yield opened, position
        elif depth == 0 and not first.startswith(";"):
            yield token.start(), position
    if depth:
        raise Malformed("( without its )", opened)


def elements(text: str, start: int) -> tuple[list[tuple[int, int]], int]:
    """The spans of the elements of the list at `start`, and where it ends; Malformed where it has no end."""
    found: list[tuple[int, int]] = []
    position = start + 1
    while (token := _SKELETON.search(text, position)) is not None:
        position = token.end()
        if token.group() == ")":
            return found, position
        if not token.group().startswith(";"):
            found.append(next(expressions(text, token.start())))
            position = found[-1][1]
    raise Malformed("( without its )", start)


def without_quotes(text: str) -> str:
    """The text with letters for quoted names and strings, and blanks for comments: `expressions` finds the same in it,
    several times as quickly."""

    def filler(found: re.Match[str]) -> str:
        return (" " if found.group()[0] == ";" else "q") * len(found.group())

    return _QUOTED.sub(filler, text)


def _end_of_plain_list(text: str, start: int, stop: int) -> int:
    """Where the list at `start` ends; 0 if it has no end before `stop`, or contains quotes or comments."""
    depth, position = 1, start + 1
    while depth:
        close = text.find(")", position, stop)
        if close < 0:
            return 0
        depth += text.count("(", position, close) - 1
        position = close + 1
    return 0 if _QUOTE.search(text, start, position) else position


def position_of(text: str, offset: int) -> tuple[int, int]:
    """Line and column, from 1, of an offset."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
