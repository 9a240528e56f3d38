"""Formulas in the syntax of C, for people. Mathematical integers are printed as such: no wrap-around is meant.

Machine words are printed signed, unless their variables are unsigned; where a comparison reads them otherwise, it says
so by a cast.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import z3

from chcverify.terms.core.traversal import fold

MAX_SUBTERM_CHARACTERS = 2_000  # characters of a printed subterm, longer ones are cut to "..."

# C's levels of precedence, from loosest
(TERNARY, OR, AND, EQUAL, LESS, SHIFT, SUM, PRODUCT, PREFIX, ATOM) = range(10)


@dataclass(frozen=True)
class PrintedTerm:
    """A printed term, how tightly it binds, and its linear form if it is a sum of products with constants.

    width: of a machine word, 0 for others. unsigned: is that read as unsigned? number: of a numeral so read.
    """

    text: str
    level: int
    linear: tuple[tuple[str, int], ...] | None = None
    width: int = 0
    unsigned: bool = False
    number: int | None = None

    def at(self, level: int) -> str:
        """As an operand of that level."""
        return self.text if self.level >= level else f"({self.text})"


_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_UNSIGNED = frozenset({z3.Z3_OP_ULEQ, z3.Z3_OP_ULT, z3.Z3_OP_UGEQ, z3.Z3_OP_UGT})
_UNSIGNED_READING = frozenset({z3.Z3_OP_BUDIV, z3.Z3_OP_BUDIV_I, z3.Z3_OP_BUREM, z3.Z3_OP_BUREM_I, z3.Z3_OP_BLSHR})
_SIGNED_READING = frozenset({z3.Z3_OP_BSDIV, z3.Z3_OP_BSDIV_I, z3.Z3_OP_BSREM, z3.Z3_OP_BSREM_I, z3.Z3_OP_BASHR})
_INTEGERS = {8: "char", 16: "short", 32: "int", 64: "long"}
_SUMS = frozenset({z3.Z3_OP_ADD, z3.Z3_OP_BADD, z3.Z3_OP_SUB, z3.Z3_OP_BSUB, z3.Z3_OP_UMINUS, z3.Z3_OP_BNEG})
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
        return text if len(text.text) <= MAX_SUBTERM_CHARACTERS else PrintedTerm("...", ATOM)

    return fold(simple, visit).text


def simplified(formula: T) -> T:
    """The formula with its constants folded, in the form that prints best."""
    return z3.simplify(
        formula, arith_ineq_lhs=False, elim_and=False, som=False, bv_le2extract=False, elim_sign_ext=False
    )


def _term(term: z3.ExprRef, parts: list[PrintedTerm], names: Mapping[int, str]) -> PrintedTerm:
    if term.get_id() in names:
        name = names[term.get_id()]
        return PrintedTerm(name, ATOM, ((name, 1),))
    if z3.is_var(term):
        name = f"\0{z3.get_var_index(term)}\0"  # its binder knows how it is called
        return PrintedTerm(name, ATOM, ((name, 1),))
    if not z3.is_app(term):
        return PrintedTerm(str(term), ATOM)
    kind = term.decl().kind()
    if kind in _COMPARISONS and parts[0].width:
        return _words(_COMPARISONS[kind], [_read(part, kind in _UNSIGNED) for part in parts])
    if kind in _COMPARISONS:
        return _comparison(_COMPARISONS[kind], parts[0], parts[1])
    if kind == z3.Z3_OP_EQ and parts[0].width:
        natural = any(part.unsigned for part in parts)
        return _words("==", [_read(part, natural) if part.number is not None else part for part in parts])
    if kind == z3.Z3_OP_EQ:
        return _comparison("==", parts[0], parts[1])
    if kind in _SUMS or (kind in _PRODUCTS and len(parts) == 2):
        linear = _linear(kind, parts)
        if linear is not None:
            return _sum(linear)
    if kind in _OPERATORS:
        operator, level = _OPERATORS[kind]
        if kind in _SIGNED_READING or kind in _UNSIGNED_READING:
            parts = [_read(part, kind in _UNSIGNED_READING) for part in parts]
        rest = [part.at(level + 1) for part in parts if part.text != "RNE"]
        return _atom(PrintedTerm(f" {operator} ".join([rest[0], *rest[1:]]), level))
    return _other(term, kind, parts)


def _quantified(term: z3.QuantifierRef, body: str, taken: Collection[str]) -> PrintedTerm:
    """taken: the names that stand for other things. Names that solvers made up become letters that are free."""
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


def _other(term: z3.ExprRef, kind: int, parts: list[PrintedTerm]) -> PrintedTerm:
    match kind:
        case z3.Z3_OP_TRUE:
            return PrintedTerm("1", ATOM)
        case z3.Z3_OP_FALSE:
            return PrintedTerm("0", ATOM)
        case z3.Z3_OP_AND:
            return PrintedTerm(" && ".join(part.at(AND) for part in parts), AND)
        case z3.Z3_OP_OR:
            return PrintedTerm(" || ".join(part.at(AND) for part in parts), OR)
        case z3.Z3_OP_NOT:
            return _negation(parts[0])
        case z3.Z3_OP_IMPLIES:
            return PrintedTerm(f"{_negation(parts[0]).at(AND)} || {parts[1].at(AND)}", OR)
        case z3.Z3_OP_ITE:
            return _atom(PrintedTerm(f"{parts[0].at(OR)} ? {parts[1].at(OR)} : {parts[2].at(OR)}", TERNARY))
        case z3.Z3_OP_SELECT if "{}" in parts[0].text:  # a field of an array's elements, as in `a[{}].next`
            return _atom(PrintedTerm(parts[0].text.replace("{}", parts[1].text), ATOM))
        case z3.Z3_OP_SELECT:
            return _atom(PrintedTerm(f"{parts[0].at(ATOM)}[{parts[1].text}]", ATOM))
        case z3.Z3_OP_ANUM:
            value = term.as_long() if z3.is_int_value(term) else None
            return PrintedTerm(
                str(term), ATOM if value is None or value >= 0 else PREFIX, None if value is None else (("", value),)
            )
        case z3.Z3_OP_BNUM:
            value = term.as_signed_long()
            level = ATOM if value >= 0 else PREFIX
            return PrintedTerm(str(value), level, (("", value),), number=term.as_long())
        case z3.Z3_OP_EXTRACT:
            high, low = term.params()
            shifted = f"{parts[0].at(SHIFT)} >> {low}" if low else parts[0].text
            inner = PrintedTerm(shifted, SHIFT if low else parts[0].level)
            return replace(
                _atom(PrintedTerm(f"{inner.at(EQUAL)} & {(1 << (high - low + 1)) - 1}", EQUAL - 1)), unsigned=True
            )
        case z3.Z3_OP_CONCAT if len(parts) == 2 and parts[0].number == 0:
            return replace(_atom(_read(parts[1], True)), unsigned=True)
        case z3.Z3_OP_FPA_NEG:
            return PrintedTerm(f"-{parts[0].at(PREFIX)}", PREFIX)
        case z3.Z3_OP_BNOT:
            return PrintedTerm(f"~{parts[0].at(PREFIX)}", PREFIX)
        case z3.Z3_OP_ZERO_EXT:
            return replace(_atom(_read(parts[0], True)), unsigned=True)
        case z3.Z3_OP_SIGN_EXT:
            return replace(_atom(_read(parts[0], False)), unsigned=False)
        case _ if not parts:
            return PrintedTerm(str(term), ATOM)
        case _:
            arguments = ", ".join(part.text for part in parts)
            return PrintedTerm(f"{term.decl().name()}({arguments})", ATOM)


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
        operator = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}[operator]
        parts = parts[::-1]
    return PrintedTerm(f"{parts[0].at(level + 1)} {operator} {parts[1].at(level + 1)}", level)


def _atom(text: PrintedTerm) -> PrintedTerm:
    """As an unknown of linear forms."""
    return PrintedTerm(text.text, text.level, ((text.at(PRODUCT), 1),))


def _negation(part: PrintedTerm) -> PrintedTerm:
    if part.level in (EQUAL, LESS):
        for operator, opposite in _NEGATED.items():
            left, found, right = part.text.partition(f" {operator} ")
            if found and not any(f" {other} " in left + right for other in (*_NEGATED, "?", "&&", "||")):
                return PrintedTerm(f"{left} {opposite} {right}", EQUAL if opposite in ("==", "!=") else LESS)
    return PrintedTerm(f"!{part.at(PREFIX)}", PREFIX)


def _comparison(operator: str, left: PrintedTerm, right: PrintedTerm) -> PrintedTerm:
    """Linear sides are sorted so that no coefficient is negative."""
    level = EQUAL if operator in ("==", "!=") else LESS
    if left.linear is not None and right.linear is not None:
        form = dict(left.linear)
        for name, factor in right.linear:
            form[name] = form.get(name, 0) - factor
        positive = tuple((name, factor) for name, factor in form.items() if factor > 0)
        negative = tuple((name, -factor) for name, factor in form.items() if factor < 0)
        if not any(name for name, _ in positive):
            flipped = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(operator, operator)
            constant = form.get("", 0)
            names = tuple((name, factor) for name, factor in negative if name)
            return PrintedTerm(f"{_sum(names).at(SHIFT)} {flipped} {constant}", level)
        if not any(name for name, _ in negative):
            names = tuple((name, factor) for name, factor in positive if name)
            return PrintedTerm(f"{_sum(names).at(SHIFT)} {operator} {-form.get('', 0)}", level)
        left, right = _sum(positive), _sum(negative)
    return PrintedTerm(f"{left.at(level + 1)} {operator} {right.at(level + 1)}", level)


def _linear(kind: int, parts: list[PrintedTerm]) -> tuple[tuple[str, int], ...] | None:
    if any(part.linear is None for part in parts):
        return None
    forms = [dict(part.linear or ()) for part in parts]
    if kind in _PRODUCTS:
        constants = [form.get("", 0) for form in forms if not any(name for name in form)]
        others = [form for form in forms if any(name for name in form)]
        if len(constants) != 1:
            return None
        return tuple((name, constants[0] * factor) for name, factor in others[0].items())
    total: dict[str, int] = {}
    for number, form in enumerate(forms):
        negated = kind in (z3.Z3_OP_UMINUS, z3.Z3_OP_BNEG)
        sign = -1 if negated or (kind in (z3.Z3_OP_SUB, z3.Z3_OP_BSUB) and number) else 1
        for name, factor in form.items():
            total[name] = total.get(name, 0) + sign * factor
    return tuple((name, factor) for name, factor in total.items() if factor)


def _sum(form: tuple[tuple[str, int], ...]) -> PrintedTerm:
    if not form:
        return PrintedTerm("0", ATOM, ())
    items = sorted(form, key=lambda item: (item[0] == "", item[1] < 0))
    out = ""
    for name, factor in items:
        size = str(abs(factor)) if not name else name if abs(factor) == 1 else f"{abs(factor)} * {name}"
        out += (" - " if factor < 0 else " + ") + size
    text = out[3:] if out.startswith(" + ") else "-" + out[3:]
    single = len(items) == 1
    level = (ATOM if abs(items[0][1]) == 1 and items[0][0] and "-" not in text else PRODUCT) if single else SUM
    return PrintedTerm(text, level, form)
