"""What the declarations of a program mean: types, constants, functions, axioms, variables and procedures by name."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields, is_dataclass, replace
from itertools import count, islice
from typing import TypeVar

from chcverify.effort import MAX_BUILT
from chcverify.errors import InputError
from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from encoders.boogie import syntax as s

T = TypeVar("T")

BUILT_IN_TYPES = ("int", "bool", "real")
_BIT_VECTOR = re.compile(r"bv[0-9]{1,9}")
_WITHOUT_TERMS = re.compile(r"float\d+e\d+|rmode|string|regex")


class NotModelled(Exception):
    """A construct that is read but has no clauses. The message names it with its position."""

    def __init__(self, origin: Origin, what: str) -> None:
        super().__init__(f"{what} at {origin} is not modelled")


def wrong(origin: Origin, message: str) -> InputError:
    """The error for a program that is no Boogie, at a position."""
    return InputError(origin.file, origin.line, origin.column, message)


@dataclass(frozen=True)
class Implementation:
    """A body of a procedure."""

    procedure: s.ProcedureDeclaration
    """What is declared, whose contract the body has to keep."""
    signature: s.Signature
    body: s.Body
    renaming: Mapping[str, str]
    """From names of the procedure's parameters and results to those of the body, which may differ."""
    number: int
    """Among the bodies of the procedure, from 0."""
    types: Mapping[str, s.Type] = field(default_factory=dict)
    """What stands for the type parameters of procedure and body."""

    @property
    def name(self) -> str:
        """The procedure's name; of further bodies with their number."""
        name = self.procedure.signature.name
        return name if not self.number else f"{name}#{self.number + 1}"

    @property
    def is_inlined(self) -> bool:
        """True if the procedure says that its body stands in place of calls."""
        return stated_inline_depth(self.procedure) is not None


def stated_inline_depth(procedure: s.ProcedureDeclaration) -> int | None:
    """The n of `{:inline n}`, 0 where it is no number; None without the attribute."""
    for attribute in procedure.attributes:
        if attribute.name == "inline" and attribute.arguments:
            (depth, *_) = attribute.arguments
            return int(depth.text) if isinstance(depth, s.LiteralExpression) and depth.text.isdigit() else 0
    return None


def has_attribute(attributes: Sequence[s.BoogieAttribute], name: str) -> bool:
    """True if there is an attribute of that name."""
    return any(attribute.name == name for attribute in attributes)


def is_assumption_variable(variable: s.DeclaredVariable) -> bool:
    """True for `var {:assumption} a: bool`, which is true at first and never becomes true again."""
    return has_attribute(variable.attributes, "assumption")


def is_always_assumed(condition: s.ContractCondition) -> bool:
    """True for a free condition that is also assumed where others are checked."""
    return condition.is_free and has_attribute(condition.attributes, "always_assume")


