"""Which calls lead into the called body, and back over its summary: a predicate of Horn clauses.

Such a call is what `{:inline}` makes of it, without a depth: the body is executed, its assertions and its contract are
checked there, and a call that does not return is followed by nothing. All other calls do what the contract says.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from chcverify.horn.origin import Origin
from encoders.boogie import syntax as s
from encoders.boogie.control_flow import BlockGraph, control_flow_of, with_calls_apart
from encoders.boogie.resolved_declarations import Declarations, Implementation, has_attribute

_SELECTIVE = "selective_checking"


def _only_bodies(declarations: Declarations) -> Mapping[str, Implementation]:
    """The bodies of the procedures that have one, and no type parameters."""
    found: dict[str, list[Implementation]] = {}
    for implementation in declarations.implementations:
        found.setdefault(implementation.procedure.signature.name, []).append(implementation)
    return {
        name: bodies[0]
        for name, bodies in found.items()
        if len(bodies) == 1
        and not bodies[0].signature.type_parameters
        and not bodies[0].procedure.signature.type_parameters
        and not has_attribute(bodies[0].procedure.attributes, _SELECTIVE)
    }


class SummarisedCalls:
    """The calls of a program that lead into the called body."""

    def __init__(self, declarations: Declarations) -> None:
        self._bodies = _only_bodies(declarations) if declarations.summaries else {}

    def blocks_of(self, implementation: Implementation) -> BlockGraph:
        """The blocks of a body, of which these calls end some."""
        flow = control_flow_of(implementation.body)
        if has_attribute(implementation.procedure.attributes, _SELECTIVE):
            return flow
        return with_calls_apart(flow, lambda call: not call.is_free and call.procedure in self._bodies)

    def called(self, flows: list[BlockGraph]) -> Iterator[Implementation]:
        """The bodies into which blocks lead, each once. The list may grow meanwhile by the blocks of these bodies."""
        known: set[str] = set()
        for flow in flows:  # grows
            for block in flow.blocks.values():
                if block.call is not None and block.call.procedure not in known:
                    known.add(block.call.procedure)
                    yield self._bodies[block.call.procedure]


def decided_by_themselves(declarations: Declarations) -> frozenset[str]:
    """The procedures with a body and without `{:inline}` that no other one of these leads to; of those that only lead
    to each other, the first. They lead to all procedures without `{:inline}`."""
    called: dict[str, set[str]] = {}
    for item in declarations.implementations:
        called.setdefault(item.procedure.signature.name, set()).update(_called_in(item.body))
    reached = {name: _reached(name, called) for name in called}
    names = list(dict.fromkeys(i.procedure.signature.name for i in declarations.implementations if not i.is_inlined))
    found: list[str] = []
    for name in names:
        callers = [other for other in names if name in reached[other]]
        if all(other in reached[name] for other in callers) and not any(name in reached[root] for root in found):
            found.append(name)
    return frozenset(found)


def _called_in(body: s.Body) -> Iterator[str]:
    """The procedures that a body calls, also in code expressions."""
    waiting: list[object] = [body]
    while waiting:
        part = waiting.pop()
        if isinstance(part, s.CallStatement):
            yield part.procedure
        if isinstance(part, tuple):
            waiting += part
        elif is_dataclass(part) and not isinstance(part, type | Origin):
            waiting += [getattr(part, item.name) for item in fields(part)]


def _reached(name: str, called: Mapping[str, set[str]]) -> frozenset[str]:
    """The procedures that a call of a procedure may come to, by calls in its body."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = (called[waiting.pop()] & called.keys()) - found
        found |= new
        waiting += new
    return frozenset(found)
