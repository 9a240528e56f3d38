"""Comparisons of pointers where an object may have got the address of one that is gone.

A pointer to a released block, or to a local variable whose block has ended, has no value that a program may use (C11
6.2.4p2); what is compared with it may since have been given the same address. Such comparisons have any result. A
forward analysis finds where that can be: at which locations a block may have been allocated after another one was
released, and at which ones a variable whose address outlives its block may have ended. Calls have the effects of the
functions called; a function starts with what holds at any of its calls.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial, reduce
from operator import or_
from typing import cast

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.cfa.dataflow.callers import callers_in
from encoders.c.cfa.dataflow.escaping_locals import with_escaping_locals
from encoders.c.cfa.expression_walk import Node, Rewriting, postorder, roots
from encoders.c.cfa.model_origins import STREAM_MODELS
from encoders.c.types.c_types import CFunction, CPointer


@dataclass(frozen=True)
class _Events:
    """What may have happened before a location, or in a call."""

    has_released: bool = False
    """A block was released."""
    has_allocated: bool = False
    """A block was allocated."""
    reuse: ir.AddressReuse = ir.AddressReuse.NONE
    """What may have the address of an object that is gone."""

    def then(self, later: "_Events") -> "_Events":
        """What may have happened where `later` happens afterwards."""
        reuse = self.reuse | later.reuse
        if self.has_released and later.has_allocated:
            reuse |= ir.AddressReuse.HEAP
        return _Events(
            self.has_released or later.has_released,
            self.has_allocated or later.has_allocated,
            reuse,
        )

    def __or__(self, other: "_Events") -> "_Events":
        return _Events(
            self.has_released or other.has_released,
            self.has_allocated or other.has_allocated,
            self.reuse | other.reuse,
        )


_NOTHING = _Events()


def with_reused_addresses(program: ir.Program) -> ir.Program:
    """The program whose comparisons of pointers name the objects that may have the address of one that is gone."""
    comparing = [
        name for name, function in program.functions.items() if not _is_of_streams(function) and _compares(function)
    ]
    if not comparing:
        return program
    program = with_escaping_locals(program)
    effects = _effects(program)
    happens = reduce(or_, effects.values(), _NOTHING)
    if happens.reuse is ir.AddressReuse.NONE and not happens.has_released:
        return program
    begins = _begins(program, effects)
    marked = {
        name: _marked(program.functions[name], _pasts(program.functions[name], begins[name], effects))
        for name in comparing
        if name in begins
    }
    return replace(program, functions=program.functions | marked)


def _own_effect(function: ir.FunctionCfa, operation: ir.Operation) -> _Events:
    """What an operation of a function does that is no call."""
    match operation:
        case ir.Release() | ir.Forget() | ir.EndStream():
            return _Events(has_released=True)
        case ir.Allocate():
            return _Events(has_allocated=True)
        case ir.Declare(ends=True):
            return _Events(reuse=ir.AddressReuse.STACK)
        case ir.EndLifetimes(variables=variables):
            if any(variable.unique in function.escaping for variable in variables):
                return _Events(reuse=ir.AddressReuse.STACK)
    return _NOTHING


def _effect(function: ir.FunctionCfa, operation: ir.Operation, effects: Mapping[str, _Events]) -> _Events:
    if isinstance(operation, ir.Call):
        return effects.get(operation.function, _NOTHING)
    return _own_effect(function, operation)


def _effects(program: ir.Program) -> dict[str, _Events]:
    """What a call of each function may do, whatever happened before."""
    effects = dict.fromkeys(program.functions, _NOTHING)
    callers = callers_in(program)
    work = list(program.functions)
    while work:
        name = work.pop()
        function = program.functions[name]
        effect = reduce(or_, _pasts(function, _NOTHING, effects).values(), _NOTHING)
        if function.is_reallocation and effect.has_released:
            effect |= _Events(reuse=ir.AddressReuse.HEAP)  # the new block may be the old one
        if function.escaping:  # they end with the call
            effect |= _Events(reuse=ir.AddressReuse.STACK)
        if any(isinstance(edge.operation, ir.Allocate) and edge.operation.on_stack for edge in function.edges):
            effect |= _Events(has_released=True)
        if effect != effects[name]:
            effects[name] = effect
            work.extend(callers.get(name, ()))
    return effects


def _begins(program: ir.Program, effects: Mapping[str, _Events]) -> dict[str, _Events]:
    """What may have happened before the calls of each function that is called."""
    edges = (edge for function in program.functions.values() for edge in function.edges)
    if any(isinstance(edge.operation, ir.ThreadOperation) for edge in edges):
        everything = reduce(or_, effects.values(), _NOTHING)
        return dict.fromkeys(program.functions, everything.then(everything))  # steps of other threads come in between
    begins = {program.initialise: _NOTHING}
    work = [program.initialise]
    while work:
        function = program.functions[work.pop()]
        pasts = _pasts(function, begins[function.name], effects)
        for edge in function.edges:
            callee = edge.operation.function if isinstance(edge.operation, ir.Call) else None
            if callee not in program.functions or edge.source not in pasts:
                continue
            assert callee is not None
            joined = begins.get(callee, _NOTHING) | pasts[edge.source]
            if joined != begins.get(callee):
                begins[callee] = joined
                work.append(callee)
    return begins


def _pasts(function: ir.FunctionCfa, begin: _Events, effects: Mapping[str, _Events]) -> dict[int, _Events]:
    """What may have happened before each location that the function's entry leads to."""
    outgoing: dict[int, list[ir.Edge]] = {}
    for edge in function.edges:
        outgoing.setdefault(edge.source, []).append(edge)
    pasts = {function.entry: begin}
    work = [function.entry]
    while work:
        here = work.pop()
        for edge in outgoing.get(here, ()):
            effect, known = _effect(function, edge.operation, effects), pasts.get(edge.target)
            joined = pasts[here] if effect is _NOTHING else pasts[here].then(effect)
            if known is not None and joined is not known:
                joined |= known
            if joined != known:
                pasts[edge.target] = joined
                work.append(edge.target)
    return pasts


