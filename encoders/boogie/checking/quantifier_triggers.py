"""What a trigger of a quantifier may be: terms that mention all bound variables."""

from encoders.boogie import syntax as s
from encoders.boogie.resolved_declarations import names_in, wrong

_NOT_IN_TRIGGERS = {
    s.Operator.NOT: "a connective",
    s.Operator.AND: "a connective",
    s.Operator.OR: "a connective",
    s.Operator.IMPLIES: "a connective",
    s.Operator.EQUIVALENT: "a connective",
    s.Operator.EQUAL: "an equality",
    s.Operator.LESS: "a comparison",
    s.Operator.AT_MOST: "a comparison",
    s.Operator.GREATER: "a comparison",
    s.Operator.AT_LEAST: "a comparison",
}

EXCLUDED = "nopats"
"""The attribute of a quantifier that says what is not to be its trigger."""


def require_triggers(quantified: s.Quantified) -> None:
    """InputError for what cannot be a trigger; names and types are seen to elsewhere."""
    for pattern in quantified.patterns:
        for part in pattern:
            _require_term(part)
        mentioned = names_in(pattern)
        for variable in quantified.bound:
            if variable.name not in mentioned:
                raise wrong(pattern[0].origin, f"this trigger does not mention the bound variable {variable.name}")
    for attribute in quantified.attributes:
        if attribute.name != EXCLUDED:
            continue
        if len(attribute.arguments) != 1 or isinstance(attribute.arguments[0], s.LiteralExpression):
            raise wrong(quantified.origin, f"the attribute {EXCLUDED} has one term")
        _require_term(attribute.arguments[0])


def _require_term(part: s.Expression) -> None:
    """InputError for a variable, and for operators that are formulas."""
    if isinstance(part, s.Name):
        raise wrong(part.origin, f"a variable by itself is no trigger: {part.name}")
    waiting = [part]
    while waiting:
        term = waiting.pop()
        if isinstance(term, s.Operation):
            if term.operator in _NOT_IN_TRIGGERS:
                raise wrong(term.origin, f"{_NOT_IN_TRIGGERS[term.operator]} stands in a trigger")
            waiting += term.operands
        elif isinstance(term, s.FunctionApplication):
            waiting += term.arguments
        elif isinstance(term, s.Select):
            waiting += (term.map, *term.indices)
        elif isinstance(term, s.Update):
            waiting += (term.map, *term.indices, term.value)
        elif isinstance(term, s.Old | s.Coercion | s.Conversion):
            waiting.append(term.body)