@dataclass(frozen=True)
class Declarations:
    """The declarations of a program by name, without synonyms of types."""

    types: Mapping[str, s.TypeDeclaration] = field(default_factory=dict)
    """Declared types and synonyms."""
    constants: Mapping[str, s.DeclaredVariable] = field(default_factory=dict)
    unique: Sequence[s.DeclaredVariable] = ()
    """The constants that differ from all others of their type that are listed here."""
    functions: Mapping[str, s.FunctionDeclaration] = field(default_factory=dict)
    axioms: Sequence[s.Axiom] = ()
    globals: Mapping[str, s.DeclaredVariable] = field(default_factory=dict)
    procedures: Mapping[str, s.ProcedureDeclaration] = field(default_factory=dict)
    implementations: Sequence[Implementation] = ()
    """In the order of the file."""
    inline_depth: int = 0
    """Of calls of procedures without `{:inline n}`: how deep their bodies stand in place of the calls."""
    summaries: bool = False
    """Are calls of procedures with one body predicates of it?"""

    @property
    def candidate_switches(self) -> tuple[str, ...]:
        """The constants with `{:existential true}`: whether a candidate condition `b ==> c` is claimed."""
        return tuple(name for name, constant in self.constants.items() if _is_existential(constant))

    def type(self, type: s.Type, origin: Origin, variables: frozenset[str] = frozenset()) -> s.Type:
        """The type without synonyms. variables: type variables in scope. InputError for unknown names and for a wrong
        number of arguments."""
        if isinstance(type, s.MapType):
            inner = variables | set(type.type_parameters)
            indices = tuple(self.type(index, origin, inner) for index in type.indices)
            found = s.MapType(indices, self.type(type.result, origin, inner), type.type_parameters)
            for name in type.type_parameters:
                if name not in names_in_type(found):
                    raise wrong(origin, f"the type parameter {name} does not occur in the map type")
            return with_own_parameters(found)
        if type.name in variables and not type.arguments:
            return type
        if type.name in BUILT_IN_TYPES or _is_bitvector(type.name) or is_without_terms(type):
            if type.arguments:
                raise wrong(origin, f"the type {type.name} has no arguments")
            return type
        declared = self.types.get(type.name)
        if declared is None:
            raise wrong(origin, f"undeclared type: {type.name}")
        # `C a b` is read as a type with two arguments; `C D a` may be C of D and a.
        if len(declared.parameters) != len(type.arguments):
            raise wrong(
                origin,
                f"the type {type.name} has {len(declared.parameters)} arguments, not {len(type.arguments)}",
            )
        arguments = tuple(self.type(argument, origin, variables) for argument in type.arguments)
        if declared.definition is None:
            return s.NamedType(type.name, arguments)
        inner = frozenset(declared.parameters)
        definition = self.type(declared.definition, declared.origin, inner)
        return substituted(definition, dict(zip(declared.parameters, arguments, strict=True)))


def with_own_parameters(type: s.MapType) -> s.MapType:
    """The map type with names for its type parameters that equal types share: their numbers, in maps of maps from one
    another apart. No name of a program has a blank."""
    if not type.type_parameters:
        return type
    taken = set(names_in_type(type))
    free = (name for name in (f"type {number}" for number in count()) if name not in taken)
    names = tuple(islice(free, len(type.type_parameters)))
    values: dict[str, s.Type] = {old: s.NamedType(new) for old, new in zip(type.type_parameters, names, strict=True)}
    plain = substituted(s.MapType(type.indices, type.result), values)
    assert isinstance(plain, s.MapType)
    return s.MapType(plain.indices, plain.result, names)


def _is_existential(constant: s.DeclaredVariable) -> bool:
    return any(
        attribute.name == "existential"
        and any(isinstance(value, s.LiteralExpression) and value.text == "true" for value in attribute.arguments)
        for attribute in constant.attributes
    )


def _is_bitvector(name: str) -> bool:
    return _BIT_VECTOR.fullmatch(name) is not None


def is_without_terms(type: s.Type) -> bool:
    """True for the built-in types of Boogie 3 that are not modelled: floats, their rounding modes, strings."""
    return isinstance(type, s.NamedType) and bool(_WITHOUT_TERMS.fullmatch(type.name))


def bit_width(type: s.Type) -> int | None:
    """The width of a bit-vector type; None for other types."""
    is_vector = isinstance(type, s.NamedType) and _is_bitvector(type.name)
    return int(str(type)[2:]) if is_vector else None


def fits_into(digits: str, width: int) -> bool:
    """True if a natural number has at most so many bits. Of one with very many digits only the limit is looked at."""
    if len(digits) > MAX_BUILT:
        return width > 4 * MAX_BUILT
    return int(digits).bit_length() <= width


def substituted(type: s.Type, values: Mapping[str, s.Type]) -> s.Type:
    """The type with types for type variables."""
    if isinstance(type, s.NamedType):
        if not type.arguments and type.name in values:
            return values[type.name]
        return s.NamedType(type.name, tuple(substituted(argument, values) for argument in type.arguments))
    inner = {name: value for name, value in values.items() if name not in type.type_parameters}
    indices = tuple(substituted(index, inner) for index in type.indices)
    return s.MapType(indices, substituted(type.result, inner), type.type_parameters)


