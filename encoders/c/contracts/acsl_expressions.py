"""Predicates of ACSL as expressions of C.

Numbers of ACSL are mathematical: operands of comparisons and arithmetic are widened to __int128, which no expression of
the size that contracts have can leave. `x + (__int128)0` widens integers and leaves pointers as they are.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import combinations, pairwise

from chcverify.effort import MAX_COMPARED
from chcverify.quick_dataclass import dataclass
from encoders.c.contracts.quantifier_loops import (
    QuantifierUse,
    any_values,
    assumed,
    bound_names,
    chained,
    decided,
    ranges_of,
)

_TOKEN = re.compile(
    r"\\?[A-Za-z_]\w*|0[xX][0-9a-fA-F]+[uUlL]*|\d+\.\d*|\d+[uUlL]*|\"(?:\\.|[^\"])*\"|'(?:\\.|[^'])*'|"
    r"<==>|==>|\.\.|\^\^|->|<<|>>|<=|>=|==|!=|&&|\|\||\S"
)
_CALLED = re.compile(r"[A-Za-z_]\w*|\)|\]")
_RELATIONS = ("<", "<=", ">", ">=", "==", "!=")
_QUANTIFIERS = ("\\forall", "\\exists")
_CONSTANTS = {"\\true": "1", "\\false": "0", "\\null": "0"}
_ARITHMETIC = frozenset("+-*/%~&|^") | {"<<", ">>"}
RESULT = "chcverify_result"
_POINTER = re.compile(r"[A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*")
Range = tuple[str, str]
"""A pointer, `p` or `p->m`, and the number of elements behind it, an expression of C."""


class NoMeaning(Exception):
    """A part of a predicate without a meaning here: which."""


@dataclass
class Translation:
    """Translates the predicates of one contract."""

    valid: Callable[[str, str], str | None] = lambda name, count: None
    """Gives the condition that a pointer, `p` or `p->m`, leads to as many elements as a text says; None where there is
    no such condition; in checks, of elements of another type, the pointer is `(T *)p`."""
    has_result: bool = False
    old: dict[str, int] = field(default_factory=dict)
    r"""The expressions of \old so far, each with its variable's number."""
    separated: Callable[[Range, Range], str | None] = lambda one, two: None
    """Gives the condition that the elements of two pointers do not overlap."""
    checks_validity: bool = False
    """Are these conditions checks, which must not be negated, and not be alternatives?"""
    keeps_old: bool = False
    """May predicates be about the state before the call, too?"""
    quantifiers: QuantifierUse = QuantifierUse.NONE
    """What those over ranges that are not constant are used for."""
    uses_any: bool = False  # did a predicate need an undetermined value?
    _bound: list[str] = field(default_factory=list)  # the variables of the quantifiers around
    _conditional: int = 0  # nested operands in which a check must not stand

    def predicate(self, text: str) -> str:
        """The expression of C. Raises NoMeaning."""
        tokens = tokens_of(text)
        if not tokens:
            raise NoMeaning("an empty predicate")
        return self._predicate(tokens)

    def alternative(self, text: str) -> str:
        """The expression of C of a predicate that need not hold. Raises NoMeaning."""
        return self._alternative(tokens_of(text))

    def before(self, text: str) -> str:
        """The variable that keeps the value that an expression of C has before the call."""
        return f"chcverify_old_{self.old.setdefault(text, len(self.old) + 1)}"

    def term(self, tokens: Sequence[str]) -> str:
        """A term as an expression of C. Raises NoMeaning."""
        return self._term(tokens)

    def _predicate(self, tokens: Sequence[str]) -> str:
        if not tokens:
            raise NoMeaning("a part that is missing")
        if tokens[0] in _QUANTIFIERS:
            return self._quantified(tokens)
        if "?" in _outside(tokens):
            raise NoMeaning("a conditional")
        for operator, join in (("<==>", self._equivalence), ("==>", self._implication)):
            at = _find(tokens, operator)
            if at is not None:
                return join(tokens[:at], tokens[at + 1 :])
        for operator in ("^^", "||", "&&"):
            at = _find(tokens, operator)
            if at is not None and operator == "^^":
                raise NoMeaning("^^")
            if at is not None:
                left = self._predicate(tokens[:at]) if operator == "&&" else self._alternative(tokens[:at])
                return f"({left} {operator} {self._predicate(tokens[at + 1 :])})"
        if tokens[0] == "!":
            return f"(!{self._alternative(tokens[1:])})"
        return self._comparison(tokens)

    def _equivalence(self, left: Sequence[str], right: Sequence[str]) -> str:
        return f"(!{self._alternative(left)} == !{self._alternative(right)})"

    def _implication(self, left: Sequence[str], right: Sequence[str]) -> str:
        return f"(!{self._alternative(left)} || {self._predicate(right)})"

    def _alternative(self, tokens: Sequence[str]) -> str:
        """A predicate that may be false where the whole is true."""
        self._conditional += 1
        try:
            return self._predicate(tokens)
        finally:
            self._conditional -= 1

    def _comparison(self, tokens: Sequence[str]) -> str:
        """A chain of comparisons is a conjunction: `0 <= i < n`."""
        ends = [at for at, token in _positions(tokens) if token in _RELATIONS]
        if not ends:
            if tokens[0] == "(" and closing(tokens, 0) == len(tokens) - 1:
                return f"({self._predicate(tokens[1:-1])})"
            if tokens[0] in ("\\valid", "\\valid_read"):
                return self._validity(tokens)
            if tokens[0] == "\\separated":
                return self._separation(tokens)
            return f"(({self._term(tokens)}) != 0)"
        relations = [tokens[at] for at in ends]
        if len(relations) > 1 and not (set(relations) <= {"<", "<=", "=="} or set(relations) <= {">", ">=", "=="}):
            raise NoMeaning(f"the chain of {' and '.join(relations)}")
        bounds = [-1, *ends, len(tokens)]
        terms = [self._term(tokens[first + 1 : last]) for first, last in pairwise(bounds)]
        parts = [f"{one} {relation} {two}" for one, relation, two in zip(terms, relations, terms[1:], strict=False)]
        return f"({' && '.join(parts)})"

    def _term(self, tokens: Sequence[str]) -> str:
        """A term: its operands are widened."""
        if not tokens:
            raise NoMeaning("a part that is missing")
        out: list[str] = []
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token in _ARITHMETIC and not (token in "*&" and (at == 0 or tokens[at - 1] in _ARITHMETIC)):
                out.append(token)
                at += 1
            elif token == "(" and _is_term(tokens[at + 1 : closing(tokens, at)]):
                end = closing(tokens, at)
                out.append(f"({self._term(tokens[at + 1 : end])})")
                at = end + 1
            else:
                text, at = self._operand(tokens, at)
                out.append(text)
        return " ".join(out)

    def _operand(self, tokens: Sequence[str], at: int) -> tuple[str, int]:
        """An operand of arithmetic, and the position behind it."""
        if (behind := _behind_cast(tokens, at)) is not None:
            text, end = self._operand(tokens, behind)
            return f"((({raw(tokens[at + 1 : behind - 1])})({text})) + (__int128)0)", end
        start = at
        while at < len(tokens) and tokens[at] in ("*", "&"):
            at += 1
        prefix = "".join(tokens[start:at])
        token = tokens[at] if at < len(tokens) else ""
        at += 1
        if token in ("\\old", "\\at"):
            end = closing(tokens, at)
            text = self._at_label(token, tokens[at + 1 : end])
            at = end + 1
        elif token == "\\result":
            if not self.has_result:
                raise NoMeaning("\\result")
            text = RESULT
        elif token in _CONSTANTS or re.match(r"\d", token):
            plain = prefix + _CONSTANTS.get(token, token)
            return (plain if len(tokens) == 1 or "." in plain else f"(__int128){plain}"), at
        elif re.match(r"[A-Za-z_'(]", token):
            text = token if token != "(" else raw(tokens[at - 1 : closing(tokens, at - 1) + 1])
            at = at if token != "(" else closing(tokens, at - 1) + 1
        else:
            raise NoMeaning(token or "a part that is missing")
        if at < len(tokens) and tokens[at] == "(" and token != "sizeof":
            raise NoMeaning(f"the call {token}(...)")
        while at < len(tokens) and tokens[at] in ("[", ".", "->", "("):
            end = closing(tokens, at) if tokens[at] in "[(" else at + 1
            text += self._plain(tokens[at : end + 1])
            at = end + 1
        return f"(({prefix}{text}) + (__int128)0)", at

    def _plain(self, tokens: Sequence[str]) -> str:
        """The tokens of indices and members as C, results and values before the call among them. Raises NoMeaning."""
        out: list[str] = []
        at = 0
        while at < len(tokens):
            if tokens[at] in ("\\old", "\\at"):
                end = closing(tokens, at + 1)
                out.append(self._at_label(tokens[at], tokens[at + 2 : end]))
                at = end
            else:
                out.append(RESULT if tokens[at] == "\\result" and self.has_result else tokens[at])
            at += 1
        return raw(out)

    def _at_label(self, keyword: str, tokens: Sequence[str]) -> str:
        """`\\old(e)`, and `\\at(e, L)` where the label is of the state before the call, or of the present one."""
        expression, label = tokens, ["Old"]
        if keyword == "\\at":
            parts = split_at(tokens, ",")
            if len(parts) != 2:
                raise NoMeaning("\\at")
            expression, label = parts[0], parts[1]
        if label == ["Here"] or (label == ["Post"] and self.keeps_old):
            return f"({raw(expression)})"
        if label not in (["Old"], ["Pre"]) or not self.keeps_old:
            raise NoMeaning(keyword if keyword == "\\old" else f"\\at(..., {' '.join(label)})")
        if set(expression) & set(self._bound):
            raise NoMeaning(f"{keyword} of what depends on a variable of a quantifier")
        return self.before(raw(expression))

    # --- what has a form of its own

    def _validity(self, tokens: Sequence[str]) -> str:
        """`\\valid(p)`, `\\valid(p + (0 .. n - 1))`."""
        (name, count), *others = self._ranges(tokens)
        condition = self.valid(name, count)
        if condition is None or others:
            raise NoMeaning(tokens[0])
        if self.checks_validity and self._conditional:
            raise NoMeaning(f"{tokens[0]} that is negated or an alternative")
        return condition

    def _separation(self, tokens: Sequence[str]) -> str:
        """`\\separated(p, q)`, `\\separated(p + (0 .. n - 1), q, r)`: pairwise."""
        ranges = self._ranges(tokens)
        if any(name.startswith("(") for name, _ in ranges):
            raise NoMeaning("this cast of a pointer")
        conditions = [self.separated(one, two) for one, two in combinations(ranges, 2)]
        if not conditions or None in conditions:
            raise NoMeaning(tokens[0])
        if self.checks_validity and self._conditional:
            raise NoMeaning(f"{tokens[0]} that is negated or an alternative")
        return f"({' && '.join(map(str, conditions))})"

    def _ranges(self, tokens: Sequence[str]) -> list[Range]:
        """The arguments `p` and `p + (0 .. n - 1)` of a predicate. Raises NoMeaning for others."""
        end = closing(tokens, 1) if len(tokens) > 1 else -1
        if end != len(tokens) - 1 or end < 3:
            raise NoMeaning(tokens[0])
        found = []
        for inner in split_at(tokens[2:end], ","):
            at = next((at for at, token in _positions(inner) if token == "+"), len(inner))
            element, pointer = self._uncast(inner[:at])
            name, indices = "".join(pointer), inner[at + 1 :]
            if not _POINTER.fullmatch(name):
                raise NoMeaning(tokens[0])
            if at == len(inner):
                count = "1"
            elif indices[:3] == ["(", "0", ".."] and closing(indices, 0) == len(indices) - 1 > 3:
                count = f"({self._term(indices[3:-1])}) + 1"
            else:
                raise NoMeaning(tokens[0])
            if element and self.checks_validity:
                name = f"({element} *){name}"
            elif element:  # as many as these bytes need
                bytes_ = f"(unsigned __int128)({count}) * sizeof({element}) + sizeof(*{name}) - 1"
                count = f"({count}) <= 0 ? (__int128)0 : (__int128)(({bytes_}) / sizeof(*{name}))"
            found.append((name, count))
        return found

    def _uncast(self, tokens: Sequence[str]) -> tuple[str, Sequence[str]]:
        """The type of the elements that a pointer is cast to, "" if it is not, and the pointer. Raises NoMeaning."""
        if tokens[:1] != ["("]:
            return "", tokens
        end = closing(tokens, 0)
        kind = list(tokens[1:end])
        if len(kind) < 2 or kind[-1] != "*" or "*" in kind[:-1]:
            raise NoMeaning("this cast of a pointer")
        return raw(kind[:-1]), tokens[end + 1 :]

    def _quantified(self, tokens: Sequence[str]) -> str:
        """One instance for each value of a constant range; for others see `quantifier_loops.py`."""
        kind, end = tokens[0], tokens.index(";") if ";" in tokens else 0
        if end < 3 or ("," in tokens[:end] and self.quantifiers is QuantifierUse.NONE):
            raise NoMeaning(f"this form of {kind}")
        name, body = tokens[end - 1], list(tokens[end + 1 :])
        at = _find(body, "==>" if kind == "\\forall" else "&&")
        pattern = rf"(-?\d+) (<=?) {re.escape(name)} (<=?) (-?\d+)"
        found = re.fullmatch(pattern, " ".join(body[:at]).replace("- ", "-")) if at is not None else None
        if self.quantifiers is not QuantifierUse.NONE and (found is None or _values(found) > MAX_COMPARED):
            return self._over_variables(kind, tokens[1:end], body)
        if found is None or at is None:
            raise NoMeaning(f"{kind} over a range that is not constant")
        if _values(found) > MAX_COMPARED:
            raise NoMeaning(f"{kind} over more than {MAX_COMPARED} values")
        low = int(found[1]) + (found[2] == "<")
        instances = [
            [str(value) if token == name else token for token in body[at + 1 :]]
            for value in range(low, low + _values(found))
        ]
        parts = [self._predicate(instance) for instance in instances]
        neutral, join = ("1", " && ") if kind == "\\forall" else ("0", " || ")
        return f"({join.join(parts) or neutral})"

    def _over_variables(self, kind: str, declared: Sequence[str], body: Sequence[str]) -> str:
        """A quantifier over a range that is not constant. Raises NoMeaning."""
        names = bound_names(declared)
        if names is None:
            raise NoMeaning(f"{kind} over other variables than of the type integer")
        is_forall = kind == "\\forall"
        at = _find(body, "==>") if is_forall else _range_end(body, names[-1])
        if at is None:
            raise NoMeaning(f"{kind} without a range")
        self._bound += names
        self._conditional += 1  # what it says of accesses, it says of those in its range
        try:
            variables = ranges_of(names, chained(body[:at]), self._term)
            if variables is None:
                raise NoMeaning(f"{kind} over the range {' '.join(body[:at])}")
            inner = self._predicate(body[at + 1 :])
            whole = f"!{self._predicate(body[:at])} || {inner}" if is_forall else ""
        finally:
            self._conditional -= 1
            del self._bound[len(self._bound) - len(names) :]
        use = QuantifierUse.CONDITION if self._conditional or not is_forall else self.quantifiers
        if use is QuantifierUse.CHECK:
            self.uses_any = True
            return any_values(names, whole)
        return assumed(variables, inner) if use is QuantifierUse.ASSUME else decided(variables, inner, is_forall)


