"""The contents of the objects that a harness makes, as inputs of a run for people: `s->size = 5`."""

import re
from collections.abc import Iterable, Sequence

from chcverify.results.source_facts import TraceStep
from encoders.c.cfa import ir
from encoders.c.execution.inputs import Inputs, InputStep, ObjectValue, Repeated
from encoders.c.library.model_files import HARNESS
from encoders.c.types.c_types import CArray, CFloat, CInteger, CPointer, CRecord, CType

MOST_CELLS = 20  # of one object that are shown; chosen by hand
_ALLOCATION = re.compile(r"\s*(\S.*?) = __builtin_malloc\(")
_PREFIX = re.compile(r"\bchcverify_(?=\w)")


def with_contents(
    program: ir.Program, trace: Sequence[TraceStep], inputs: Iterable[InputStep | Repeated]
) -> tuple[TraceStep, ...]:
    """The trace with a step for each value that the run reads in an object of the harness before anybody wrote it.

    They stand in front of the call of the function. Without a harness, or without names, the trace as it is.
    """
    if program.harness is None:
        return tuple(trace)
    steps: list[TraceStep] = []
    for step in Inputs(tuple(inputs)):
        origin, made = step.edge.origin, isinstance(step.edge.operation, ir.Allocate)
        if made and origin.file.startswith(HARNESS) and isinstance(step.value, ObjectValue):
            cells = _cells(program, program.harness, origin.line, step.value)[:MOST_CELLS]
            function = program.harness.function
            steps += [TraceStep(origin, function, "input", name, ((name, value),)) for name, value in cells]
    begin = {program.harness.function, program.initialise}
    at = next((n for n, step in enumerate(trace) if step.function not in begin), None)
    at = len(trace) if at is None else at
    while at > 0 and trace[at - 1].kind != "call":
        at -= 1
    return (*trace[: max(0, at - 1)], *steps, *trace[max(0, at - 1) :])


def _cells(program: ir.Program, harness: ir.HarnessCode, line: int, value: ObjectValue) -> list[tuple[str, str]]:
    """The names of the cells that a run reads of an object, with their values."""
    lines = harness.text.splitlines()
    found = _ALLOCATION.match(lines[line - 1]) if 0 < line <= len(lines) else None
    target = _target(program, found[1]) if found is not None else None
    if found is None or target is None:
        return []
    pointer = _PREFIX.sub("", found[1])
    return [
        (_name(program, pointer, target, bits), str(entry))
        for bits, entry in sorted(value.entries.items())
        if bits in value.kinds
    ]


def _target(program: ir.Program, text: str) -> CType | None:
    """The type of the object behind `chcverify_p->m.n`; None for other forms."""
    root, *members = re.split(r"->|\.", text)
    kind: CType | None = next((v.type for v in program.globals if v.name == root), None)
    for member in members:
        record = kind.target if isinstance(kind, CPointer) else kind
        fields = program.records.get(record.tag, ()) if isinstance(record, CRecord) else ()
        kind = next((field.type for field in fields if field.name == member), None)
    return kind.target if isinstance(kind, CPointer) else None


def _name(program: ir.Program, pointer: str, target: CType, bits: int) -> str:
    """The cell at an offset in bits behind a pointer, as people write it."""
    whole = _bits(program, target)
    number, rest = divmod(bits, whole) if whole else (0, bits)
    inner = _path(program, target, rest)
    if number == 0 and inner.startswith("."):
        return f"{pointer}->{inner[1:]}"
    return f"*{pointer}" if number == 0 and not inner else f"{pointer}[{number}]{inner}"


def _path(program: ir.Program, kind: CType, bits: int) -> str:
    """Members and indices that lead to the cell at an offset in bits."""
    if isinstance(kind, CRecord):
        fields = [f for f in program.records.get(kind.tag, ()) if 8 * f.offset + (f.bit_offset or 0) <= bits]
        if not fields or kind.is_union:
            return "" if bits == 0 else f" at byte {bits // 8}"
        last = max(fields, key=lambda field: 8 * field.offset + (field.bit_offset or 0))
        return f".{last.name}" + _path(program, last.type, bits - 8 * last.offset - (last.bit_offset or 0))
    if isinstance(kind, CArray) and (size := _bits(program, kind.element)):
        return f"[{bits // size}]" + _path(program, kind.element, bits % size)
    return "" if bits == 0 else f" at byte {bits // 8}"


def _bits(program: ir.Program, kind: CType) -> int:
    """The size of a type; 8 where it is not known, as of void."""
    match kind:
        case CInteger(width=width):
            return max(8, width)
        case CFloat(width=width):
            return 128 if width == 80 else width
        case CPointer():
            return 8 * program.data_model.pointer
        case CRecord(tag=tag):
            return 8 * program.record_sizes.get(tag, 1)
        case CArray(element=element, length=length):
            return _bits(program, element) * (length or 1)
    return 8