def matched(pattern: s.Type, found: s.Type, variables: frozenset[str], values: dict[str, s.Type]) -> bool:
    """True if the pattern with types for its variables is the found type; these are added to `values`."""
    if isinstance(pattern, s.NamedType) and pattern.name in variables and not pattern.arguments:
        return values.setdefault(pattern.name, found) == found
    if isinstance(pattern, s.NamedType):
        if not isinstance(found, s.NamedType) or pattern.name != found.name:
            return False
        pairs = zip(pattern.arguments, found.arguments, strict=True)
        return all(matched(one, other, variables, values) for one, other in pairs)
    if not isinstance(found, s.MapType) or len(pattern.indices) != len(found.indices):
        return False
    if pattern.type_parameters or found.type_parameters:
        return pattern == found
    pairs = zip((*pattern.indices, pattern.result), (*found.indices, found.result), strict=True)
    return all(matched(one, other, variables, values) for one, other in pairs)


def declarations_of(parsed: Sequence[s.Declaration]) -> Declarations:
    """The declarations by name; InputError for names that are declared twice, unknown types, and bodies that do not fit
    their procedure."""
    types = _named((item.name, item, item.origin) for item in parsed if isinstance(item, s.TypeDeclaration))
    _require_acyclic_synonyms(types)
    typed = Declarations(types)
    constants = [
        (replace(variable, type=typed.type(variable.type, variable.origin)), item)
        for item in parsed
        if isinstance(item, s.ConstantDeclaration)
        for variable in item.variables
    ]
    globals = [
        replace(variable, type=typed.type(variable.type, variable.origin))
        for item in parsed
        if isinstance(item, s.GlobalVariables)
        for variable in item.variables
    ]
    _named((variable.name, variable, variable.origin) for variable in [*(v for v, _ in constants), *globals])
    resolved = [_resolved_function(item, typed) for item in parsed if isinstance(item, s.FunctionDeclaration)]
    axioms = [item for item in parsed if isinstance(item, s.Axiom)]
    defined, axioms = _with_definitions(resolved, axioms, typed)
    functions, definitions = _without_recursion(defined)
    procedures = [_resolved_procedure(item, typed) for item in parsed if isinstance(item, s.ProcedureDeclaration)]
    by_name = _named((item.signature.name, item, item.origin) for item in procedures)
    _require_variables([variable.name for variable in globals], procedures)
    return Declarations(
        types,
        {variable.name: variable for variable, _ in constants},
        [variable for variable, item in constants if item.is_unique],
        _named((item.name, item, item.origin) for item in functions),
        [*axioms, *definitions],
        {variable.name: variable for variable in globals},
        by_name,
        _implementations(parsed, by_name, typed),
    )


def _require_variables(names: Sequence[str], procedures: Iterable[s.ProcedureDeclaration]) -> None:
    """InputError for a procedure that modifies what is no variable."""
    for procedure in procedures:
        for name in procedure.contract.modifies:
            if name not in names:
                raise wrong(procedure.origin, f"{procedure.signature.name} modifies {name}, which is no variable")


def _named(items: Iterable[tuple[str, T, Origin]]) -> dict[str, T]:
    """The items by name; InputError where two have the same."""
    found: dict[str, T] = {}
    for name, item, origin in items:
        if name in found:
            raise wrong(origin, f"more than one declaration of {name}")
        found[name] = item
    return found


def _require_acyclic_synonyms(types: Mapping[str, s.TypeDeclaration]) -> None:
    """InputError for a synonym that is defined by itself."""
    done: set[str] = set()
    for name, declared in types.items():
        path: list[str] = []
        _visit_synonym(name, types, path, done, declared.origin)


def _visit_synonym(
    name: str, types: Mapping[str, s.TypeDeclaration], path: list[str], done: set[str], origin: Origin
) -> None:
    if name in path:
        raise wrong(origin, f"the type synonym {name} is defined by itself")
    if name in done or name not in types or types[name].definition is None:
        return
    path.append(name)
    definition = types[name].definition
    assert definition is not None
    for other in names_in_type(definition):
        _visit_synonym(other, types, path, done, types[name].origin)
    path.pop()
    done.add(name)


