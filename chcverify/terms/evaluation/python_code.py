"""Terms over integers, Booleans, bit-vectors and arrays of them as Python functions of their free constants.

A solver's simplifier takes some ten microseconds for a value, such a function less than one. Numbers are Python
integers (Fractions of reals), bit-vectors unsigned.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import z3

from chcverify.quick_dataclass import dataclass


class NotComputable(ValueError):
    """The term has something for which there is no function here: what."""


def compile_term(term: z3.ExprRef, parameters: Sequence[z3.ExprRef]) -> Callable[..., Any]:
    """The term's value by the values of the parameters, which are all its free constants. Raises NotComputable.

    An array's value is a function of the index.
    """
    writer = _CodeWriter({parameter.get_id(): f"p{i}" for i, parameter in enumerate(parameters)})
    result = writer.name(term)
    head = f"def computed({', '.join(f'p{i}' for i in range(len(parameters)))}):"
    # one line for each distinct subterm, so that none is computed twice; made of numerals and templates only
    text = "\n".join([head, *(f"  {line}" for line in writer.lines), f"  return {result}"])
    space = dict(_SPACE)
    exec(compile(text, "<term>", "exec"), space)
    computed: Callable[..., Any] = space["computed"]
    return computed


def compile_operator(term: z3.ExprRef) -> Callable[..., Any]:
    """The term's outermost function alone, of the values of its arguments. Raises NotComputable."""
    arity = term.num_args() if z3.is_app(term) else 0
    return _operation(arity, _applied(term, [f"p{i}" for i in range(arity)]))


@cache  # few texts occur, again and again
def _operation(arity: int, text: str) -> Callable[..., Any]:
    made: Callable[..., Any] = eval(f"lambda {', '.join(f'p{i}' for i in range(arity))}: {text}", dict(_SPACE))
    return made


@dataclass
class _CodeWriter:
    """names: of what is there, by identities; lines: the statements."""

    names: dict[int, str]

    def __post_init__(self) -> None:
        self.lines: list[str] = []
        self._alive: list[z3.ExprRef] = []

    def name(self, root: z3.ExprRef) -> str:
        """Arrays are functions of the index, written as such inside the function."""
        for term in _visible(root):
            if term.get_id() not in self.names:
                self._alive.append(term)
                text = self._text(term)
                self.names[term.get_id()] = name = f"t{len(self.names)}"
                self.lines.append(f"{name} = {text}")
        return self.names[root.get_id()]

    def _text(self, term: z3.ExprRef) -> str:
        if z3.is_quantifier(term):
            return self._lambda(term)
        if z3.is_int_value(term) or z3.is_bv_value(term):
            return str(term.as_long())
        return _applied(term, [self.names[child.get_id()] for child in term.children()])

    def _lambda(self, term: z3.QuantifierRef) -> str:
        """Nested ones see the outer ones' indices, since Python's functions do."""
        if not term.is_lambda() or term.num_vars() != 1:
            raise NotComputable("no function for a quantifier")
        bound = z3.FreshConst(term.var_sort(0))
        inner = _CodeWriter({**self.names, bound.get_id(): f"i{len(self.names)}"})
        self._alive.append(bound)
        result = inner.name(z3.substitute_vars(term.body(), bound))
        self._alive += inner._alive
        name = f"f{len(self.names)}_{len(self.lines)}"
        self.lines.append(f"def {name}({inner.names[bound.get_id()]}):")
        self.lines += [f"  {line}" for line in (*inner.lines, f"return {result}")]
        return name


def _applied(term: z3.ExprRef, given: list[str]) -> str:
    """The term's function applied to what has these names."""
    if not z3.is_app(term):
        raise NotComputable("no function for a quantifier")
    kind = term.decl().kind()
    sort = term.arg(0).sort() if given else None
    width = sort.size() if isinstance(sort, z3.BitVecSortRef) else 0
    template = _TEMPLATES.get(kind)
    if template is None or (kind in (z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT) and isinstance(sort, z3.ArraySortRef)):
        raise NotComputable(f"no function for {term.decl().name()}")
    return template(given, width, term)


