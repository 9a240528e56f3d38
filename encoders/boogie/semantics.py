"""What the commands of a block do to a state. The encoder runs them on symbols, the execution on values.

A call does what its procedure's contract says: it checks what is required, gives any values to what may be modified and
to the results, and assumes what is ensured (Leino 2008, section 9). As in Boogie, a `free call` neither checks nor
assumes what is required, and the results are assigned, so that `where` conditions of variables that get them need not
hold.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import z3

from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check, CheckKind
from encoders.boogie import syntax as s
from encoders.boogie.expressions.code_expressions import require_assignable
from encoders.boogie.expressions.interpreted_symbols import InterpretedSymbols
from encoders.boogie.expressions.type_instances import TypeInstance
from encoders.boogie.expressions.type_universe import TypeUniverse
from encoders.boogie.expressions.typed_expressions import TypedExpressionTranslator
from encoders.boogie.expressions.typed_terms import Scope, Typed, components, typed_of
from encoders.boogie.open_types import instantiated_signature
from encoders.boogie.resolved_declarations import (
    Declarations,
    Implementation,
    NotModelled,
    has_attribute,
    is_always_assumed,
    is_assumption_variable,
    matched,
    wrong,
)

CHECKING = "is checking"
"""The variable of a procedure with `{:selective_checking}` that says if a run has come to `{:start_checking_here}`."""


@dataclass(frozen=True)
class VariableState:
    """The values of variables: of globals now and when the procedure began, of parameters, results and locals."""

    globals: Mapping[str, Typed]
    old: Mapping[str, Typed]
    locals: Mapping[str, Typed]

    @property
    def scope(self) -> Scope:
        """The values by name; locals hide globals."""
        return {**self.globals, **self.locals}

    def assigned(self, values: Mapping[str, Typed]) -> "VariableState":
        """The state with other values for some variables, which are locals where both are."""
        own = {name: value for name, value in values.items() if name in self.locals}
        shared = {name: value for name, value in values.items() if name not in self.locals}
        return VariableState({**self.globals, **shared}, self.old, {**self.locals, **own})


class CommandEffects(Protocol):
    """What happens to the conditions and choices of commands."""

    def fresh(self, name: str, sort: z3.SortRef) -> z3.ExprRef:
        """Any value, for the variable of that name."""
        ...

    def assume(self, condition: z3.BoolRef) -> None:
        """Runs go on only where the condition holds."""
        ...

    def check(self, check: Check, condition: z3.BoolRef, stays: bool = True) -> None:
        """The condition is to hold. stays: it holds from here on."""
        ...


class CommandSemantics:
    """The effects of the commands of one implementation."""

    def __init__(self, declarations: Declarations, implementation: Implementation, symbols: InterpretedSymbols) -> None:
        self.declarations = declarations
        self._implementation = implementation
        self._symbols = symbols
        signature = implementation.signature
        locals = [*signature.parameters, *signature.results, *implementation.body.variables]
        self.locals = {variable.name: variable for variable in locals}
        declared = {
            v.name: v
            for v in (*implementation.procedure.signature.parameters, *implementation.procedure.signature.results)
        }
        self._declared_variables = {own: declared[name] for name, own in implementation.renaming.items()}
        if has_attribute(implementation.procedure.attributes, "selective_checking"):
            self.locals[CHECKING] = s.DeclaredVariable(CHECKING, s.BOOL, None, (), implementation.procedure.origin)
        self._constant_names = frozenset(variable.name for variable in signature.parameters)

    @property
    def universe(self) -> TypeUniverse:
        """The types at which type parameters are instantiated."""
        return self._symbols.universe

    def translator(self, state: VariableState, types: Mapping[str, s.Type] | None = None) -> TypedExpressionTranslator:
        """Terms in a state. types: for the type parameters of a called procedure; None: of the own one."""
        old = {name: value for name, value in state.old.items() if name not in state.locals}
        types = self._implementation.types if types is None else types
        return TypedExpressionTranslator(self._symbols, state.scope, old, types)

    def run(self, command: s.Statement, state: VariableState, effects: CommandEffects) -> VariableState:
        """The state after a command. InputError for what is not well typed, NotModelled for what has no clauses."""
        if isinstance(command, s.AssumeStatement):
            effects.assume(self.translator(state).condition(command.condition))
            begins = CHECKING in self.locals and has_attribute(command.attributes, "start_checking_here")
            return state.assigned({CHECKING: Typed(z3.BoolVal(True), s.BOOL)}) if begins else state
        if isinstance(command, s.AssertStatement):
            self._assert(command, state, effects)
            return state
        if isinstance(command, s.AssignmentStatement):
            return state.assigned(self._assigned(command, state))
        if isinstance(command, s.HavocStatement):
            return self._havoc(command, state, effects)
        if isinstance(command, s.CallStatement):
            return self._call(command, state, effects)
        raise NotModelled(command.origin, type(command).__name__.lower())

    def changed_by(self, command: s.Statement) -> frozenset[str]:
        """The variables to which a command gives values."""
        if isinstance(command, s.AssignmentStatement):
            return frozenset(target.name for target in command.targets)
        if isinstance(command, s.HavocStatement):
            return frozenset(command.names)
        if isinstance(command, s.CallStatement):
            return frozenset((*command.results, *self.declarations.procedures[command.procedure].contract.modifies))
        return frozenset()

    def assume_where(self, names: frozenset[str], state: VariableState, effects: CommandEffects) -> None:
        """Assumes the `where` conditions of variables with these names."""
        for name in sorted(names):
            variable = self.locals.get(name) or self.declarations.globals.get(name)
            if variable is not None:
                self._assume_where(variable, state, effects)

    def _assert(self, command: s.AssertStatement, state: VariableState, effects: CommandEffects) -> None:
        translator = self.translator(state)
        condition = _under(translator, command.attributes, translator.condition(command.condition))
        stays = True
        for attribute in command.attributes:
            if attribute.name == "start_checking_here":
                raise NotModelled(command.origin, "the attribute start_checking_here")
            if attribute.name == "subsumption" and attribute.arguments:
                (level, *_) = attribute.arguments
                stays = not (isinstance(level, s.LiteralExpression) and level.text == "0")
        kind = CheckKind.INVARIANT if command.is_invariant else CheckKind.ASSERTION
        self._checked(self._check(command.origin, kind), condition, state, effects, stays)

    @staticmethod
    def _checked(
        check: Check, condition: z3.BoolRef, state: VariableState, effects: CommandEffects, stays: bool = True
    ) -> None:
        """The condition is to hold; with `{:selective_checking}` it is assumed where checking has not begun."""
        if CHECKING not in state.locals:
            effects.check(check, condition, stays)
            return
        checking: Any = state.locals[CHECKING].term
        effects.check(check, z3.Implies(checking, condition), stays)
        effects.assume(condition if stays else z3.Or(checking, condition))

    def _check(self, origin: Origin, kind: CheckKind) -> Check:
        return Check(origin, kind, self._implementation.name)

    def _variable(self, name: str, origin: Origin) -> s.DeclaredVariable:
        """The variable that an assignment changes; InputError for what cannot be changed."""
        if name in self._constant_names:
            raise wrong(origin, f"the parameter {name} is changed")
        found = self.locals.get(name) or self.declarations.globals.get(name)
        if found is None:
            raise wrong(origin, f"undeclared variable: {name}")
        if name not in self.locals and name not in self._implementation.procedure.contract.modifies:
            raise wrong(origin, f"{name} is changed, and not among what {self._implementation.name} modifies")
        return found

    def _assigned(self, command: s.AssignmentStatement, state: VariableState) -> dict[str, Typed]:
        require_assignable(command)
        translator = self.translator(state)
        found = {}
        for target, value in zip(command.targets, command.values, strict=True):
            self._variable(target.name, target.origin)
            found[target.name] = translator.updated(state.scope[target.name], target.selections, value)
        return found

    def _any_value(self, variable: s.DeclaredVariable, effects: CommandEffects) -> Typed:
        parts = components(variable.type, variable.origin, self.universe)
        return typed_of([effects.fresh(variable.name + part.suffix, part.sort) for part in parts], variable.type)

    def _havoc(self, command: s.HavocStatement, state: VariableState, effects: CommandEffects) -> VariableState:
        variables = [self._variable(name, command.origin) for name in command.names]
        after = state.assigned({variable.name: self._any_value(variable, effects) for variable in variables})
        for variable in variables:
            self._assume_where(variable, after, effects)
            if is_assumption_variable(variable):  # once false, it stays false
                before, now = state.scope[variable.name].term, after.scope[variable.name].term
                effects.assume(z3.Implies(now, before))
        return after

    def _assume_where(self, variable: s.DeclaredVariable, state: VariableState, effects: CommandEffects) -> None:
        if variable.where is not None:
            effects.assume(self.translator(state).condition(variable.where))
            return
        declared = self._declared_variables.get(variable.name)
        is_own = self.locals.get(variable.name) is variable
        if is_own and declared is not None and declared.where is not None:  # it stands in the procedure's declaration
            effects.assume(self.translator(self.declared(state)).condition(declared.where))

    def _call(self, command: s.CallStatement, state: VariableState, effects: CommandEffects) -> VariableState:
        before, types = self._begun_call(command, state, effects)
        callee = self.declarations.procedures[command.procedure]
        signature = instantiated_signature(callee.signature, types)
        after = self._any_return(replace(callee, signature=signature), before, effects)
        self._assume_ensured(replace(callee, signature=signature), types, after, effects)
        return self._with_results(command, signature, state, after)

    def begin_call(self, command: s.CallStatement, state: VariableState, effects: CommandEffects) -> VariableState:
        """The state in which a called body begins, under the names of its declaration. What it requires is checked."""
        return self._begun_call(command, state, effects)[0]

    def returned(self, command: s.CallStatement, begun: VariableState, effects: CommandEffects) -> VariableState:
        """A state in which a called body may end, of which nothing is known, under the names of its declaration."""
        return self._any_return(self.declarations.procedures[command.procedure], begun, effects)

    def end_call(self, command: s.CallStatement, state: VariableState, returned: VariableState) -> VariableState:
        """The caller's state behind a call that began in `state` and ended as `returned`."""
        signature = self.declarations.procedures[command.procedure].signature
        return self._with_results(command, signature, state, returned)

    def _begun_call(
        self, command: s.CallStatement, state: VariableState, effects: CommandEffects
    ) -> tuple[VariableState, dict[str, s.Type]]:
        """The state in which a call begins, and what the callee's type parameters stand for."""
        callee = self.declarations.procedures.get(command.procedure)
        if callee is None:
            raise wrong(command.origin, f"undeclared procedure: {command.procedure}")
        self._require_counts(command, callee.signature)
        translator = self.translator(state)
        types = self._types_of_call(command, callee.signature, translator)
        signature = instantiated_signature(callee.signature, types)
        for name in callee.contract.modifies:
            if name not in self._implementation.procedure.contract.modifies:
                what = f"{name} is changed by {signature.name}, and not among what {self._implementation.name} modifies"
                raise wrong(command.origin, what)
        arguments = {
            parameter.name: translator.value(argument, parameter.type)
            for parameter, argument in zip(signature.parameters, command.arguments, strict=True)
        }
        before = VariableState(state.globals, state.globals, arguments)
        for required in callee.contract.requires:
            if not required.is_free and not command.is_free:
                self._require(command, required, self.translator(before, types), state, effects)
            elif is_always_assumed(required):
                effects.assume(self.translator(before, types).condition(required.condition))
        return before, types

    def _with_results(
        self, command: s.CallStatement, signature: s.Signature, state: VariableState, after: VariableState
    ) -> VariableState:
        """The caller's state with what a call has changed. after: the callee's state when it returned."""
        results = {
            self._variable(name, command.origin).name: after.locals[result.name]
            for name, result in zip(command.results, signature.results, strict=True)
        }
        return VariableState(after.globals, state.old, state.locals).assigned(results)

    @staticmethod
    def _require_counts(command: s.CallStatement, signature: s.Signature) -> None:
        if len(command.arguments) != len(signature.parameters) or len(command.results) != len(signature.results):
            raise wrong(command.origin, f"wrong number of arguments or results in a call of {signature.name}")

    def _require(
        self,
        command: s.CallStatement,
        required: s.ContractCondition,
        translator: TypedExpressionTranslator,
        caller: VariableState,
        effects: CommandEffects,
    ) -> None:
        condition = translator.condition(required.condition)
        condition = _under(self.translator(caller), command.attributes, condition)
        self._checked(self._check(command.origin, CheckKind.CONTRACT), condition, caller, effects)

    def _types_of_call(
        self, command: s.CallStatement, signature: s.Signature, translator: TypedExpressionTranslator
    ) -> dict[str, s.Type]:
        """What the type parameters of the called procedure stand for."""
        if not signature.type_parameters:
            return {}
        parameters = [parameter.type for parameter in signature.parameters]
        instance = TypeInstance(signature.name, signature.type_parameters, parameters, None)
        for result, name in zip(signature.results, command.results, strict=True):
            matched(result.type, self._variable(name, command.origin).type, instance.variables, instance.values)
        translator.arguments(instance, command.arguments, None, command.origin)
        return instance.values

    def _any_return(
        self, callee: s.ProcedureDeclaration, before: VariableState, effects: CommandEffects
    ) -> VariableState:
        """The state of the callee when it returns, with any values for what it may change."""
        changed = {}
        for name in callee.contract.modifies:
            changed[name] = self._any_value(self.declarations.globals[name], effects)
        results = {result.name: self._any_value(result, effects) for result in callee.signature.results}
        return VariableState({**before.globals, **changed}, before.globals, {**before.locals, **results})

    def _assume_ensured(
        self,
        callee: s.ProcedureDeclaration,
        types: Mapping[str, s.Type],
        after: VariableState,
        effects: CommandEffects,
    ) -> None:
        """Assumes what the contract says of the state of the callee when it returns."""
        for name in callee.contract.modifies:
            self._assume_where(self.declarations.globals[name], after, effects)
        for result in callee.signature.results:
            if result.where is not None:
                effects.assume(self.translator(after, types).condition(result.where))
        for ensured in callee.contract.ensures:
            effects.assume(self.translator(after, types).condition(ensured.condition))

    def begin_called(self, state: VariableState, effects: CommandEffects) -> VariableState:
        """The state in which a called body begins: any values for results and local variables for which their `where`
        conditions hold. state: has the globals and the parameters."""
        parameters = {variable.name for variable in self._implementation.signature.parameters}
        own = [variable for name, variable in self.locals.items() if name not in parameters]
        values = {variable.name: self._any_value(variable, effects) for variable in own}
        begun = VariableState(state.globals, state.globals, {**state.locals, **values})
        for variable in own:
            if variable.is_copy:
                continue
            self._assume_where(variable, begun, effects)
            if is_assumption_variable(variable):
                effects.assume(self.translator(begun).condition(s.Name(variable.origin, variable.name)))
        return begun

    def begin(self, globals: Sequence[s.DeclaredVariable], effects: CommandEffects) -> VariableState:
        """The state in which the body begins: any values for which the `where` conditions and what is required hold."""
        shared = {variable.name: self._any_value(variable, effects) for variable in globals}
        own = {variable.name: self._any_value(variable, effects) for variable in self.locals.values()}
        state = VariableState(shared, shared, own)
        for variable in (*globals, *self.locals.values()):
            if variable.is_copy:
                continue
            self._assume_where(variable, state, effects)
            if variable.name in own and is_assumption_variable(variable):
                effects.assume(self.translator(state).condition(s.Name(variable.origin, variable.name)))
        if CHECKING in own:
            effects.assume(z3.Not(own[CHECKING].term))
        declared = self.declared(state)
        for required in self._implementation.procedure.contract.requires:
            effects.assume(self.translator(declared).condition(required.condition))
        return state

    def end(self, state: VariableState, effects: CommandEffects) -> None:
        """Checks what the procedure ensures."""
        declared = self.declared(state)
        for ensured in self._implementation.procedure.contract.ensures:
            if not ensured.is_free:
                check = self._check(ensured.origin, CheckKind.CONTRACT)
                self._checked(check, self.translator(declared).condition(ensured.condition), state, effects)
            elif is_always_assumed(ensured):
                effects.assume(self.translator(declared).condition(ensured.condition))

    def declared(self, state: VariableState) -> VariableState:
        """The state under the names of the procedure's declaration, which its contract uses."""
        locals = {name: state.locals[own] for name, own in self._implementation.renaming.items()}
        return VariableState(state.globals, state.old, locals)


def _under(
    translator: TypedExpressionTranslator, attributes: Sequence[s.BoogieAttribute], condition: z3.BoolRef
) -> z3.BoolRef:
    """The condition, which is only to hold where the first `{:verified_under e}` does not."""
    for attribute in attributes:
        if attribute.name == "verified_under" and attribute.arguments:
            return z3.Or(translator.condition(attribute.arguments[0]), condition)
    return condition


def any_value(variable: s.DeclaredVariable, universe: TypeUniverse, name: str) -> Typed:
    """Constants for any value of a variable, which begin with this name."""
    parts = components(variable.type, variable.origin, universe)
    return typed_of([z3.Const(name + part.suffix, part.sort) for part in parts], variable.type)
