"""The rules for whole programs: InputError with the position of the first declaration that breaks one."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from encoders.boogie import syntax as s
from encoders.boogie.checking.name_scope import NameScope, require_distinct
from encoders.boogie.checking.statement_rules import (
    ProgramMarks,
    StatementRules,
    local_assumptions,
    require_attributes,
    require_variables,
)
from encoders.boogie.resolved_declarations import (
    BUILT_IN_TYPES,
    Declarations,
    Implementation,
    names_in,
    names_in_type,
    wrong,
)

_BIT_VECTOR = re.compile(r"bv[0-9]+")


def require_well_formed(parsed: Sequence[s.Declaration], declarations: Declarations) -> None:
    """InputError for a program that breaks a rule of Boogie; nothing for one that is nested too deeply to be looked at,
    of which no formulas are made.

    parsed: as the file has it. declarations: what it means, in which procedures may modify more than the file says.
    """
    try:
        _ProgramRules(declarations).check(parsed)
    except RecursionError:
        return


class _ProgramRules:
    """Checks the declarations of a program."""

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations
        self._top = NameScope(declarations, {})
        self._marks = ProgramMarks()

    def check(self, parsed: Sequence[s.Declaration]) -> None:
        for item in parsed:
            self._declaration(item)
        self._require_no_inlined_cycles(parsed)
        for procedure in self._declarations.procedures.values():
            self._contract(procedure)
        for implementation in self._declarations.implementations:
            self._implementation(implementation)

    def _declaration(self, item: s.Declaration) -> None:
        if isinstance(item, s.TypeDeclaration):
            if item.name in BUILT_IN_TYPES or _BIT_VECTOR.fullmatch(item.name):
                raise wrong(item.origin, f"the type {item.name} is built in")
            require_distinct(item.parameters, item.origin, "type parameter")
            require_attributes(item.attributes, self._top, self._marks)
        elif isinstance(item, s.ConstantDeclaration):
            require_variables([self._declarations.constants[v.name] for v in item.variables], self._top, self._marks)
        elif isinstance(item, s.GlobalVariables):
            require_variables([self._declarations.globals[v.name] for v in item.variables], self._top, self._marks)
        elif isinstance(item, s.FunctionDeclaration):
            self._function(item)
        elif isinstance(item, s.Axiom):
            require_attributes(item.attributes, self._top, self._marks)
            StatementRules(replace(self._top, has_globals=False), self._marks).condition(item.condition)
        elif isinstance(item, s.ImplementationDeclaration):
            variables = (*item.signature.parameters, *item.signature.results)
            for variable in variables:
                if variable.where is not None:
                    raise wrong(variable.origin, "where stands in the implementation of a procedure")
            scope = self._top.within({}, item.signature.type_parameters)
            own = {variable.name: scope.type(variable.type, variable.origin) for variable in variables}
            require_attributes(item.attributes, scope.within(own), self._marks)

    def _function(self, item: s.FunctionDeclaration) -> None:
        if item.name in self._declarations.procedures:
            raise wrong(item.origin, f"more than one function or procedure {item.name}")
        require_attributes(item.attributes, self._top, self._marks)
        require_distinct([parameter.name for parameter in item.parameters], item.origin, "parameter")
        require_distinct(item.type_parameters, item.origin, "type parameter")
        scope = NameScope(self._declarations, {}, frozenset(item.type_parameters), has_globals=False)
        parameters = {v.name: scope.type(v.type, item.origin) for v in item.parameters}
        result = scope.type(item.result, item.origin)
        if item.body is not None:
            StatementRules(scope.within(parameters), self._marks).require(item.body, result)

    def _require_no_inlined_cycles(self, parsed: Sequence[s.Declaration]) -> None:
        """InputError for a function with `{:inline}` whose body calls itself, also through others of them."""
        functions = [item for item in parsed if isinstance(item, s.FunctionDeclaration) and _is_inlined(item)]
        called = {item.name: names_in(item.body) for item in functions}
        for item in functions:
            reached, waiting = set[str](), [item.name]
            while waiting:
                found = [name for name in called[waiting.pop()] if name in called and name not in reached]
                reached.update(found)
                waiting += found
            if item.name in reached:
                raise wrong(item.origin, f"the inlined function {item.name} calls itself")

    def _contract(self, procedure: s.ProcedureDeclaration) -> None:
        signature, contract = procedure.signature, procedure.contract
        require_distinct(signature.type_parameters, procedure.origin, "type parameter")
        types = [variable.type for variable in (*signature.parameters, *signature.results)]
        for name in signature.type_parameters:
            if not any(name in names_in_type(type) for type in types):
                raise wrong(procedure.origin, f"the type parameter {name} does not occur in parameters or results")
        if procedure.is_pure and contract.modifies:
            raise wrong(procedure.origin, f"the pure procedure {signature.name} modifies something")
        top = replace(self._top, types=frozenset(signature.type_parameters), has_globals=not procedure.is_pure)
        before = top.within(_types(signature.parameters))
        after = replace(before.within(_types(signature.results)), has_old=True)
        require_attributes(procedure.attributes, replace(after, has_globals=True), self._marks)
        require_variables(signature.parameters, before, self._marks)
        require_variables(signature.results, replace(after, has_old=False), self._marks)
        constants = frozenset(variable.name for variable in signature.parameters)
        for condition, scope in (*((c, before) for c in contract.requires), *((c, after) for c in contract.ensures)):
            require_attributes(condition.attributes, replace(scope, has_globals=True, has_old=True), self._marks)
            StatementRules(scope, self._marks, procedure, constants).condition(condition.condition)

    def _implementation(self, implementation: Implementation) -> None:
        signature, body = implementation.signature, implementation.body
        require_distinct(signature.type_parameters, body.end, "type parameter")
        procedure = implementation.procedure
        top = replace(
            self._top,
            types=frozenset(signature.type_parameters),
            has_globals=not procedure.is_pure,
            has_old=True,
        )
        scope = top.within(_types((*signature.parameters, *signature.results, *body.variables)))
        constants = frozenset(variable.name for variable in signature.parameters)
        require_variables(body.variables, scope, self._marks)
        StatementRules(scope, self._marks, procedure, constants, local_assumptions(body.variables)).check(body)


def _types(variables: Iterable[s.DeclaredVariable]) -> Mapping[str, s.Type]:
    return {variable.name: variable.type for variable in variables}


def _is_inlined(item: s.FunctionDeclaration) -> bool:
    return item.body is not None and any(attribute.name == "inline" for attribute in item.attributes)
