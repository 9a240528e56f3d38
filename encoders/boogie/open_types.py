"""Bodies of polymorphic procedures: their type parameters are types of which nothing is known."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from encoders.boogie import syntax as s
from encoders.boogie.resolved_declarations import Implementation, NotModelled, substituted


def with_open_types(implementation: Implementation) -> Implementation:
    """The implementation, in whose declared variables a type of its own stands for each type parameter.

    What holds for a type of which nothing is known holds for all. NotModelled where the body has the procedure's names
    for other type parameters.
    """
    signature, procedure = implementation.signature, implementation.procedure
    if not signature.type_parameters and not procedure.signature.type_parameters:
        return implementation
    types = _types(procedure.signature, procedure.signature.name)
    for name, type in _types(signature, procedure.signature.name).items():
        if types.setdefault(name, type) != type:
            raise NotModelled(procedure.origin, f"type parameters of {signature.name} in another order")
    body = replace(implementation.body, variables=_opened(implementation.body.variables, types))
    return replace(
        implementation,
        procedure=replace(procedure, signature=instantiated_signature(procedure.signature, types)),
        signature=instantiated_signature(signature, types),
        body=body,
        types=types,
    )


def _types(signature: s.Signature, procedure: str) -> dict[str, s.Type]:
    """For each type parameter the type that stands for it, by its place."""
    return {name: s.NamedType(f"{number} of {procedure}") for number, name in enumerate(signature.type_parameters)}


def instantiated_signature(signature: s.Signature, types: Mapping[str, s.Type]) -> s.Signature:
    """The signature with types for its type parameters."""
    return replace(
        signature,
        type_parameters=(),
        parameters=_opened(signature.parameters, types),
        results=_opened(signature.results, types),
    )


def _opened(variables: Sequence[s.DeclaredVariable], types: Mapping[str, s.Type]) -> tuple[s.DeclaredVariable, ...]:
    return tuple(replace(variable, type=substituted(variable.type, types)) for variable in variables)
