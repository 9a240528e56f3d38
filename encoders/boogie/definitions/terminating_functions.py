"""Functions that call themselves: an axiom `forall x :: f(x) == body` has exactly one solution where the calls end.

Calls end if some difference of arguments gets smaller from call to call and is not negative where a call is made, which
a solver shows for each call in the body (Turing 1949; Floyd 1967). Then a violation need not be looked for under the
axiom, of which solvers find no models: the definition is unfolded for the terms of a clause, so deep that no further
call is needed for the values of a run.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import z3

from chcverify.effort import MAX_COMPARED, MAX_VISITED, QUESTION_MS
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, has_quantifier, is_value, substitute, subterms
from encoders.boogie.expressions.typed_terms import selected


class NotUnfolded(Exception):
    """A formula applies a function in a way for which the definition is not unfolded."""


@dataclass(frozen=True, eq=False)
class TerminatingFunction:
    """A function whose value is that of its body, which applies it to other arguments. All such calls end."""

    function: z3.ExprRef
    """The constant that stands for it: an array, or array of arrays."""
    parameters: tuple[z3.ExprRef, ...]
    body: z3.ExprRef

    def instance(self, arguments: Sequence[z3.ExprRef]) -> z3.ExprRef:
        """The body for these arguments."""
        return substitute(self.body, zip(self.parameters, arguments, strict=True))

    def calls(self, term: z3.ExprRef, is_body: bool = True) -> Iterator[tuple[z3.BoolRef, tuple[z3.ExprRef, ...]]]:
        """The arguments to which the function is applied in a term, and the conditions under which the value matters.

        is_body: false where the conditions are not asked for. NotUnfolded for other uses of the function.
        """
        yield from _calls(term, self.function, len(self.parameters), is_body)


def _calls(
    term: z3.ExprRef, function: z3.ExprRef, count: int, is_body: bool
) -> Iterator[tuple[z3.BoolRef, tuple[z3.ExprRef, ...]]]:
    waiting: list[tuple[z3.ExprRef, tuple[z3.BoolRef, ...]]] = [(term, ())]
    seen: dict[tuple[int, tuple[int, ...]], Any] = {}  # with the terms, since numbers of others may be given again
    while waiting:
        part, conditions = waiting.pop()
        key = (part.get_id(), tuple(condition.get_id() for condition in conditions))
        if key in seen or not _occurs(function, part):
            continue
        seen[key] = (part, conditions)
        arguments = _arguments(part, function)
        if arguments is not None:
            if len(arguments) != count:
                raise NotUnfolded
            yield conjunction(conditions), arguments
            waiting += [(argument, conditions) for argument in arguments]
        elif z3.is_quantifier(part) or part.eq(function):
            raise NotUnfolded
        else:
            waiting += _parts(part, conditions) if is_body else [(child, ()) for child in part.children()]


def _occurs(function: z3.ExprRef, term: z3.ExprRef) -> bool:
    return any(part.eq(function) for part in subterms(term))


def _parts(term: z3.ExprRef, conditions: tuple[z3.BoolRef, ...]) -> list[tuple[z3.ExprRef, tuple[z3.BoolRef, ...]]]:
    """The parts of a term with the conditions under which their values matter."""
    parts: list[Any] = term.children()
    if z3.is_app_of(term, z3.Z3_OP_ITE):
        condition, first, second = parts
        return [
            (condition, conditions),
            (first, (*conditions, condition)),
            (second, (*conditions, z3.Not(condition))),
        ]
    if z3.is_implies(term):
        return [(parts[0], conditions), (parts[1], (*conditions, parts[0]))]
    if z3.is_and(term) or z3.is_or(term):
        found = []
        for number, part in enumerate(parts):
            before = parts[:number] if z3.is_and(term) else [z3.Not(other) for other in parts[:number]]
            found.append((part, (*conditions, *before)))
        return found
    return [(part, conditions) for part in parts]


def _arguments(term: z3.ExprRef, function: z3.ExprRef) -> tuple[z3.ExprRef, ...] | None:
    """The arguments of an application of the function; None for other terms."""
    found: list[z3.ExprRef] = []
    while z3.is_select(term):
        found.insert(0, term.arg(1))
        term = term.arg(0)
    return tuple(found) if found and term.eq(function) else None


def definitions_among(axioms: Sequence[z3.BoolRef]) -> tuple[list[TerminatingFunction], list[z3.BoolRef]]:
    """The functions that axioms define, so that all calls end, and the other axioms, which do not speak of them.

    A definition may apply functions that are defined before it.
    """
    candidates = [(axiom, found) for axiom in axioms if (found := _equation(axiom)) is not None]
    others = [axiom for axiom in axioms if not any(axiom is candidate for candidate, _ in candidates)]
    accepted: list[TerminatingFunction] = []
    while candidates:
        functions = [found.function for _, found in candidates]
        ready = [
            (axiom, found)
            for axiom, found in candidates
            if not any(_occurs(f, found.body) for f in functions if not f.eq(found.function))
            and not any(_occurs(found.function, other) for other in others)
            and sum(f.eq(found.function) for f in functions) == 1
            and _ends(found)
        ]
        if not ready:
            break
        accepted += [found for _, found in ready]
        candidates = [pair for pair in candidates if not any(pair[0] is axiom for axiom, _ in ready)]
    return _apart(accepted, [*others, *(axiom for axiom, _ in candidates)])


def _apart(
    accepted: list[TerminatingFunction], others: list[z3.BoolRef]
) -> tuple[list[TerminatingFunction], list[z3.BoolRef]]:
    """No definitions at all where an axiom that is kept speaks of one of them."""
    if any(_occurs(found.function, other) for found in accepted for other in others):
        return [], others
    return accepted, others


def _equation(axiom: z3.BoolRef) -> TerminatingFunction | None:
    """The definition that an axiom `forall x :: f(x) == body` is; None for other axioms."""
    if not z3.is_quantifier(axiom) or not axiom.is_forall():
        return None
    parameters = [z3.FreshConst(axiom.var_sort(i), axiom.var_name(i)) for i in range(axiom.num_vars())]
    equation = z3.substitute_vars(axiom.body(), *reversed(parameters))
    if not z3.is_eq(equation):
        return None
    value, body = equation.children()
    function = value
    while z3.is_select(function):
        function = function.arg(0)
    arguments = _arguments(value, function) or ()
    is_plain = len(arguments) == len(parameters) and all(map(lambda a, p: a.eq(p), arguments, parameters))
    if not is_plain or not z3.is_const(function) or has_quantifier(body):
        return None
    return TerminatingFunction(function, tuple(parameters), body)


def _ends(definition: TerminatingFunction) -> bool:
    """True if a solver shows that a parameter, or a difference of two, bounds the number of calls."""
    try:
        calls = list(definition.calls(definition.body))
    except NotUnfolded:
        return False
    numbers: list[Any] = [parameter for parameter in definition.parameters if z3.is_int(parameter)]
    measures = [*numbers, *(-number for number in numbers), *(a - b for a, b in permutations(numbers, 2))]
    return not calls or any(_decreases(definition, measure, calls) for measure in measures)


def _decreases(
    definition: TerminatingFunction,
    measure: z3.ArithRef,
    calls: Sequence[tuple[z3.BoolRef, tuple[z3.ExprRef, ...]]],
) -> bool:
    """True if the measure is not negative where a call is made, and smaller for the call's arguments."""
    solver = z3.Solver()
    solver.set("timeout", QUESTION_MS)
    for condition, arguments in calls:
        inner = substitute(measure, zip(definition.parameters, arguments, strict=True))
        solver.push()
        # condition & (measure < 0 | measure of the arguments >= measure), whatever the values of the function are
        solver.add(condition, z3.Or(measure < 0, inner >= measure))
        if solver.check() != z3.unsat:
            return False
        solver.pop()
    return True


