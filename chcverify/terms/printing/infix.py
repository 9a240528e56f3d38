"""Terms for people: infix operators, as few parentheses as their precedence allows, cut where they grow long."""

from collections.abc import Mapping, Sequence

import z3

from chcverify.display_limits import FORMULA_CHARACTERS
from chcverify.terms.core.traversal import subterms

_ATOM = 100

# Operator kind -> (how it is written, how strongly it binds its arguments).
_INFIX: Mapping[int, tuple[str, int]] = {
    z3.Z3_OP_IMPLIES: (" ⇒ ", 10), z3.Z3_OP_IFF: (" ⇔ ", 12), z3.Z3_OP_OR: (" ∨ ", 20), z3.Z3_OP_AND: (" ∧ ", 30),
    z3.Z3_OP_EQ: (" = ", 40), z3.Z3_OP_DISTINCT: (" ≠ ", 40), z3.Z3_OP_LE: (" ≤ ", 40), z3.Z3_OP_LT: (" < ", 40),
    z3.Z3_OP_GE: (" ≥ ", 40), z3.Z3_OP_GT: (" > ", 40), z3.Z3_OP_ADD: (" + ", 50), z3.Z3_OP_SUB: (" - ", 50),
    z3.Z3_OP_MUL: ("·", 60), z3.Z3_OP_DIV: (" / ", 60), z3.Z3_OP_IDIV: (" div ", 60), z3.Z3_OP_MOD: (" mod ", 60),
    z3.Z3_OP_SLEQ: (" ≤ₛ ", 40), z3.Z3_OP_SLT: (" <ₛ ", 40), z3.Z3_OP_SGEQ: (" ≥ₛ ", 40), z3.Z3_OP_SGT: (" >ₛ ", 40),
    z3.Z3_OP_ULEQ: (" ≤ᵤ ", 40), z3.Z3_OP_ULT: (" <ᵤ ", 40), z3.Z3_OP_UGEQ: (" ≥ᵤ ", 40), z3.Z3_OP_UGT: (" >ᵤ ", 40),
    z3.Z3_OP_BADD: (" + ", 50), z3.Z3_OP_BSUB: (" - ", 50), z3.Z3_OP_BMUL: ("·", 60),
    z3.Z3_OP_BAND: (" & ", 45), z3.Z3_OP_BOR: (" | ", 43), z3.Z3_OP_BXOR: (" ^ ", 44),
    z3.Z3_OP_BSHL: (" << ", 47), z3.Z3_OP_BASHR: (" >>ₛ ", 47), z3.Z3_OP_BLSHR: (" >>ᵤ ", 47),
}  # fmt: skip
_NEGATED = {
    z3.Z3_OP_EQ: " ≠ ", z3.Z3_OP_IFF: " ≠ ", z3.Z3_OP_LE: " > ", z3.Z3_OP_LT: " ≥ ", z3.Z3_OP_GE: " < ",
    z3.Z3_OP_GT: " ≤ ",
}  # fmt: skip
_ASSOCIATIVE = {z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_ADD, z3.Z3_OP_MUL, z3.Z3_OP_BADD, z3.Z3_OP_BMUL}

Shown = tuple[str, int]  # a text and how strongly its outermost operator binds


def infix_text(term: z3.ExprRef) -> str:
    """The term as `x ≥ 0 ∧ y = x + 1`. For reading only: long subterms are an ellipsis."""
    parts = list(subterms(term))  # children first; keeps them alive, and so their identities
    shown: dict[int, Shown] = {}
    for part in parts:
        text, strength = _shown(part, shown)
        shown[part.get_id()] = (text, strength) if len(text) <= FORMULA_CHARACTERS else ("…", _ATOM)
    return shown[term.get_id()][0]


def _shown(term: z3.ExprRef, shown: Mapping[int, Shown]) -> Shown:
    """The text of a term; shown: the texts of its children by their ids."""
    if z3.is_quantifier(term):
        return _quantifier(term, shown)
    value = _value(term)
    return _application(term, shown) if value is None else value