def without_cast(pointer: str) -> tuple[str, str]:
    """The type of the elements that a pointer in a check is cast to, "" if it is not, and the pointer itself."""
    found = re.fullmatch(r"\((.*) \*\)(.*)", pointer)
    return (found[1], found[2]) if found is not None else ("", pointer)


def _values(found: re.Match[str]) -> int:
    """The number of values in a constant range."""
    return int(found[4]) - (found[3] == "<") - int(found[1]) - (found[2] == "<") + 1


def _range_end(body: Sequence[str], last: str) -> int | None:
    """The position of the `&&` behind the range of the variables of `\\exists`, the last of which is `last`."""
    ands = [at for at, token in _positions(body) if token == "&&"]
    for at in ands:
        part = list(body[:at])
        if last in part and part.index(last) < len(part) - 1 and part[part.index(last) + 1] in ("<", "<="):
            return at
    return None


def tokens_of(text: str) -> list[str]:
    """The tokens of a text of ACSL."""
    return _TOKEN.findall(text)


def split_at(tokens: Sequence[str], separator: str) -> list[list[str]]:
    """The tokens between the separators outside of parentheses."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token in ("(", "[")) - (token in (")", "]"))
        if token == separator and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _positions(tokens: Sequence[str]) -> list[tuple[int, str]]:
    """The tokens outside of parentheses, and in front of the first quantifier, with their positions."""
    depth, found = 0, []
    for at, token in enumerate(tokens):
        if token in _QUANTIFIERS and depth == 0:
            break
        depth -= token in (")", "]")
        if depth == 0 and token not in ("(", "["):
            found.append((at, token))
        depth += token in ("(", "[")
    return found


def _outside(tokens: Sequence[str]) -> list[str]:
    return [token for _, token in _positions(tokens)]


def _find(tokens: Sequence[str], operator: str) -> int | None:
    return next((at for at, token in _positions(tokens) if token == operator), None)


def closing(tokens: Sequence[str], at: int) -> int:
    """The position of the bracket that closes the one at a position. Raises NoMeaning."""
    depth = 0
    for position in range(at, len(tokens)):
        depth += (tokens[position] in ("(", "[")) - (tokens[position] in (")", "]"))
        if depth == 0:
            return position
    raise NoMeaning("unbalanced parentheses")


def _behind_cast(tokens: Sequence[str], at: int) -> int | None:
    """The position behind a cast; None if there is none: `(type)` in front of an operand."""
    if at >= len(tokens) or tokens[at] != "(":
        return None
    end = closing(tokens, at)
    inner, following = tokens[at + 1 : end], tokens[end + 1 : end + 2]
    names = [token for token in inner if re.fullmatch(r"[A-Za-z_]\w*", token)]
    is_type = bool(names) and len(names) + inner.count("*") == len(inner) and list(inner[: len(names)]) == names
    is_operand = bool(following) and re.match(r"[A-Za-z_(\d\\']", following[0]) is not None
    return end + 1 if is_type and is_operand else None


def _is_term(tokens: Sequence[str]) -> bool:
    """Does it look like arithmetic in parentheses, and not like a cast?"""
    return any(token in _ARITHMETIC - {"*"} for token in tokens) or (
        len(tokens) == 1 and tokens[0][0] in "\\0123456789"
    )


def raw(tokens: Sequence[str]) -> str:
    """The tokens as C. Raises NoMeaning for what is only ACSL."""
    for token in tokens:
        if token.startswith("\\") or token in ("==>", "<==>", "..", "="):
            raise NoMeaning(token)
    for token, following in pairwise(tokens):
        if following == "(" and _CALLED.fullmatch(token) and token != "sizeof":
            raise NoMeaning(f"the call {token}(...)")
    return " ".join(tokens)