def unfolded(
    formula: z3.BoolRef, terms: Sequence[z3.ExprRef], definitions: Sequence[TerminatingFunction], depth: int
) -> z3.BoolRef:
    """The formula with what the definitions say of all applications in it and in the terms, and in turn of those in
    the bodies, up to a depth beyond which no call may matter.

    NotUnfolded where a function is applied below a quantifier, and for too many applications.
    """
    parts: list[z3.BoolRef] = [formula]
    known: dict[tuple[int, tuple[int, ...]], Any] = {}  # with the terms
    waiting: list[tuple[z3.ExprRef, int]] = [(term, 0) for term in (formula, *terms)]
    for term, level in waiting:  # grows meanwhile
        for number, definition in enumerate(definitions):
            for condition, arguments in definition.calls(term, is_body=level > 0):
                key = (number, tuple(argument.get_id() for argument in arguments))
                if key in known:
                    continue
                if level > depth:
                    parts.append(z3.Not(condition))
                    continue
                known[key] = arguments
                if len(known) > MAX_COMPARED:
                    raise NotUnfolded
                body: Any = definition.instance(arguments)
                parts.append(selected(definition.function, arguments) == body)
                waiting.append((body, level + 1))
    return conjunction(parts)


_Call = tuple[z3.ExprRef, TerminatingFunction, tuple[z3.ExprRef, ...]]
_Key = tuple[int, tuple[str, ...]]


class DefinedValues:
    """The values of functions by their definitions, computed call by call."""

    def __init__(self, definitions: Sequence[TerminatingFunction]) -> None:
        self._definitions = definitions
        self._values: dict[_Key, z3.ExprRef] = {}
        self._count = 0

    def value(self, term: z3.ExprRef) -> z3.ExprRef:
        """The term, simplified, with values for applications to values. NotUnfolded for a value that takes too long."""
        term = z3.simplify(term)
        if not self._definitions:
            return term
        open_terms: list[tuple[_Key | None, z3.ExprRef]] = [(None, term)]
        while True:
            key, current = open_terms.pop()
            call = self._call(current)
            if call is None:
                if key is None:
                    return current
                if not is_value(current):
                    raise NotUnfolded
                self._values[key] = current
                continue
            application, definition, arguments = call
            wanted = (definition.function.get_id(), tuple(argument.sexpr() for argument in arguments))
            if wanted in self._values:
                replaced = substitute(current, [(application, self._values[wanted])])
                open_terms.append((key, z3.simplify(replaced)))
                continue
            self._count += 1
            if self._count > MAX_VISITED:
                raise NotUnfolded
            open_terms += [(key, current), (wanted, z3.simplify(definition.instance(arguments)))]

    def _call(self, term: z3.ExprRef) -> _Call | None:
        """An application to values in a term."""
        for part in subterms(term):
            if not z3.is_select(part):
                continue
            for definition in self._definitions:
                arguments = _arguments(part, definition.function)
                is_whole = arguments is not None and len(arguments) == len(definition.parameters)
                if arguments is not None and is_whole and all(map(is_value, arguments)):
                    return part, definition, arguments
        return None