def names_in_type(type: s.Type) -> list[str]:
    """The names of all types and type variables in a type."""
    if isinstance(type, s.NamedType):
        return [type.name, *(name for argument in type.arguments for name in names_in_type(argument))]
    return [name for part in (*type.indices, type.result) for name in names_in_type(part)]


def _resolved_function(item: s.FunctionDeclaration, typed: Declarations) -> s.FunctionDeclaration:
    variables = frozenset(item.type_parameters)
    parameters = tuple(s.Bound(p.name, typed.type(p.type, item.origin, variables)) for p in item.parameters)
    return replace(item, parameters=parameters, result=typed.type(item.result, item.origin, variables))


def _with_definitions(
    functions: Sequence[s.FunctionDeclaration], axioms: Sequence[s.Axiom], typed: Declarations
) -> tuple[list[s.FunctionDeclaration], list[s.Axiom]]:
    """The functions, with bodies from axioms `forall x :: f(x) == body`, and the other axioms."""
    by_name = {declared.name: declared for declared in functions}
    kept: list[s.Axiom] = []
    for axiom in axioms:
        found = _defined_by(axiom.condition, by_name, typed)
        if found is None:
            kept.append(axiom)
        else:
            by_name[found.name] = found
    return list(by_name.values()), kept


def _defined_by(
    condition: s.Expression, functions: Mapping[str, s.FunctionDeclaration], typed: Declarations
) -> s.FunctionDeclaration | None:
    """The function with the body that a condition `forall x :: f(x) == body` says it has; None for other conditions,
    and for functions that have a body or type parameters."""
    if not isinstance(condition, s.Quantified) or condition.binder is not s.Binder.FORALL:
        return None
    equation = condition.body
    if not isinstance(equation, s.Operation) or equation.operator not in (s.Operator.EQUAL, s.Operator.EQUIVALENT):
        return None
    value, body = equation.operands
    declared = functions.get(value.function) if isinstance(value, s.FunctionApplication) else None
    if declared is None or not isinstance(value, s.FunctionApplication) or condition.type_parameters:
        return None
    names = [argument.name for argument in value.arguments if isinstance(argument, s.Name)]
    is_definition = names == [variable.name for variable in condition.bound] and len(names) == len(value.arguments)
    if not is_definition or declared.body is not None or declared.type_parameters or declared.name in names_in(body):
        return None
    types = [typed.type(variable.type, condition.origin) for variable in condition.bound]
    if len(names) != len(declared.parameters) or types != [parameter.type for parameter in declared.parameters]:
        return None
    parameters = tuple(replace(p, name=name) for p, name in zip(declared.parameters, names, strict=True))
    return replace(declared, parameters=parameters, body=body)


def _without_recursion(
    functions: Sequence[s.FunctionDeclaration],
) -> tuple[list[s.FunctionDeclaration], list[s.Axiom]]:
    """The functions, of which those that call themselves have no body any more, and axioms with these bodies."""
    by_name = {declared.name: declared for declared in functions}
    called = {
        declared.name: frozenset(name for name in names_in(declared.body) if name in by_name) for declared in functions
    }
    kept, definitions = [], []
    for declared in functions:
        reached, waiting = set[str](), list(called[declared.name])
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += called[name]
        if declared.body is None or declared.name not in reached:
            kept.append(declared)
            continue
        kept.append(replace(declared, body=None))
        definitions.append(_definition(declared, declared.body))
    return kept, definitions


def _definition(declared: s.FunctionDeclaration, body: s.Expression) -> s.Axiom:
    """`forall x :: { f(x) } f(x) == body`"""
    at = declared.origin
    value = s.FunctionApplication(
        at, declared.name, tuple(s.Name(at, parameter.name) for parameter in declared.parameters)
    )
    equation = s.Operation(at, s.Operator.EQUAL, (value, body))
    if not declared.parameters:
        return s.Axiom(at, equation)
    bound = declared.parameters
    return s.Axiom(at, s.Quantified(at, s.Binder.FORALL, declared.type_parameters, bound, ((value,),), equation))


