"""Calls of procedures with `{:inline n}`: their bodies stand in place of the calls, n deep where they call themselves.

Beyond that depth, and of other procedures, a call does what the contract says. As in Boogie, an inlined body still has
to keep its contract where it stands, of which free conditions say nothing there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from encoders.boogie import syntax as s
from encoders.boogie.resolved_declarations import (
    Declarations,
    Implementation,
    is_always_assumed,
    is_assumption_variable,
    names_in,
    stated_inline_depth,
)

T = TypeVar("T")


def with_inlined_calls(declarations: Declarations, implementation: Implementation) -> Implementation:
    """The implementation with the bodies of procedures that are to be inlined, and their variables as its own."""
    own = (*implementation.signature.parameters, *implementation.signature.results, *implementation.body.variables)
    hidden = frozenset(variable.name for variable in own if variable.name in declarations.globals)
    inliner = _Inliner(declarations, hidden)
    statements = inliner.statements(implementation.body.statements, {})
    if statements == implementation.body.statements:
        return implementation
    variables = (*implementation.body.variables, *inliner.variables)
    return replace(implementation, body=replace(implementation.body, variables=variables, statements=statements))


@dataclass(frozen=True)
class _Renaming:
    """Names of a callee's variables and labels at one call, and of copies of globals when the call began."""

    variables: Mapping[str, str]
    labels: Mapping[str, str]
    old: Mapping[str, str]
    exit: str | None
    """Where `return` leads to; None in a code expression, which returns for itself."""


class _Inliner:
    """Replaces calls; variables: those that the bodies bring along."""

    def __init__(self, declarations: Declarations, hidden: frozenset[str], count: int = 0) -> None:
        self.variables: list[s.DeclaredVariable] = []
        self._hidden = hidden  # globals whose names mean variables of the caller where a body would stand
        self._declarations = declarations
        self._bodies: dict[str, list[Implementation]] = {}
        for implementation in declarations.implementations:
            self._bodies.setdefault(implementation.procedure.signature.name, []).append(implementation)
        self._count = count

    def statements(self, statements: tuple[s.Statement, ...], depths: Mapping[str, int]) -> tuple[s.Statement, ...]:
        """The statements with bodies in place of calls. depths: for each procedure, how often this stands in it."""
        found: list[s.Statement] = []
        for statement in statements:
            statement = self._with_code(statement, depths)
            if isinstance(statement, s.CallStatement):
                found += self._call(statement, depths)
            elif isinstance(statement, s.IfStatement):
                first, second = self.statements(statement.first, depths), self.statements(statement.second, depths)
                found.append(replace(statement, first=first, second=second))
            elif isinstance(statement, s.WhileStatement):
                found.append(replace(statement, body=self.statements(statement.body, depths)))
            else:
                found.append(statement)
        return tuple(found)

    def _with_code(self, node: Any, depths: Mapping[str, int]) -> Any:
        """A part of the syntax, with bodies in place of calls in its code expressions.

        Statements in statements are left as they are. The recursion is as deep as the syntax is nested.
        """
        if isinstance(node, tuple):
            return tuple(part if isinstance(part, s.Statement) else self._with_code(part, depths) for part in node)
        if isinstance(node, s.CodeExpression):
            inner = _Inliner(self._declarations, self._hidden, self._count)
            statements = inner.statements(node.body.statements, depths)
            self._count = inner._count  # names are new in all of the body
            variables = (*node.body.variables, *inner.variables)
            return replace(node, body=replace(node.body, variables=variables, statements=statements))
        if not isinstance(node, s.Statement | s.Expression):
            return node
        parts = {item.name: getattr(node, item.name) for item in fields(node)}
        changed = {name: self._with_code(part, depths) for name, part in parts.items()}
        if all(changed[name] is part or changed[name] == part for name, part in parts.items()):
            return node
        return replace(node, **changed)

    def _call(self, call: s.CallStatement, depths: Mapping[str, int]) -> list[s.Statement]:
        bodies = self._bodies.get(call.procedure, [])
        depth = depths.get(call.procedure, 0)
        fits = len(bodies) == 1 and not bodies[0].signature.type_parameters and _fits(call, bodies[0])
        fits = fits and not self._hidden & names_in((bodies[0].body, bodies[0].procedure.contract))
        if not fits or depth >= self._inline_depth(bodies[0].procedure):
            return [call]
        return self._inlined(call, bodies[0], {**depths, call.procedure: depth + 1})

    def _inline_depth(self, procedure: s.ProcedureDeclaration) -> int:
        stated = stated_inline_depth(procedure)
        return self._declarations.inline_depth if stated is None else stated

    def _inlined(self, call: s.CallStatement, body: Implementation, depths: Mapping[str, int]) -> list[s.Statement]:
        """The statements for one call: checks of what is required, the body, checks of what is ensured."""
        self._count += 1
        prefix = f"{call.procedure} {self._count} "  # no name of the program has a blank
        own = (*body.signature.parameters, *body.signature.results, *body.body.variables)
        variables = {variable.name: prefix + variable.name for variable in own}
        declared = {name: variables[other] for name, other in body.renaming.items()}
        contract = body.procedure.contract
        old = {name: f"{prefix}old {name}" for name in sorted(self._mentioned_globals(body)) if name not in variables}
        exit = f"{prefix}return"
        labels = {name: prefix + name for name in _labels_in(body.body.statements)}
        inside = _Renaming(variables, labels, old, exit)
        outside = _Renaming(declared, {}, old, exit)
        self.variables += [
            replace(v, name=variables[v.name], where=_renamed(v.where, inside), is_copy=True) for v in own
        ]
        self.variables += [
            replace(self._declarations.globals[name], name=copy, where=None, attributes=(), is_copy=True)
            for name, copy in old.items()
        ]
        at = call.origin
        parameters = [variables[parameter.name] for parameter in body.signature.parameters]
        values = [*call.arguments, *(s.Name(at, name) for name in old)]
        found = _assigned(at, [*parameters, *old.values()], values)
        for required in contract.requires:
            found += _claimed(required, _renamed(required.condition, outside), at, call.attributes)
        found += _any_values(at, [*body.signature.results, *body.body.variables], variables)
        found += self.statements(_renamed(body.body.statements, inside), depths)
        found.append(s.Label(at, exit))
        for ensured in contract.ensures:
            found += _claimed(ensured, _renamed(ensured.condition, outside), ensured.origin, ())
        results = [s.Name(at, variables[result.name]) for result in body.signature.results]
        return [*found, *_assigned(at, list(call.results), results)]

    def _mentioned_globals(self, body: Implementation) -> frozenset[str]:
        """The globals that the body and the contract mention, of which `old` may speak."""
        mentioned = names_in((body.body, body.procedure.contract))
        return frozenset(name for name in body.procedure.contract.modifies if name in mentioned)


