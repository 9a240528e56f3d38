"""Programs as options of the command change them, before they are encoded."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from encoders.boogie import syntax as s
from encoders.boogie.resolved_declarations import Declarations, Implementation


def with_inferred_modifies(declarations: Declarations) -> Declarations:
    """The declarations where each procedure with a body modifies, besides what it says, the globals that its bodies
    assign, and those that the procedures modify that they call."""
    modified = {name: set(procedure.contract.modifies) for name, procedure in declarations.procedures.items()}
    calls: dict[str, set[str]] = {name: set() for name in modified}
    for implementation in declarations.implementations:
        name = implementation.procedure.signature.name
        assigned, called = _effects_of(implementation)
        modified[name] |= {variable for variable in assigned if variable in declarations.globals}
        calls[name] |= {other for other in called if other in modified}
    changes = True
    while changes:
        before = sum(map(len, modified.values()))
        for name, called in calls.items():
            modified[name].update(*(modified[other] for other in called))
        changes = sum(map(len, modified.values())) > before
    procedures = {name: _modifying(item, modified[name]) for name, item in declarations.procedures.items()}
    return _of_procedures(declarations, procedures)


def _modifying(procedure: s.ProcedureDeclaration, names: set[str]) -> s.ProcedureDeclaration:
    said = procedure.contract.modifies
    modifies = (*said, *sorted(names - set(said)))
    return replace(procedure, contract=replace(procedure.contract, modifies=modifies))


def _effects_of(implementation: Implementation) -> tuple[set[str], set[str]]:
    """The variables that a body assigns and that no local hides, and the procedures that it calls."""
    signature, body = implementation.signature, implementation.body
    own: Mapping[str, object] = {v.name: v for v in (*signature.parameters, *signature.results, *body.variables)}
    assigned, called = set[str](), set[str]()
    waiting = list(body.statements)
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, s.AssignmentStatement):
            assigned |= {target.name for target in statement.targets}
        elif isinstance(statement, s.HavocStatement):
            assigned |= set(statement.names)
        elif isinstance(statement, s.CallStatement):
            assigned |= set(statement.results)
            called.add(statement.procedure)
        elif isinstance(statement, s.IfStatement):
            waiting += (*statement.first, *statement.second)
        elif isinstance(statement, s.WhileStatement):
            waiting += statement.body
    return {name for name in assigned if name not in own}, called


def _of_procedures(declarations: Declarations, procedures: Mapping[str, s.ProcedureDeclaration]) -> Declarations:
    implementations = [
        replace(item, procedure=procedures[item.procedure.signature.name]) for item in declarations.implementations
    ]
    return replace(declarations, procedures=procedures, implementations=implementations)


def without_invariants(declarations: Declarations) -> Declarations:
    """The declarations without the invariants of `while` that are to be shown. Those that are free stay: what a proof
    may assume is a part of the program's meaning."""
    implementations = [
        replace(item, body=replace(item.body, statements=_without_invariants(item.body.statements)))
        for item in declarations.implementations
    ]
    return replace(declarations, implementations=implementations)


def _without_invariants(statements: Sequence[s.Statement]) -> tuple[s.Statement, ...]:
    found: list[s.Statement] = []
    for statement in statements:
        if isinstance(statement, s.WhileStatement):
            free = tuple(invariant for invariant in statement.invariants if invariant.is_free)
            statement = replace(statement, invariants=free, body=_without_invariants(statement.body))
        elif isinstance(statement, s.IfStatement):
            first, second = _without_invariants(statement.first), _without_invariants(statement.second)
            statement = replace(statement, first=first, second=second)
        found.append(statement)
    return tuple(found)
