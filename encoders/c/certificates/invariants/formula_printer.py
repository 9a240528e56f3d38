"""Prints formulas in the syntax of C. Mathematical integers are printed as such: no wrap-around is meant.

Machine words are printed signed, unless their variables are unsigned; a comparison that reads them otherwise has a
cast.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import z3

from chcverify.display_limits import FORMULA_CHARACTERS
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import fold
from encoders.c.types.comparison_operators import MIRRORED, NEGATED

# C's levels of precedence, from loosest
(TERNARY, OR, AND, EQUAL, LESS, SHIFT, SUM, PRODUCT, PREFIX, ATOM) = range(10)


LinearForm = tuple[tuple[str, int], ...]
"""Names with their factors; the name "" stands for the constant."""


@dataclass(frozen=True)
class PrintedTerm:
    """A printed term, how tightly it binds, and its linear form if it is a sum of products with constants."""

    text: str
    level: int
    linear: LinearForm | None = None
    width: int = 0
    """Of a machine word, 0 for others."""
    unsigned: bool = False
    """Is that read as unsigned?"""
    number: int | None = None
    """Of a numeral so read."""

    def at(self, level: int) -> str:
        """The text as an operand of that level: in parentheses if it binds less tightly."""
        return self.text if self.level >= level else f"({self.text})"


_UNSIGNED = frozenset({z3.Z3_OP_ULEQ, z3.Z3_OP_ULT, z3.Z3_OP_UGEQ, z3.Z3_OP_UGT})
_UNSIGNED_READING = frozenset({z3.Z3_OP_BUDIV, z3.Z3_OP_BUDIV_I, z3.Z3_OP_BUREM, z3.Z3_OP_BUREM_I, z3.Z3_OP_BLSHR})
_SIGNED_READING = frozenset({z3.Z3_OP_BSDIV, z3.Z3_OP_BSDIV_I, z3.Z3_OP_BSREM, z3.Z3_OP_BSREM_I, z3.Z3_OP_BASHR})
_INTEGERS = {8: "char", 16: "short", 32: "int", 64: "long"}
_DIFFERENCES = frozenset({z3.Z3_OP_SUB, z3.Z3_OP_BSUB})
_NEGATIONS = frozenset({z3.Z3_OP_UMINUS, z3.Z3_OP_BNEG})
_SUMS = frozenset({z3.Z3_OP_ADD, z3.Z3_OP_BADD}) | _DIFFERENCES | _NEGATIONS
_PRODUCTS = frozenset({z3.Z3_OP_MUL, z3.Z3_OP_BMUL})
_COMPARISONS = {
    z3.Z3_OP_LE: "<=",
    z3.Z3_OP_LT: "<",
    z3.Z3_OP_GE: ">=",
    z3.Z3_OP_GT: ">",
    z3.Z3_OP_SLEQ: "<=",
    z3.Z3_OP_SLT: "<",
    z3.Z3_OP_SGEQ: ">=",
    z3.Z3_OP_SGT: ">",
    z3.Z3_OP_ULEQ: "<=",
    z3.Z3_OP_ULT: "<",
    z3.Z3_OP_UGEQ: ">=",
    z3.Z3_OP_UGT: ">",
    z3.Z3_OP_FPA_LE: "<=",
    z3.Z3_OP_FPA_LT: "<",
    z3.Z3_OP_FPA_GE: ">=",
    z3.Z3_OP_FPA_GT: ">",
    z3.Z3_OP_FPA_EQ: "==",
}
_OPERATORS = {
    z3.Z3_OP_MUL: ("*", PRODUCT),
    z3.Z3_OP_IDIV: ("/", PRODUCT),
    z3.Z3_OP_MOD: ("%", PRODUCT),
    z3.Z3_OP_REM: ("%", PRODUCT),
    z3.Z3_OP_BADD: ("+", SUM),
    z3.Z3_OP_BSUB: ("-", SUM),
    z3.Z3_OP_BMUL: ("*", PRODUCT),
    z3.Z3_OP_BSDIV: ("/", PRODUCT),
    z3.Z3_OP_BUDIV: ("/", PRODUCT),
    z3.Z3_OP_BSREM: ("%", PRODUCT),
    z3.Z3_OP_BUREM: ("%", PRODUCT),
    z3.Z3_OP_BSDIV_I: ("/", PRODUCT),
    z3.Z3_OP_BUDIV_I: ("/", PRODUCT),
    z3.Z3_OP_BSREM_I: ("%", PRODUCT),
    z3.Z3_OP_BUREM_I: ("%", PRODUCT),
    z3.Z3_OP_BAND: ("&", EQUAL - 1),
    z3.Z3_OP_BOR: ("|", AND),
    z3.Z3_OP_BXOR: ("^", AND),
    z3.Z3_OP_BSHL: ("<<", SHIFT),
    z3.Z3_OP_BASHR: (">>", SHIFT),
    z3.Z3_OP_BLSHR: (">>", SHIFT),
    z3.Z3_OP_FPA_ADD: ("+", SUM),
    z3.Z3_OP_FPA_SUB: ("-", SUM),
    z3.Z3_OP_FPA_MUL: ("*", PRODUCT),
    z3.Z3_OP_FPA_DIV: ("/", PRODUCT),
}


T = TypeVar("T", bound=z3.ExprRef)


def c_text(formula: z3.ExprRef, names: Mapping[z3.ExprRef, str], unsigned: Collection[z3.ExprRef] = ()) -> str:
    """The formula with these names for its variables; "1" if it is true. unsigned: those machine words that are."""
    table = {variable.get_id(): name for variable, name in names.items()}
    natural = {variable.get_id() for variable in unsigned}
    taken = set(names.values())
    simple = simplified(formula)

    def visit(term: z3.ExprRef, parts: list[PrintedTerm]) -> PrintedTerm:
        text = _quantified(term, parts[-1].text, taken) if z3.is_quantifier(term) else _term(term, parts, table)
        width = term.size() if z3.is_bv(term) else 0
        below = bool(width) and any(part.unsigned for part in parts)
        text = replace(text, width=width, unsigned=text.unsigned or term.get_id() in natural or below)
        return text if len(text.text) <= FORMULA_CHARACTERS else PrintedTerm("...", ATOM)

    return fold(simple, visit).text


def simplified(formula: T) -> T:
    """The formula with its constants folded, in the form that prints best."""
    return z3.simplify(
        formula, arith_ineq_lhs=False, elim_and=False, som=False, bv_le2extract=False, elim_sign_ext=False
    )


def _term(term: z3.ExprRef, parts: list[PrintedTerm], names: Mapping[int, str]) -> PrintedTerm:
    """Prints a term that is no quantifier; names: of the variables, by the identity of their terms."""
    if term.get_id() in names:
        name = names[term.get_id()]
        return PrintedTerm(name, ATOM, ((name, 1),))
    if z3.is_var(term):
        name = f"\0{z3.get_var_index(term)}\0"  # its binder knows how it is called
        return PrintedTerm(name, ATOM, ((name, 1),))
    if not z3.is_app(term):
        return PrintedTerm(str(term), ATOM)
    kind = term.decl().kind()
    if kind in _COMPARISONS or kind == z3.Z3_OP_EQ:
        return _compared(kind, parts)
    if kind in _SUMS or (kind in _PRODUCTS and len(parts) == 2):
        linear = _linear(kind, parts)
        if linear is not None:
            return _sum(linear)
    if kind in _OPERATORS:
        return _operation(kind, parts)
    return _other(term, kind, parts)


def _compared(kind: int, parts: list[PrintedTerm]) -> PrintedTerm:
    """Prints a comparison or an equality of two terms."""
    if not parts[0].width:
        return _comparison(_COMPARISONS.get(kind, "=="), parts[0], parts[1])
    if kind in _COMPARISONS:
        return _words(_COMPARISONS[kind], [_read(part, kind in _UNSIGNED) for part in parts])
    natural = any(part.unsigned for part in parts)
    return _words("==", [_read(part, natural) if part.number is not None else part for part in parts])


def _operation(kind: int, parts: list[PrintedTerm]) -> PrintedTerm:
    """Prints an operation with an infix operator of C."""
    operator, level = _OPERATORS[kind]
    if kind in _SIGNED_READING or kind in _UNSIGNED_READING:
        parts = [_read(part, kind in _UNSIGNED_READING) for part in parts]
    rest = [part.at(level + 1) for part in parts if part.text != "RNE"]
    return _atom(PrintedTerm(f" {operator} ".join([rest[0], *rest[1:]]), level))


def _quantified(term: z3.QuantifierRef, body: str, taken: Collection[str]) -> PrintedTerm:
    """Prints a quantifier; names that solvers made up become free letters. body: printed. taken: names in use."""
    letters = (name for name in (f"{letter}{number}" for number in ("", *range(2, 99)) for letter in "kmn"))
    inside = re.findall(r"\\(?:forall|exists) ([^;]*);", body)
    used = {*taken, *(name for names in inside for name in names.split(", "))}
    free = (letter for letter in letters if letter not in used)
    given = [term.var_name(i) for i in range(term.num_vars())]
    names = [name if name.isidentifier() else next(free) for name in given]

    def named(match: re.Match[str]) -> str:
        """Indices count from the innermost variable; higher ones belong to binders further out."""
        index = int(match[1])
        return names[-1 - index] if index < len(names) else f"\0{index - len(names)}\0"

    word = "\\forall" if term.is_forall() else "\\exists"
    return PrintedTerm(f"{word} {', '.join(names)}; " + re.sub("\0(\\d+)\0", named, body), TERNARY)


Shape = Callable[[z3.ExprRef, list[PrintedTerm]], PrintedTerm]
"""Prints a term of one kind, from the term and its printed arguments."""


def _conjunction(_: z3.ExprRef, parts: list[PrintedTerm]) -> PrintedTerm:
    return PrintedTerm(" && ".join(part.at(AND) for part in parts), AND)


def _disjunction(_: z3.ExprRef, parts: list[PrintedTerm]) -> PrintedTerm:
    return PrintedTerm(" || ".join(part.at(AND) for part in parts), OR)


def _implication(_: z3.ExprRef, parts: list[PrintedTerm]) -> PrintedTerm:
    return PrintedTerm(f"{_negation(parts[0]).at(AND)} || {parts[1].at(AND)}", OR)


def _conditional(_: z3.ExprRef, parts: list[PrintedTerm]) -> PrintedTerm:
    return _atom(PrintedTerm(f"{parts[0].at(OR)} ? {parts[1].at(OR)} : {parts[2].at(OR)}", TERNARY))


def _element(_: z3.ExprRef, parts: list[PrintedTerm]) -> PrintedTerm:
    if "{}" in parts[0].text:  # a field of an array's elements, as in `a[{}].next`
        return _atom(PrintedTerm(parts[0].text.replace("{}", parts[1].text), ATOM))
    return _atom(PrintedTerm(f"{parts[0].at(ATOM)}[{parts[1].text}]", ATOM))


def _numeral(term: z3.ExprRef, _: list[PrintedTerm]) -> PrintedTerm:
    if not z3.is_int_value(term):
        return PrintedTerm(str(term), ATOM)
    value = term.as_long()
    return PrintedTerm(str(term), ATOM if value >= 0 else PREFIX, (("", value),))


def _word(term: z3.ExprRef, _: list[PrintedTerm]) -> PrintedTerm:
    value = term.as_signed_long()
    return PrintedTerm(str(value), ATOM if value >= 0 else PREFIX, (("", value),), number=term.as_long())


def _bits(term: z3.ExprRef, parts: list[PrintedTerm]) -> PrintedTerm:
    """Prints an extraction of bits, as a shift and a mask."""
    high, low = term.params()
    inner = PrintedTerm(f"{parts[0].at(SHIFT)} >> {low}", SHIFT) if low else PrintedTerm(parts[0].text, parts[0].level)
    masked = PrintedTerm(f"{inner.at(EQUAL)} & {(1 << (high - low + 1)) - 1}", EQUAL - 1)
    return replace(_atom(masked), unsigned=True)


def _concatenation(term: z3.ExprRef, parts: list[PrintedTerm]) -> PrintedTerm:
    if len(parts) == 2 and parts[0].number == 0:
        return replace(_atom(_read(parts[1], True)), unsigned=True)
    return _application(term, parts)


def _application(term: z3.ExprRef, parts: list[PrintedTerm]) -> PrintedTerm:
    """Prints a term of any kind: its name, and its arguments in parentheses."""
    if not parts:
        return PrintedTerm(str(term), ATOM)
    return PrintedTerm(f"{term.decl().name()}({', '.join(part.text for part in parts)})", ATOM)


_SHAPES: dict[int, Shape] = {
    z3.Z3_OP_TRUE: lambda _, parts: PrintedTerm("1", ATOM),
    z3.Z3_OP_FALSE: lambda _, parts: PrintedTerm("0", ATOM),
    z3.Z3_OP_AND: _conjunction,
    z3.Z3_OP_OR: _disjunction,
    z3.Z3_OP_NOT: lambda _, parts: _negation(parts[0]),
    z3.Z3_OP_IMPLIES: _implication,
    z3.Z3_OP_ITE: _conditional,
    z3.Z3_OP_SELECT: _element,
    z3.Z3_OP_ANUM: _numeral,
    z3.Z3_OP_BNUM: _word,
    z3.Z3_OP_EXTRACT: _bits,
    z3.Z3_OP_CONCAT: _concatenation,
    z3.Z3_OP_FPA_NEG: lambda _, parts: PrintedTerm(f"-{parts[0].at(PREFIX)}", PREFIX),
    z3.Z3_OP_BNOT: lambda _, parts: PrintedTerm(f"~{parts[0].at(PREFIX)}", PREFIX),
    z3.Z3_OP_ZERO_EXT: lambda _, parts: replace(_atom(_read(parts[0], True)), unsigned=True),
    z3.Z3_OP_SIGN_EXT: lambda _, parts: replace(_atom(_read(parts[0], False)), unsigned=False),
}


def _other(term: z3.ExprRef, kind: int, parts: list[PrintedTerm]) -> PrintedTerm:
    """Prints a term that is neither a comparison nor an infix operation."""
    return _SHAPES.get(kind, _application)(term, parts)


def _read(part: PrintedTerm, unsigned: bool) -> PrintedTerm:
    """A machine word as one with this sign: by a cast if it is not printed so anyway."""
    if part.number is not None:
        return PrintedTerm(str(part.number), ATOM, number=part.number) if unsigned else part
    if part.unsigned == unsigned or part.width not in _INTEGERS:
        return part
    kind = ("unsigned " if unsigned else "signed " if part.width == 8 else "") + _INTEGERS[part.width]
    return PrintedTerm(f"({kind}){part.at(PREFIX)}", PREFIX)


def _words(operator: str, parts: list[PrintedTerm]) -> PrintedTerm:
    """A comparison of machine words; summands must not change sides, since they wrap around."""
    level = EQUAL if operator == "==" else LESS
    if parts[0].number is not None:
        operator = MIRRORED[operator]
        parts = parts[::-1]
    return PrintedTerm(f"{parts[0].at(level + 1)} {operator} {parts[1].at(level + 1)}", level)


def _atom(text: PrintedTerm) -> PrintedTerm:
    """The text as one unknown of linear forms."""
    return PrintedTerm(text.text, text.level, ((text.at(PRODUCT), 1),))


def _negation(part: PrintedTerm) -> PrintedTerm:
    if part.level in (EQUAL, LESS):
        for operator, opposite in NEGATED.items():
            left, found, right = part.text.partition(f" {operator} ")
            if found and not any(f" {other} " in left + right for other in (*NEGATED, "?", "&&", "||")):
                return PrintedTerm(f"{left} {opposite} {right}", EQUAL if opposite in ("==", "!=") else LESS)
    return PrintedTerm(f"!{part.at(PREFIX)}", PREFIX)


def _comparison(operator: str, left: PrintedTerm, right: PrintedTerm) -> PrintedTerm:
    """Prints a comparison of numbers. Linear sides are sorted so that no coefficient is negative."""
    level = EQUAL if operator in ("==", "!=") else LESS
    if left.linear is not None and right.linear is not None:
        form = _added(((1, left.linear), (-1, right.linear)))
        constant = form.pop("", 0)
        positive = tuple((name, factor) for name, factor in form.items() if factor > 0)
        negative = tuple((name, -factor) for name, factor in form.items() if factor < 0)
        if not positive:
            return PrintedTerm(f"{_sum(negative).at(SHIFT)} {MIRRORED[operator]} {constant}", level)
        if not negative:
            return PrintedTerm(f"{_sum(positive).at(SHIFT)} {operator} {-constant}", level)
        if constant > 0:
            positive = (*positive, ("", constant))
        if constant < 0:
            negative = (*negative, ("", -constant))
        left, right = _sum(positive), _sum(negative)
    return PrintedTerm(f"{left.at(level + 1)} {operator} {right.at(level + 1)}", level)


def _linear(kind: int, parts: list[PrintedTerm]) -> LinearForm | None:
    """The linear form of a sum, a difference or a product; None if it has none."""
    forms = [part.linear for part in parts if part.linear is not None]
    if len(forms) < len(parts):
        return None
    if kind in _PRODUCTS:
        return _product(forms)
    if kind in _NEGATIONS:
        signs = [-1] * len(forms)
    else:
        signs = [-1 if kind in _DIFFERENCES and number else 1 for number in range(len(forms))]
    total = _added(zip(signs, forms, strict=True))
    return tuple((name, factor) for name, factor in total.items() if factor)


def _product(forms: Sequence[LinearForm]) -> LinearForm | None:
    """The product of two forms if exactly one is a constant; None for others."""
    constants = [dict(form).get("", 0) for form in forms if not any(name for name, _ in form)]
    others = [form for form in forms if any(name for name, _ in form)]
    if len(constants) != 1:
        return None
    return tuple((name, constants[0] * factor) for name, factor in others[0])


def _added(forms: Iterable[tuple[int, LinearForm]]) -> dict[str, int]:
    """The sum of linear forms with signs; names whose factors cancel keep the factor 0."""
    total: dict[str, int] = {}
    for sign, form in forms:
        for name, factor in form:
            total[name] = total.get(name, 0) + sign * factor
    return total


def _sum(form: LinearForm) -> PrintedTerm:
    if not form:
        return PrintedTerm("0", ATOM, ())
    items = sorted(form, key=lambda item: (item[0] == "", item[1] < 0))
    if items[0][1] < 0 < items[-1][1]:  # 4 - x, but x + 4
        items = [items[-1], *items[:-1]]
    out = ""
    for name, factor in items:
        size = str(abs(factor)) if not name else name if abs(factor) == 1 else f"{abs(factor)} * {name}"
        out += (" - " if factor < 0 else " + ") + size
    text = out[3:] if out.startswith(" + ") else "-" + out[3:]
    single = len(items) == 1
    level = (ATOM if abs(items[0][1]) == 1 and items[0][0] and "-" not in text else PRODUCT) if single else SUM
    return PrintedTerm(text, level, form)