def names_in(node: object) -> frozenset[str]:
    """All names that are used in a part of the syntax: of variables, constants, functions and procedures."""
    found: set[str] = set()
    waiting: list[object] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, s.Name | s.AssignmentTarget):
            found.add(part.name)
        elif isinstance(part, s.FunctionApplication):
            found.add(part.function)
        elif isinstance(part, s.CallStatement):
            found |= {part.procedure, *part.results}
        elif isinstance(part, s.HavocStatement):
            found |= set(part.names)
        if isinstance(part, tuple | list):
            waiting += part
        elif is_dataclass(part) and not isinstance(part, type | Origin):
            waiting += [getattr(part, item.name) for item in fields(part)]
    return frozenset(found)


def resolved_signature(signature: s.Signature, typed: Declarations) -> s.Signature:
    """The signature without synonyms of types."""
    variables = frozenset(signature.type_parameters)

    def resolved(group: Sequence[s.DeclaredVariable]) -> tuple[s.DeclaredVariable, ...]:
        return tuple(replace(v, type=typed.type(v.type, v.origin, variables)) for v in group)

    _named((v.name, v, v.origin) for v in (*signature.parameters, *signature.results))
    return replace(signature, parameters=resolved(signature.parameters), results=resolved(signature.results))


def _resolved_procedure(item: s.ProcedureDeclaration, typed: Declarations) -> s.ProcedureDeclaration:
    return replace(item, signature=resolved_signature(item.signature, typed))


def _implementations(
    parsed: Sequence[s.Declaration], procedures: Mapping[str, s.ProcedureDeclaration], typed: Declarations
) -> list[Implementation]:
    """The bodies of all procedures in the order of the file."""
    found: list[Implementation] = []
    counts: dict[str, int] = {}
    for item in parsed:
        if isinstance(item, s.ProcedureDeclaration) and item.body is not None:
            procedure = procedures[item.signature.name]
            signature, body = procedure.signature, item.body
        elif isinstance(item, s.ImplementationDeclaration):
            if item.signature.name not in procedures:
                raise wrong(item.origin, f"undeclared procedure: {item.signature.name}")
            procedure = procedures[item.signature.name]
            signature, body = resolved_signature(item.signature, typed), item.body
            _require_same_types(procedure.signature, signature, item.origin)
        else:
            continue
        name = procedure.signature.name
        variables = frozenset(signature.type_parameters)
        locals = [replace(v, type=typed.type(v.type, v.origin, variables)) for v in body.variables]
        body = replace(body, variables=tuple(locals))
        _named((v.name, v, v.origin) for v in (*_variables_of(signature), *body.variables))
        renaming = {
            declared.name: own.name
            for declared, own in zip(_variables_of(procedure.signature), _variables_of(signature), strict=True)
        }
        found.append(Implementation(procedure, signature, body, renaming, counts.get(name, 0)))
        counts[name] = counts.get(name, 0) + 1
    return found


def _variables_of(signature: s.Signature) -> tuple[s.DeclaredVariable, ...]:
    return (*signature.parameters, *signature.results)


def _require_same_types(declared: s.Signature, own: s.Signature, origin: Origin) -> None:
    """InputError if an implementation does not have the parameters and results of its procedure."""
    renamed: dict[str, s.Type] = {
        name: s.NamedType(other) for name, other in zip(own.type_parameters, declared.type_parameters, strict=False)
    }

    def types(group: Sequence[s.DeclaredVariable]) -> list[s.Type]:
        return [substituted(variable.type, renamed) for variable in group]

    same = [v.type for v in declared.parameters] == types(own.parameters)
    if not same or [v.type for v in declared.results] != types(own.results):
        raise wrong(origin, f"the implementation of {own.name} has other parameters or results than its declaration")