def _value(term: z3.ExprRef) -> Shown | None:
    """The text of a bound variable or a value; None for other terms."""
    if z3.is_var(term):
        return f"b{z3.get_var_index(term)}", _ATOM
    if z3.is_int_value(term) or z3.is_rational_value(term):
        text = term.as_string()
        return text, 55 if text.startswith("-") or "/" in text else _ATOM
    if z3.is_bv_value(term):
        return str(term.as_signed_long()), _ATOM
    if z3.is_string_value(term) or z3.is_fp_value(term):
        return str(term), _ATOM
    return None


def _application(term: z3.ExprRef, shown: Mapping[int, Shown]) -> Shown:
    """The text of a function applied to arguments."""
    kind, children = term.decl().kind(), [shown[child.get_id()] for child in term.children()]
    if kind == z3.Z3_OP_NOT:
        return _negation(term, shown)
    if kind in _INFIX and len(children) > 1:
        if kind == z3.Z3_OP_MUL and z3.is_int_value(term.arg(0)) and term.arg(0).as_long() < 0:
            return _negative_multiple(term.arg(0).as_long(), children[1:])
        operator, strength = _INFIX[kind]
        right = strength if kind in _ASSOCIATIVE else strength + 1
        operands = [_inside(children[0], strength), *(_inside(child, right) for child in children[1:])]
        return _sum(operands) if kind == z3.Z3_OP_ADD else operator.join(operands), strength
    if kind in (z3.Z3_OP_UMINUS, z3.Z3_OP_BNEG):
        return "-" + _inside(children[0], 60), 55
    texts = [text for text, _ in children]
    if kind == z3.Z3_OP_ITE:
        return "if {} then {} else {}".format(*texts), 5
    if kind == z3.Z3_OP_SELECT:
        return f"{_inside(children[0], _ATOM)}[{', '.join(texts[1:])}]", _ATOM
    if kind == z3.Z3_OP_STORE:
        return f"{_inside(children[0], _ATOM)}[{', '.join(texts[1:-1])} := {texts[-1]}]", _ATOM
    name = "constant" if kind == z3.Z3_OP_CONST_ARRAY else str(term.decl().name())
    return (f"{name}({', '.join(texts)})" if texts else name), _ATOM


def _negative_multiple(factor: int, others: Sequence[Shown]) -> Shown:
    """-1·x as -x, and -2·x."""
    number = [] if factor == -1 else [str(-factor)]
    return "-" + "·".join([*number, *(_inside(other, 60) for other in others)]), 55


def _sum(operands: Sequence[str]) -> str:
    """a + -b as a - b."""
    tail = [f" - {text[1:]}" if text.startswith("-") and " " not in text else f" + {text}" for text in operands[1:]]
    return operands[0] + "".join(tail)


def _inside(child: Shown, strength: int) -> str:
    text, own = child
    return text if own >= strength else f"({text})"


def _negation(term: z3.ExprRef, shown: Mapping[int, Shown]) -> Shown:
    child = term.arg(0)
    if z3.is_app(child) and child.num_args() == 2 and child.decl().kind() in _NEGATED:
        left, right = (_inside(shown[argument.get_id()], 41) for argument in child.children())
        return f"{left}{_NEGATED[child.decl().kind()]}{right}", 40
    return "¬" + _inside(shown[child.get_id()], 70), 70


def _quantifier(term: z3.QuantifierRef, shown: Mapping[int, Shown]) -> Shown:
    """Bound variables are written b0, b1, ... from the innermost one, as their indices count."""
    count = term.num_vars()
    names = " ".join(f"b{count - 1 - i}" for i in range(count))
    sign = "∀" if term.is_forall() else "∃" if term.is_exists() else "λ"
    return f"{sign}{names}. {shown[term.body().get_id()][0]}", 5
