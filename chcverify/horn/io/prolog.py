"""Prolog-style clauses for people and for constraint logic programming tools: head :- constraint, body."""

import re
from collections.abc import Sequence

import z3

from chcverify.horn.names import Fresh, plain
from chcverify.horn.system import Application, Clause, HornSystem
from chcverify.terms.core.traversal import conjuncts, subterms
from chcverify.terms.printing.smtlib import INLINE_CHARACTERS

_INFIX = {
    z3.Z3_OP_ADD: "+", z3.Z3_OP_SUB: "-", z3.Z3_OP_MUL: "*", z3.Z3_OP_DIV: "/", z3.Z3_OP_IDIV: "div",
    z3.Z3_OP_MOD: "mod", z3.Z3_OP_LE: "=<", z3.Z3_OP_LT: "<", z3.Z3_OP_GE: ">=", z3.Z3_OP_GT: ">", z3.Z3_OP_EQ: "=",
    z3.Z3_OP_IFF: "=", z3.Z3_OP_AND: ",", z3.Z3_OP_OR: ";",
}  # fmt: skip
_RELATIONS = {z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_EQ}
_NAMED = {
    z3.Z3_OP_IMPLIES: "implies", z3.Z3_OP_SELECT: "select", z3.Z3_OP_STORE: "store", z3.Z3_OP_CONST_ARRAY: "constant",
    z3.Z3_OP_ITE: "ite", z3.Z3_OP_NOT: "not", z3.Z3_OP_UMINUS: "-",
}  # fmt: skip
_ATOM = re.compile(r"[a-z]\w*", re.ASCII)


def to_prolog(system: HornSystem) -> str:
    """Each clause as `p(X) :- X > 0, q(X).`, a query as `false :- ...`. Shared long terms get names of their own."""
    return "".join(f"{_clause(clause)}\n" for clause in system.clauses)


def _clause(clause: Clause) -> str:
    fresh = Fresh(())
    names = {}
    for variable in clause.variables:
        names[variable.get_id()] = fresh(_capital(str(variable.decl().name())))
    definitions: list[str] = []
    roots = conjuncts(clause.constraint)
    arguments = [argument for application in clause.applications for argument in application.arguments]
    text = _texts([*arguments, *roots], names, fresh, definitions)

    def atom(application: Application) -> str:
        shown = ", ".join(text[argument.get_id()] for argument in application.arguments)
        return f"{_name(application.predicate.name)}({shown})" if shown else _name(application.predicate.name)

    head = "false" if clause.head is None else atom(clause.head)
    body = [*definitions, *(_top(text[root.get_id()], root) for root in roots), *map(atom, clause.body)]
    return f"{head} :- {', '.join(body)}." if body else f"{head}."


def _texts(roots: list[z3.ExprRef], names: dict[int, str], fresh: Fresh, definitions: list[str]) -> dict[int, str]:
    """The text of every subterm; a long one with several uses becomes a variable that `definitions` equates to it."""
    parts = list(subterms(*roots))  # keeps them alive, and so their identities
    uses: dict[int, int] = {}
    for part in parts:
        for child in part.children():
            uses[child.get_id()] = uses.get(child.get_id(), 0) + 1
    text: dict[int, str] = {}
    for part in parts:
        key = part.get_id()
        shown = names[key] if key in names else _term(part, text)
        if len(shown) > INLINE_CHARACTERS and uses.get(key, 0) > 1 and not _has_bound(part):
            name = fresh("T")
            definitions.append(f"{name} = {shown}")
            shown = name
        text[key] = shown
    return text


def _top(text: str, term: z3.ExprRef) -> str:
    """A relation in the body of a clause, without the parentheses that it has inside other terms."""
    inside = z3.is_app(term) and term.num_args() == 2 and term.decl().kind() in _RELATIONS
    return text[1:-1] if inside and text.startswith("(") else text


def _has_bound(term: z3.ExprRef) -> bool:
    return any(z3.is_var(part) for part in subterms(term))


def _term(term: z3.ExprRef, text: dict[int, str]) -> str:
    """The term in Prolog's syntax; text: that of its children, by their ids."""
    if z3.is_quantifier(term):
        return f"smtlib({quote(' '.join(term.sexpr().split()))})"  # Prolog has no nested quantifiers
    if z3.is_var(term):  # shown where its quantifier is
        return f"B{z3.get_var_index(term)}"
    if z3.is_int_value(term) or z3.is_rational_value(term):
        return str(term)
    if z3.is_bv_value(term):
        return f"bv({term.as_long()}, {term.size()})"
    return _applied(term, [text[child.get_id()] for child in term.children()])


def _applied(term: z3.ExprRef, parts: Sequence[str]) -> str:
    """The application of the term's operator to arguments with these texts."""
    kind = term.decl().kind()
    if kind == z3.Z3_OP_UMINUS and parts[0].isdigit():
        return f"-{parts[0]}"
    if kind in _INFIX and len(parts) > 1:
        operator = _INFIX[kind]
        separator = ", " if operator == "," else f" {operator} "
        return f"({separator.join(parts)})"
    name = _NAMED.get(kind)
    if name is None:
        indices = (str(p) for p in term.decl().params() if isinstance(p, int))
        name = _name("_".join([str(term.decl().name()), *indices]))
    return f"{name}({', '.join(parts)})" if parts else name


def _capital(name: str) -> str:
    clean = plain(name)
    return clean[0].upper() + clean[1:]


def _name(name: str) -> str:
    return name if _ATOM.fullmatch(name) else quote(name)


def quote(text: str) -> str:
    """The text as a quoted Prolog atom."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
