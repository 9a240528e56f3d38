"""Constants and uninterpreted functions as constants of z3, and functions that SMT-LIB has."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import z3

from chcverify.horn.origin import Origin
from chcverify.terms.core.traversal import substitute
from encoders.boogie import syntax as s
from encoders.boogie.expressions.type_universe import TypeUniverse
from encoders.boogie.expressions.typed_terms import Typed, components, selected, typed_of
from encoders.boogie.resolved_declarations import Declarations, NotModelled, substituted


def constant_name(name: str) -> str:
    """The name in clauses of a declared constant; no identifier has a blank, so kinds of names do not meet."""
    return f"constant {name}"


class InterpretedSymbols:
    """The constants and uninterpreted functions that translated expressions use, as constants of z3."""

    def __init__(self, declarations: Declarations, universe: TypeUniverse) -> None:
        self.declarations = declarations
        self.universe = universe
        self.used: dict[str, z3.ExprRef] = {}
        self.weakened: Origin | None = None
        """A quantifier over types of which the formulas say less."""
        self.translates_axioms = False
        self.unknown_types = 0
        """Those that stand for all types at conditions that are to be shown, so far."""
        self._binders = 0

    @property
    def is_below_binder(self) -> bool:
        """Is what is translated in the body of a quantifier?"""
        return self._binders > 0

    @contextmanager
    def below_binder(self) -> Iterator[None]:
        """For the time in which the body of a quantifier is translated."""
        self._binders += 1
        try:
            yield
        finally:
            self._binders -= 1

    def constant(self, variable: s.DeclaredVariable) -> Typed:
        """The value of a declared constant."""
        parts = components(variable.type, variable.origin, self.universe)
        name = constant_name(variable.name)
        return typed_of([self._symbol(name + part.suffix, part.sort) for part in parts], variable.type)

    def applied(
        self, declared: s.FunctionDeclaration, values: Mapping[str, s.Type], arguments: Sequence[z3.ExprRef]
    ) -> Typed:
        """An element of the array that stands for a function, for these types in place of its type parameters."""
        result = substituted(declared.result, values)
        instance = ", ".join(str(values[name]) for name in declared.type_parameters)
        name = f"function {declared.name}<{instance}>" if instance else f"function {declared.name}"
        terms = []
        for part in components(result, declared.origin, self.universe):
            sort = part.sort
            for argument in reversed(arguments):
                sort = z3.ArraySort(argument.sort(), sort)
            terms.append(selected(self._symbol(name + part.suffix, sort), arguments))
        return typed_of(terms, result)

    def _symbol(self, name: str, sort: z3.SortRef) -> z3.ExprRef:
        return self.used.setdefault(name, z3.Const(name, sort))

    def distinct_constants(self) -> list[z3.BoolRef]:
        """For each type: the used constants that are declared unique differ."""
        groups: dict[s.Type, list[z3.ExprRef]] = {}
        for variable in self.declarations.unique:
            if (name := constant_name(variable.name)) in self.used:
                groups.setdefault(variable.type, []).append(self.used[name])
        return [z3.Distinct(*group) for group in groups.values() if len(group) > 1]


def built_in_name(declared: s.FunctionDeclaration) -> str | None:
    """The function of SMT-LIB that an attribute says a function is; None if there is none."""
    for attribute in declared.attributes:
        if attribute.name in ("bvbuiltin", "builtin") and attribute.arguments:
            (text, *_) = attribute.arguments
            return text.text if isinstance(text, s.LiteralExpression) else None
    return None


def applied_built_in(name: str, terms: Sequence[z3.ExprRef], result: z3.SortRef, origin: Origin) -> z3.ExprRef:
    """A function of SMT-LIB applied to terms; NotModelled for one that z3 does not know or that gives another sort."""
    names = {f"a{i}": term for i, term in enumerate(terms)}
    plain = {name: z3.Const(name, term.sort()) for name, term in names.items()}
    value = z3.Const("r", result)
    function = f"(_ {name})" if " " in name and not name.startswith("(") else name
    try:
        (equation,) = z3.parse_smt2_string(
            f"(assert (= r ({function} {' '.join(names)})))", decls={**plain, "r": value}
        )
    except (z3.Z3Exception, ValueError):
        raise NotModelled(origin, f"the built-in function {name}") from None
    found = equation.arg(1)
    applied: z3.ExprRef = substitute(found, [(plain[key], term) for key, term in names.items()])
    return applied
