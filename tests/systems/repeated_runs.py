"""Derivations with cycles, made of the plain derivation of a short run of the same program with a smaller bound."""

from collections.abc import Sequence

import z3

from chcverify.certificate.derivation import Cycle, Derivation, Link, Step, derived
from chcverify.horn.ground_instance import ground_instance
from encoders.c.certificates.run_to_derivation import derivation_of_run
from encoders.c.encoding.encoder import Encoding
from encoders.c.execution.inputs import Inputs, InputStep, ObjectValue, Scalar
from encoders.c.execution.interpreter import Execution, execute
from encoders.c.types.c_types import CType

N = z3.Int("n")


class Given:
    """An oracle that gives values in their order."""

    def __init__(self, values: Sequence[int]) -> None:
        self._values = iter(values)

    def begin(self, edge: object) -> None:
        pass

    def scalar(self, kind: CType) -> Scalar:
        return next(self._values, 0)

    def contents(self) -> ObjectValue:
        return ObjectValue()

    def undefined(self, node: object, kind: CType) -> Scalar:
        return 0

    def unwritten(self, kind: CType, default: Scalar) -> Scalar:
        return default


def repeated(small: Encoding, values: Sequence[int], large: Encoding, more: int) -> Derivation:
    """The derivation of the small program's run on the values, with its longest loop taken `more` times more often.

    The facts of the loop must be affine in the iteration's number. The programs differ in constants only.
    """
    execution: Execution = execute(small.program, Given(values))
    assert execution.outcome == "error", execution.outcome
    plain = derivation_of_run(small, execution.path, execution.inputs)
    assert plain is not None
    start, period, count = _loop([step.clause for step in plain.ground_steps])
    steps: list[Step | Cycle] = list(plain.steps[:start])
    first, second = (plain.ground_steps[start + i * period : start + (i + 1) * period] for i in (0, 1))
    links = tuple(
        Link(a.clause, tuple(map(_affine, a.arguments, b.arguments)), (None,))
        for a, b in zip(first, second, strict=True)
    )
    steps.append(Cycle(N, count + more, start - 1, links))
    for step in plain.ground_steps[start + period * count :]:
        clause = large.system.clauses[step.clause]
        premise = derived(large.system, steps[-1])[1]
        found = ground_instance(clause, None, [premise])
        assert found is not None, clause
        pairs = [(variable, found[variable.get_id()]) for variable in clause.variables]
        head = () if clause.head is None else clause.head.arguments
        arguments = tuple(z3.simplify(z3.substitute(term, pairs)) for term in head)
        steps.append(Step(step.clause, arguments, (len(steps) - 1,)))
    return Derivation(tuple(steps))


def _loop(clauses: list[int]) -> tuple[int, int, int]:
    """Start, period and number of the longest repetition."""
    best = (0, 1, 1)
    for start in range(len(clauses)):
        for period in range(1, (len(clauses) - start) // 2 + 1):
            end = start + period
            while end < len(clauses) and clauses[end] == clauses[end - period]:
                end += 1
            count = (end - start) // period
            if count > 1 and period * count > best[1] * best[2]:
                best = (start, period, count)
    return best


def _affine(a: z3.ExprRef, b: z3.ExprRef) -> z3.ExprRef:
    if a.eq(b):
        return a
    assert z3.is_int_value(a) and z3.is_int_value(b)
    return a.as_long() + (b.as_long() - a.as_long()) * N


def values_of(inputs: Inputs) -> list[object]:
    return [step.value for step in inputs if isinstance(step, InputStep)]
