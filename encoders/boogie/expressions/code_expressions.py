"""Code expressions `|{ ... return e; }|`: true if every path through the statements returns true.

What a path assumes is a condition of what it returns, and the values that variables have at first, and by `havoc`, are
any: the weakest precondition of the statements (Barnett and Leino 2005), as Boogie defines their value.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

import z3

from chcverify.effort import MAX_FORMULAS
from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, free_variables
from encoders.boogie import syntax as s
from encoders.boogie.control_flow import EXIT, control_flow_of, loop_heads
from encoders.boogie.expressions.typed_terms import Typed
from encoders.boogie.resolved_declarations import NotModelled, wrong


class CodeScope(Protocol):
    """What gives terms to the expressions in a code expression."""

    def within(self, bound: Mapping[str, Typed]) -> "CodeScope":
        """The scope with more names, which hide those of the scope."""
        ...

    def condition(self, expression: s.Expression) -> z3.BoolRef:
        """The formula of a condition."""
        ...

    def any_value(self, name: str, type: s.Type, origin: Origin) -> Typed:
        """A fresh constant of a type as it is written."""
        ...

    def updated(self, whole: Typed, selections: Sequence[Sequence[s.Expression]], value: s.Expression) -> Typed:
        """The value of a variable after an assignment to a part of it."""
        ...


@dataclass(frozen=True)
class _PathEnd:
    """A path to the beginning of a block: the values of the variables, and what was assumed."""

    block: str
    values: Mapping[str, Typed]
    assumed: tuple[z3.BoolRef, ...]


class _PathsThroughCode:
    """Finds what the paths through one code expression return. fresh: the values that may be any."""

    def __init__(self, code: s.CodeExpression, translator: CodeScope) -> None:
        self._code = code
        self._translator = translator
        self._flow = control_flow_of(code.body, returns_value=True)
        self._fresh: list[z3.ExprRef] = []
        self._variables = {variable.name: variable for variable in code.body.variables}

    def value(self) -> z3.BoolRef:
        """The formula of the code expression."""
        if loop_heads(self._flow):
            raise NotModelled(self._code.origin, "a loop in a code expression")
        for variable in self._variables.values():
            if variable.where is not None:
                raise NotModelled(variable.origin, "a where condition in a code expression")
        first = {name: self._any_value(variable) for name, variable in self._variables.items()}
        waiting = [_PathEnd(self._flow.entry, first, ())]
        returned: list[z3.BoolRef] = []
        while waiting:
            if len(waiting) + len(returned) > MAX_FORMULAS:
                raise NotModelled(self._code.origin, f"a code expression with more than {MAX_FORMULAS} paths")
            waiting += self._followed(waiting.pop(), returned)
        formula = conjunction(returned)
        found = {str(variable) for variable in free_variables(formula)}
        bound = [value for value in self._fresh if str(value) in found]
        return z3.ForAll(bound, formula) if bound else formula

    def _any_value(self, variable: s.DeclaredVariable) -> Typed:
        value = self._translator.any_value(variable.name, variable.type, variable.origin)
        self._fresh += value.terms
        return value

    def _followed(self, path: _PathEnd, returned: list[z3.BoolRef]) -> list[_PathEnd]:
        """The paths to the blocks behind a block; what it returns is added to `returned`."""
        if path.block == EXIT:
            raise wrong(self._code.origin, "a path of this code expression returns no value")
        block = self._flow.blocks[path.block]
        values, assumed = dict(path.values), list(path.assumed)
        for command in block.commands:
            translator = self._translator.within(values)
            if isinstance(command, s.AssumeStatement):
                assumed.append(translator.condition(command.condition))
            elif isinstance(command, s.AssignmentStatement):
                values |= self._assigned(command, values)
            elif isinstance(command, s.HavocStatement):
                values |= {name: self._any_value(self._local(name, command)) for name in command.names}
            elif isinstance(command, s.ReturnStatement) and command.value is not None:
                value = translator.condition(command.value)
                returned.append(z3.Implies(conjunction(assumed), value) if assumed else value)
                return []
            else:
                raise NotModelled(command.origin, f"{type(command).__name__.lower()} in a code expression")
        return [_PathEnd(name, values, tuple(assumed)) for name in block.successors]

    def _local(self, name: str, command: s.Statement) -> s.DeclaredVariable:
        if name not in self._variables:
            raise NotModelled(command.origin, f"a code expression that changes {name}")
        return self._variables[name]

    def _assigned(self, command: s.AssignmentStatement, values: Mapping[str, Typed]) -> dict[str, Typed]:
        translator = self._translator.within(values)
        require_assignable(command)
        found = {}
        for target, value in zip(command.targets, command.values, strict=True):
            self._local(target.name, command)
            found[target.name] = translator.updated(values[target.name], target.selections, value)
        return found


def require_assignable(command: s.AssignmentStatement) -> None:
    """InputError if an assignment has another number of values than of variables, or one variable twice."""
    if len(command.targets) != len(command.values):
        raise wrong(command.origin, f"{len(command.values)} values for {len(command.targets)} variables")
    names: Sequence[str] = [target.name for target in command.targets]
    if len(set(names)) != len(names):
        raise wrong(command.origin, "a variable is assigned twice")


def value_of_code(code: s.CodeExpression, translator: CodeScope) -> z3.BoolRef:
    """The formula of a code expression in the scope of a translator; NotModelled for loops, calls and assertions."""
    return _PathsThroughCode(code, translator).value()