def _visible(root: z3.ExprRef) -> list[z3.ExprRef]:
    """The subterms that are not below a binder, children first."""
    found: list[z3.ExprRef] = []
    seen: set[int] = set()
    stack = [(root, False)]
    while stack:
        term, expanded = stack.pop()
        if expanded:
            found.append(term)
        elif term.get_id() not in seen:
            seen.add(term.get_id())
            stack.append((term, True))
            if not z3.is_quantifier(term):
                stack.extend((child, False) for child in reversed(term.children()))
    return found


def _divide(a: int, b: int) -> int:
    """Integer division as in SMT-LIB: the remainder is not negative."""
    if b == 0:
        raise NotComputable("division by zero")
    return a // b if b > 0 else -(a // -b)


def _modulo(a: int, b: int) -> int:
    if b == 0:
        raise NotComputable("division by zero")
    return a % abs(b)


def _quotient(a: Fraction, b: Fraction) -> Fraction:
    if b == 0:
        raise NotComputable("division by zero")
    return a / b


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def _signed_division(a: int, b: int, width: int) -> int:
    """Signed division of bit-vectors: truncates; by zero it is 1 or -1, as in SMT-LIB."""
    dividend, divisor = _signed(a, width), _signed(b, width)
    if not divisor:
        return 1 if dividend < 0 else (1 << width) - 1
    size = abs(dividend) // abs(divisor)
    return (size if (dividend < 0) == (divisor < 0) else -size) & (1 << width) - 1


def _signed_remainder(a: int, b: int, width: int) -> int:
    """Of bit-vectors: with the dividend's sign; by zero it is the dividend."""
    dividend, divisor = _signed(a, width), _signed(b, width)
    if not divisor:
        return a
    size = abs(dividend) % abs(divisor)
    return (-size if dividend < 0 else size) & (1 << width) - 1


_SPACE: dict[str, Any] = {
    "Fraction": Fraction,
    "divide": _divide,
    "modulo": _modulo,
    "quotient": _quotient,
    "signed": _signed,
    "signed_division": _signed_division,
    "signed_remainder": _signed_remainder,
}


_Template = Callable[[list[str], int, Any], str]


def _infix(operator: str) -> _Template:
    return lambda given, width, term: f" {operator} ".join(given)


def _modular(operator: str) -> _Template:
    return lambda given, width, term: f"({f' {operator} '.join(given)}) & {(1 << width) - 1}"


def _ordered(operator: str) -> _Template:
    return lambda given, width, term: f"signed({given[0]}, {width}) {operator} signed({given[1]}, {width})"