def _is_of_streams(function: ir.FunctionCfa) -> bool:
    """Is it a model that remembers streams, which compares their identities and not their addresses?"""
    return any(location.origin.file == STREAM_MODELS for location in function.locations)


def _compares(function: ir.FunctionCfa) -> bool:
    return any(map(_is_comparison, postorder(*(root for edge in function.edges for root in roots(edge.operation)))))


def _is_comparison(node: Node) -> bool:
    """Does a node compare pointers to objects where neither is the constant null?"""
    if not isinstance(node, ir.Binary) or node.operator not in ("==", "!="):
        return False
    sides = (node.left, node.right)
    return all(
        isinstance(side.type, CPointer)
        and not isinstance(side.type.target, CFunction)
        and not isinstance(side, ir.Constant)
        for side in sides
    )


def _marked(function: ir.FunctionCfa, pasts: Mapping[int, _Events]) -> ir.FunctionCfa:
    """The function whose comparisons name what may be reused where they stand."""
    markers: dict[ir.AddressReuse, Rewriting] = {}
    edges = []
    for edge in function.edges:
        reuse = pasts.get(edge.source, _NOTHING).reuse
        if reuse is not ir.AddressReuse.NONE and any(map(_is_comparison, postorder(*roots(edge.operation)))):
            marker = markers.setdefault(reuse, Rewriting(partial(_with_reuse, reuse)))
            edge = replace(edge, operation=marker.operation(edge.operation))
        edges.append(edge)
    return replace(function, edges=tuple(edges)) if markers else function


def _with_reuse(reuse: ir.AddressReuse, _: Node, made: Node) -> Node:
    return replace(cast(ir.Binary, made), reuse=reuse) if _is_comparison(made) else made
