"""The rules for statements: types, what a body may change, what it may call, jumps."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from chcverify.horn.origin import Origin
from encoders.boogie import syntax as s
from encoders.boogie.checking.expression_types import STRING, ExpressionTyper
from encoders.boogie.checking.name_scope import NameScope, require_distinct
from encoders.boogie.control_flow import control_flow_of
from encoders.boogie.resolved_declarations import is_assumption_variable, substituted, wrong


class ProgramMarks:
    """What may stand only once in a whole program."""

    def __init__(self) -> None:
        self.statement_ids: set[str] = set()
        """The arguments of `{:id "..."}`."""
        self.assigned_assumptions: set[str] = set()
        """The global assumption variables to which something is assigned."""


class StatementRules:
    """Checks statements in a scope: of a body of a procedure, or those of a code expression outside of all bodies.

    constants: the parameters, which cannot be changed. assumptions: the local assumption variables.
    """

    def __init__(
        self,
        scope: NameScope,
        marks: ProgramMarks,
        procedure: s.ProcedureDeclaration | None = None,
        constants: frozenset[str] = frozenset(),
        assumptions: frozenset[str] = frozenset(),
    ) -> None:
        self._scope = scope
        self._marks = marks
        self._procedure = procedure
        self._constants = constants
        self._assumptions = assumptions
        self._assigned_assumptions: set[str] = set()

    def check(self, body: s.Body, returns_value: bool = False) -> None:
        """InputError for the first statement of a body that breaks a rule. returns_value: of a code expression."""
        control_flow_of(body, returns_value)
        self._statements(body.statements)

    def condition(self, condition: s.Expression) -> None:
        """InputError for what is no condition."""
        self._typer().condition(condition)

    def _typer(self) -> ExpressionTyper:
        return ExpressionTyper(self._scope, self._check_code)

    def require(self, expression: s.Expression, type: s.Type) -> None:
        """InputError unless the expression has that type."""
        self._typer().require(expression, type)

    def typed(self, expression: s.Expression) -> s.Type:
        """The type of an expression; InputError if it has none."""
        return self._typer().typed(expression)

    @property
    def _name(self) -> str:
        return "this" if self._procedure is None else self._procedure.signature.name

    def _statements(self, statements: Iterable[s.Statement]) -> None:
        waiting = list(statements)[::-1]
        while waiting:
            statement = waiting.pop()
            if isinstance(statement, s.IfStatement):
                self._guard(statement.condition)
                waiting += (*statement.second[::-1], *statement.first[::-1])
            elif isinstance(statement, s.WhileStatement):
                self._guard(statement.condition)
                for invariant in statement.invariants:
                    self._attributes(invariant.attributes, invariant.origin)
                    self._typer().condition(invariant.condition)
                waiting += statement.body[::-1]
            else:
                self._command(statement)

    def _guard(self, condition: s.Expression | None) -> None:
        if condition is not None:
            self._typer().condition(condition)

    def _command(self, command: s.Statement) -> None:
        if isinstance(command, s.AssertStatement | s.AssumeStatement):
            self._attributes(command.attributes, command.origin)
            self._typer().condition(command.condition)
        elif isinstance(command, s.HavocStatement):
            for name in command.names:
                self._assignable(name, command.origin)
        elif isinstance(command, s.AssignmentStatement):
            self._assignment(command)
        elif isinstance(command, s.CallStatement):
            self._call(command)
        elif isinstance(command, s.ReturnStatement) and command.value is not None:
            self._typer().condition(command.value)

    def _attributes(self, attributes: Sequence[s.BoogieAttribute], origin: Origin) -> None:
        require_attributes(attributes, self._scope, self._marks)
        for attribute in attributes:
            if attribute.name == "verified_under":
                if len(attribute.arguments) != 1:
                    raise wrong(origin, "the attribute verified_under has one condition")
                self._typer().condition(attribute.arguments[0])
            if attribute.name == "id" and attribute.arguments:
                (argument, *_) = attribute.arguments
                is_string = isinstance(argument, s.LiteralExpression) and argument.type == STRING
                text = argument.text if isinstance(argument, s.LiteralExpression) and is_string else ""
                if text and text in self._marks.statement_ids:
                    raise wrong(origin, f"more than one statement with the id {text}")
                self._marks.statement_ids.add(text)

    def _assignable(self, name: str, origin: Origin) -> s.Type:
        """The type of a variable that the body may change."""
        type = self._scope.variable(name)
        is_local = name in self._scope.variables
        modifies = self._procedure.contract.modifies if self._procedure is not None else ()
        if name in self._constants:
            raise wrong(origin, f"the parameter {name} is changed")
        if type is None:
            raise wrong(origin, f"undeclared variable: {name}")
        if not is_local and name not in self._scope.declarations.globals:
            raise wrong(origin, f"the constant {name} is changed")
        if not is_local and name not in modifies:
            raise wrong(origin, f"{name} is changed, and not among what {self._name} modifies")
        return type

    def _assignment(self, command: s.AssignmentStatement) -> None:
        if len(command.targets) != len(command.values):
            raise wrong(command.origin, f"{len(command.values)} values for {len(command.targets)} variables")
        names = [target.name for target in command.targets]
        if len(set(names)) != len(names):
            raise wrong(command.origin, "a variable is assigned twice")
        for target, value in zip(command.targets, command.values, strict=True):
            typer = self._typer()
            type = self._assignable(target.name, target.origin)
            for indices in target.selections:
                type = typer.part_of_map(type, target.origin, indices)
            typer.require(value, type)
            if not target.selections:
                self._assumption(target, value)

    def _assumption(self, target: s.AssignmentTarget, value: s.Expression) -> None:
        """InputError where an assumption variable is assigned more than once, or could become true again."""
        name = target.name
        is_own = name in self._scope.variables
        declared = self._scope.declarations.globals.get(name)
        if name not in self._assumptions and (is_own or declared is None or not is_assumption_variable(declared)):
            return
        first = value.operands[0] if isinstance(value, s.Operation) and value.operator is s.Operator.AND else None
        if not isinstance(first, s.Name) or first.name != name:
            raise wrong(target.origin, f"the assumption variable {name} is not assigned {name} && something")
        assigned = self._assigned_assumptions if is_own else self._marks.assigned_assumptions
        if name in assigned:
            raise wrong(target.origin, f"the assumption variable {name} is assigned more than once")
        assigned.add(name)

    def _call(self, command: s.CallStatement) -> None:
        self._attributes(command.attributes, command.origin)
        callee = self._scope.declarations.procedures.get(command.procedure)
        if callee is None:
            raise wrong(command.origin, f"undeclared procedure: {command.procedure}")
        signature = callee.signature
        if len(command.arguments) != len(signature.parameters) or len(command.results) != len(signature.results):
            raise wrong(command.origin, f"wrong number of arguments or results in a call of {signature.name}")
        if self._procedure is not None:
            self._require_allowed(command, callee, self._procedure)
        require_distinct(command.results, command.origin, "result is assigned to")
        typer = self._typer()
        values = typer.unifier.instance(signature.type_parameters)
        typer.arguments(command.arguments, [substituted(v.type, values) for v in signature.parameters])
        for result, declared in zip(command.results, signature.results, strict=True):
            type = self._assignable(result, command.origin)
            if not typer.unifier.unify(substituted(declared.type, values), type):
                raise wrong(command.origin, f"the result {declared.name} of {signature.name} is no {type}")

    @staticmethod
    def _require_allowed(
        command: s.CallStatement, callee: s.ProcedureDeclaration, caller: s.ProcedureDeclaration
    ) -> None:
        """InputError for a call of what modifies more than the caller, or of what is not pure by what is."""
        own, other = caller.signature.name, callee.signature.name
        if caller.is_pure and not callee.is_pure:
            raise wrong(command.origin, f"{own} is pure and calls {other}, which is not")
        for name in callee.contract.modifies:
            if name not in caller.contract.modifies:
                what = f"{name} is changed by {other}, and not among what {own} modifies"
                raise wrong(command.origin, what)

    def _check_code(self, code: s.CodeExpression, scope: NameScope) -> None:
        """InputError for a statement of a code expression that breaks a rule."""
        variables = code.body.variables
        require_distinct([variable.name for variable in variables], code.origin, "variable")
        inner = scope.within({variable.name: scope.type(variable.type, variable.origin) for variable in variables})
        constants = self._constants - {variable.name for variable in variables}
        StatementRules(inner, self._marks, self._procedure, constants).check(code.body, returns_value=True)


def local_assumptions(variables: Iterable[s.DeclaredVariable]) -> frozenset[str]:
    """The names of the assumption variables among locals."""
    return frozenset(variable.name for variable in variables if is_assumption_variable(variable))


def require_variables(variables: Iterable[s.DeclaredVariable], scope: NameScope, marks: ProgramMarks) -> None:
    """InputError for a declared variable whose condition or attributes are wrong."""
    for variable in variables:
        require_attributes(variable.attributes, scope, marks)
        if is_assumption_variable(variable) and (variable.where is not None or variable.type != s.BOOL):
            raise wrong(variable.origin, f"the assumption variable {variable.name} is of type bool, without where")
        if variable.where is not None:
            StatementRules(scope, marks).condition(variable.where)


def require_attributes(attributes: Iterable[s.BoogieAttribute], scope: NameScope, marks: ProgramMarks) -> None:
    """InputError for an attribute whose arguments are not well typed."""
    for attribute in attributes:
        for value in attribute.arguments:
            StatementRules(replace(scope, has_strings=True), marks).typed(value)