_TEMPLATES: dict[int, _Template] = {
    z3.Z3_OP_TRUE: lambda given, width, term: "True",
    z3.Z3_OP_FALSE: lambda given, width, term: "False",
    z3.Z3_OP_ADD: _infix("+"),
    z3.Z3_OP_SUB: _infix("-"),
    z3.Z3_OP_MUL: _infix("*"),
    z3.Z3_OP_UMINUS: lambda given, width, term: f"-{given[0]}",
    z3.Z3_OP_IDIV: lambda given, width, term: f"divide({given[0]}, {given[1]})",
    z3.Z3_OP_MOD: lambda given, width, term: f"modulo({given[0]}, {given[1]})",
    z3.Z3_OP_DIV: lambda given, width, term: f"quotient({given[0]}, {given[1]})",
    z3.Z3_OP_TO_REAL: lambda given, width, term: f"{given[0]} * Fraction(1)",
    z3.Z3_OP_TO_INT: lambda given, width, term: f"{given[0]} // 1",
    z3.Z3_OP_ITE: lambda given, width, term: f"{given[1]} if {given[0]} else {given[2]}",
    z3.Z3_OP_AND: _infix("and"),
    z3.Z3_OP_OR: _infix("or"),
    z3.Z3_OP_NOT: lambda given, width, term: f"not {given[0]}",
    z3.Z3_OP_IMPLIES: lambda given, width, term: f"not {given[0]} or {given[1]}",
    z3.Z3_OP_EQ: _infix("=="),
    z3.Z3_OP_DISTINCT: lambda given, width, term: f"len({{{', '.join(given)}}}) == {len(given)}",
    z3.Z3_OP_LE: _infix("<="),
    z3.Z3_OP_LT: _infix("<"),
    z3.Z3_OP_GE: _infix(">="),
    z3.Z3_OP_GT: _infix(">"),
    z3.Z3_OP_BADD: _modular("+"),
    z3.Z3_OP_BSUB: _modular("-"),
    z3.Z3_OP_BMUL: _modular("*"),
    z3.Z3_OP_BNEG: lambda given, width, term: f"-{given[0]} & {(1 << width) - 1}",
    z3.Z3_OP_BAND: _infix("&"),
    z3.Z3_OP_BOR: _infix("|"),
    z3.Z3_OP_BXOR: _infix("^"),
    z3.Z3_OP_BNOT: lambda given, width, term: f"{given[0]} ^ {(1 << width) - 1}",
    z3.Z3_OP_BSHL: lambda given, width, term: (
        f"({given[0]} << {given[1]}) & {(1 << width) - 1} if {given[1]} < {width} else 0"
    ),
    z3.Z3_OP_BLSHR: _infix(">>"),
    z3.Z3_OP_BASHR: lambda given, width, term: f"(signed({given[0]}, {width}) >> {given[1]}) & {(1 << width) - 1}",
    z3.Z3_OP_BUDIV: lambda given, width, term: f"{given[0]} // {given[1]} if {given[1]} != 0 else {(1 << width) - 1}",
    z3.Z3_OP_BUREM: lambda given, width, term: f"{given[0]} % {given[1]} if {given[1]} != 0 else {given[0]}",
    z3.Z3_OP_BSDIV: lambda given, width, term: f"signed_division({given[0]}, {given[1]}, {width})",
    z3.Z3_OP_BSREM: lambda given, width, term: f"signed_remainder({given[0]}, {given[1]}, {width})",
    z3.Z3_OP_ULEQ: _infix("<="),
    z3.Z3_OP_ULT: _infix("<"),
    z3.Z3_OP_UGEQ: _infix(">="),
    z3.Z3_OP_UGT: _infix(">"),
    z3.Z3_OP_SLEQ: _ordered("<="),
    z3.Z3_OP_SLT: _ordered("<"),
    z3.Z3_OP_SGEQ: _ordered(">="),
    z3.Z3_OP_SGT: _ordered(">"),
    z3.Z3_OP_CONCAT: lambda given, width, term: _concatenation(given, term),
    z3.Z3_OP_EXTRACT: lambda given, width, term: (
        f"{given[0]} >> {term.params()[1]} & {(1 << (term.params()[0] - term.params()[1] + 1)) - 1}"
    ),
    z3.Z3_OP_ZERO_EXT: lambda given, width, term: given[0],
    z3.Z3_OP_SIGN_EXT: lambda given, width, term: f"signed({given[0]}, {width}) & {(1 << term.size()) - 1}",
    z3.Z3_OP_INT2BV: lambda given, width, term: f"{given[0]} & {(1 << term.size()) - 1}",
    z3.Z3_OP_BV2INT: lambda given, width, term: given[0],
    z3.Z3_OP_SELECT: lambda given, width, term: f"{given[0]}({given[1]})",
    z3.Z3_OP_CONST_ARRAY: lambda given, width, term: f"lambda i: {given[0]}",
    z3.Z3_OP_STORE: lambda given, width, term: f"lambda i: {given[2]} if i == {given[1]} else {given[0]}(i)",
}


def _concatenation(given: list[str], term: z3.ExprRef) -> str:
    text = given[0]
    for name, child in zip(given[1:], term.children()[1:], strict=True):
        text = f"({text} << {child.size()} | {name})"
    return text
