"""The contents of objects that a run chose, as inputs for people: `s->size = 5` behind an argument of a harness,
`heap@7[2] = 5` in a block that line 7 of the program allocates, `t[2] = 5` in a variable without an initialiser."""

import re
from collections.abc import Iterable, Sequence

from chcverify.display_limits import IN_A_LIST
from chcverify.horn.origin import Origin
from chcverify.results.source_facts import TraceStep
from encoders.c.cfa import ir
from encoders.c.execution.inputs import Inputs, InputStep, ObjectValue, Repeated
from encoders.c.execution.objects import BLOCK
from encoders.c.harness.object_writer import OBJECT
from encoders.c.library.model_files import HARNESS
from encoders.c.types.c_types import CArray, CFloat, CInteger, CPointer, CRecord, CType

_ALLOCATION = re.compile(r"\s*(\S.*?) = __builtin_malloc\(")
_LINK = re.compile(r"\s*(\S.*?) = (" + OBJECT + r"_\d+);")
_PREFIX = re.compile(r"\bchcverify_(?=\w)")


def with_contents(
    program: ir.Program, trace: Sequence[TraceStep], inputs: Iterable[InputStep | Repeated]
) -> tuple[TraceStep, ...]:
    """The trace with a step for each value that the run reads in an object before anybody wrote it.

    Those in objects of a generated harness stand in front of the call of the function, others behind the step that
    begins the object. Values without names are left out.
    """
    chosen = [step for step in Inputs(tuple(inputs)) if isinstance(step.value, ObjectValue)]
    made = [step for step in chosen if step.edge.origin.file.startswith(HARNESS)]
    trace = _with_own_objects(program, trace, [step for step in chosen if step not in made])
    return _with_harness_objects(program, program.harness, trace, made) if program.harness is not None else tuple(trace)


def _with_own_objects(
    program: ir.Program, trace: Sequence[TraceStep], chosen: Sequence[InputStep]
) -> tuple[TraceStep, ...]:
    """The trace with the contents of objects of the program itself behind the steps that begin them."""
    found = list(trace)
    at = next((n for n, step in enumerate(found) if not step.function.startswith("<")), 0)  # of initialisers
    for step in chosen:
        assert isinstance(step.value, ObjectValue)
        cells = _own_cells(program, step.edge, step.value)[:IN_A_LIST]
        origin = step.edge.origin
        behind = next((n + 1 for n in range(at, len(found)) if found[n].origin == origin), None)
        if behind is None:  # declarations are no steps of the trace
            lines = ((found[n].origin.file, found[n].origin.line) for n in range(at, len(found)))
            place = next((at + n for n, line in enumerate(lines) if line >= (origin.file, origin.line)), at)
            function = found[min(place, len(found) - 1)].function if found else ""
        else:
            place, function = behind, found[behind - 1].function
        found[place:place] = [_input_step(origin, function, cell) for cell in cells]
        at = place + len(cells) if cells else at
    return tuple(found)


def _input_step(origin: Origin, function: str, cell: tuple[str, str]) -> TraceStep:
    """The step that shows the contents of a cell as an input."""
    return TraceStep(origin, function, "input", " = ".join(cell), (cell,))


def _own_cells(program: ir.Program, edge: ir.Edge, value: ObjectValue) -> list[tuple[str, str]]:
    """The names of the cells that a run reads of an object that an edge begins, with their values."""
    operation = edge.operation
    read = [(bits, entry) for bits, entry in sorted(value.entries.items()) if bits in value.kinds]
    if isinstance(operation, ir.Declare):
        name, kind = operation.variable.name, operation.variable.type
        return [(f"{name}{_path(program, kind, bits)}", str(entry)) for bits, entry in read] if "$" not in name else []
    if not isinstance(operation, ir.Allocate) or not read:
        return []
    block = f"{BLOCK}@{edge.origin.line}"
    widths = {_bits(program, value.kinds[bits]) for bits, _ in read}
    width = max(widths)
    if all(bits % width == 0 for bits, _ in read) and len(widths) == 1:
        return [(f"{block}[{bits // width}]", str(entry)) for bits, entry in read]
    return [(f"{block} at byte {bits // 8}", str(entry)) for bits, entry in read]


def _with_harness_objects(
    program: ir.Program, harness: ir.HarnessCode, trace: Sequence[TraceStep], made: Sequence[InputStep]
) -> tuple[TraceStep, ...]:
    """The trace with the contents of the objects of a generated harness in front of the call of the function."""
    steps: list[TraceStep] = []
    for step in made:
        if isinstance(step.edge.operation, ir.Allocate) and isinstance(step.value, ObjectValue):
            origin = step.edge.origin
            cells = _cells(program, harness, origin.line, step.value)[:IN_A_LIST]
            steps += [_input_step(origin, harness.function, cell) for cell in cells]
    begin = {harness.function, program.initialise}
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
    pointer = _PREFIX.sub("", _as_reached(lines, found[1]))
    return [
        (_name(program, pointer, target, bits), str(entry))
        for bits, entry in sorted(value.entries.items())
        if bits in value.kinds
    ]


def _as_reached(lines: Sequence[str], pointer: str) -> str:
    """A pointer to an object as the function reaches it: by the lvalue that may be linked to the object."""
    links = (_LINK.match(line) for line in lines)
    linked = {link[2]: link[1] for link in links if link is not None}
    while (variable := pointer.partition("->")[0]) in linked:
        pointer = linked.pop(variable) + pointer[len(variable) :]
    return pointer


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