def _fits(call: s.CallStatement, body: Implementation) -> bool:
    counts = len(body.signature.parameters), len(body.signature.results)
    return (len(call.arguments), len(call.results)) == counts and not call.is_free


def _assigned(at: Origin, names: list[str], values: list[Any]) -> list[s.Statement]:
    if not names:
        return []
    return [s.AssignmentStatement(at, tuple(s.AssignmentTarget(name, (), at) for name in names), tuple(values))]


def _any_values(at: Origin, variables: Sequence[s.DeclaredVariable], names: Mapping[str, str]) -> list[s.Statement]:
    """Any values for results and local variables, but for assumption variables, which begin as true."""
    true = s.LiteralExpression(at, "true", s.BOOL)
    assumptions = [names[v.name] for v in variables if is_assumption_variable(v)]
    found = _assigned(at, assumptions, [true] * len(assumptions))
    others = tuple(names[v.name] for v in variables if not is_assumption_variable(v))
    return [*found, s.HavocStatement(at, others)] if others else found


def _claimed(
    condition: s.ContractCondition, renamed: s.Expression, at: Origin, attributes: tuple[s.BoogieAttribute, ...]
) -> list[s.Statement]:
    """The check of a condition. One that is free says nothing, since the body itself stands there."""
    if not condition.is_free:
        return [s.AssertStatement(at, renamed, attributes)]
    return [s.AssumeStatement(at, renamed)] if is_always_assumed(condition) else []


def _labels_in(statements: tuple[s.Statement, ...]) -> frozenset[str]:
    found: set[str] = set()
    waiting = list(statements)
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, s.Label):
            found.add(statement.name)
        elif isinstance(statement, s.IfStatement):
            waiting += (*statement.first, *statement.second)
        elif isinstance(statement, s.WhileStatement):
            waiting += statement.body
    return frozenset(found)


def _renamed(node: T, names: _Renaming) -> T:
    """A part of the syntax with the names of a call. The recursion is as deep as the syntax is nested."""
    found: T = _renamed_part(node, names)
    return found


def _without(names: _Renaming, hidden: Sequence[str]) -> _Renaming:
    """The renaming where these names mean other variables."""
    variables = {name: to for name, to in names.variables.items() if name not in hidden}
    old = {name: to for name, to in names.old.items() if name not in hidden}
    return replace(names, variables=variables, old=old)


def _renamed_code(code: s.CodeExpression, names: _Renaming) -> s.CodeExpression:
    """A code expression with the names of a call but for its own variables and labels."""
    inner = replace(_without(names, [v.name for v in code.body.variables]), labels={}, exit=None)
    return replace(code, body=replace(code.body, statements=_renamed(code.body.statements, inner)))


def _renamed_part(node: Any, names: _Renaming) -> Any:
    if isinstance(node, tuple):
        return tuple(_renamed_part(part, names) for part in node)
    if isinstance(node, s.Name | s.AssignmentTarget):
        node = replace(node, name=names.variables.get(node.name, node.name))
    elif isinstance(node, s.Label):
        return replace(node, name=names.labels.get(node.name, node.name))
    elif isinstance(node, s.GotoStatement):
        return replace(node, labels=tuple(names.labels.get(label, label) for label in node.labels))
    elif isinstance(node, s.BreakStatement):
        return node if node.label is None else replace(node, label=names.labels.get(node.label, node.label))
    elif isinstance(node, s.ReturnStatement) and names.exit is not None:
        return s.GotoStatement(node.origin, (names.exit,))
    elif isinstance(node, s.HavocStatement):
        return replace(node, names=tuple(names.variables.get(name, name) for name in node.names))
    elif isinstance(node, s.CallStatement):
        node = replace(node, results=tuple(names.variables.get(name, name) for name in node.results))
    elif isinstance(node, s.Old):
        return _renamed_part(node.body, replace(names, variables={**names.variables, **names.old}))
    elif isinstance(node, s.CodeExpression):
        return _renamed_code(node, names)
    elif isinstance(node, s.Quantified | s.Let):
        names = _without(names, [b.name for b in node.bound] if isinstance(node, s.Quantified) else node.names)
    if not is_dataclass(node) or isinstance(node, Origin | s.NamedType | s.MapType):
        return node
    changed = {
        item.name: _renamed_part(value, names)
        for item in fields(node)
        if isinstance(value := getattr(node, item.name), tuple) or is_dataclass(value)
    }
    return replace(node, **changed)  # type: ignore[type-var]
