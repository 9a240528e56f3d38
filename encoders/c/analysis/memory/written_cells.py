"""State that says which cells of memory were written: a cell beside each cell of what may not have been.

Static objects, arguments, and what calloc returns are written from the start. A cell of records and bytes that are
copied is written afterwards if it was where it came from. Where bit-fields lie in bytes, each bit of a byte counts.
"""

from collections.abc import Iterable, Iterator

from chcverify.results.checks import CheckKind
from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.regions import Region, find, top_of
from encoders.c.analysis.storage import Memory, ScalarStorage, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import begins_unwritten, copied, is_copy
from encoders.c.cfa.expression_walk import postorder, roots
from encoders.c.cfa.inlining import Enter, FlatEdge, FlatProgram, InlineFrame, Leave
from encoders.c.library.model_files import GIVEN_OBJECTS
from encoders.c.types.c_types import BOOL, UCHAR, CInteger, CRecord

ALL_BITS = 255  # of a byte, all written


def is_masked(beside: StateVariable) -> bool:
    """True for a variable beside bytes that says of each bit if it was written."""
    return beside.type == UCHAR


class WrittenCells:
    """The storage beside that of the program's objects; none where no such check is asked for."""

    def __init__(self, memory: Memory, flat: FlatProgram) -> None:
        self.memory = memory
        self.asked = CheckKind.UNINITIALISED in flat.program.checks
        self._open: dict[Region, None] = {}  # the top regions where something may not have been written
        self._masked: set[Region] = set()  # bytes where bit-fields lie
        self._beside: dict[ScalarStorage, ScalarStorage] = {}
        self._variables: dict[StateVariable, StateVariable | None] = {}
        self._made: dict[StateVariable, StateVariable] = {}  # those that were made, with those that they are beside
        if self.asked:
            self._find(flat)

    def of(self, leaf: ScalarStorage) -> ScalarStorage | None:
        """The storage beside a leaf; None if all of it is written."""
        if not self.asked or top_of(leaf.region) not in self._open:
            return None
        if leaf not in self._beside:
            kind = UCHAR if find(leaf.region) in self._masked else BOOL
            cells = {address: self._beside_of(variable, kind) for address, variable in leaf.cells.items()}
            array = None if leaf.array is None else self._beside_of(leaf.array, kind)
            self._beside[leaf] = ScalarStorage(leaf.region, kind, cells, array)
        return self._beside[leaf]

    def beside(self, variables: Iterable[StateVariable]) -> Iterator[StateVariable]:
        """The state variables beside some; those that have none are left out."""
        for variable in variables if self.asked else ():
            if variable not in self._variables:
                leaf = self.memory.leaf_of(variable)
                if leaf is None or self.of(leaf) is None:
                    self._variables[variable] = None
            made = self._variables[variable]
            if made is not None:
                yield made

    def behind(self, variable: StateVariable) -> StateVariable | None:
        """The state variable that a variable is beside of; None for all that say nothing about what was written."""
        return self._made.get(variable)

    def _beside_of(self, variable: StateVariable, kind: CInteger) -> StateVariable:
        made = self.memory.add_beside(variable, f"{variable.name} is written", kind)
        self._variables[variable], self._made[made] = made, variable
        return made

    # --- what may not have been written -----------------------------------------------------------------------------

    def _find(self, flat: FlatProgram) -> None:
        copies: list[tuple[Region, Region]] = []
        for edge in flat.edges():
            self._edge(edge, copies, flat)
            self._note_bit_fields(edge)
        changed = True
        while changed:
            changed = False
            for into, source in copies:
                if top_of(source) in self._open and top_of(into) not in self._open:
                    self._open[top_of(into)] = None
                    changed = True

    def _edge(self, edge: FlatEdge, copies: list[tuple[Region, Region]], flat: FlatProgram) -> None:
        points_to, frame = self.memory.points_to, edge.frame
        match edge.operation:
            case ir.Declare(variable=variable) if begins_unwritten(variable):
                self._open[top_of(points_to.regions.of_slot(slot_of(variable, frame)))] = None
            case ir.Allocate(lvalue=lvalue, cleared=cleared) if frame.function.name not in GIVEN_OBJECTS:
                node = points_to.regions.pointee(points_to.region_of(lvalue, frame))
                if not cleared or self.memory.may_grow(node):
                    self._open[top_of(node)] = None
            case ir.Assign(lvalue=lvalue, value=value) if is_copy(edge.operation):
                source = copied(value)
                assert source is not None
                copies.append((points_to.region_of(lvalue, frame), points_to.region_of(source, frame)))
            case Enter(callee=callee, arguments=arguments):
                copies += self._arguments(callee, arguments, frame)
            case ir.Call(function=name, lvalue=lvalue, arguments=arguments):
                callee = flat.functions[name].root
                copies += [*self._arguments(callee, arguments, frame), *self._result(callee, lvalue, frame)]
            case Leave(callee=callee, lvalue=lvalue):
                copies += self._result(callee, lvalue, frame)
            case _:
                pass

    def _note_bit_fields(self, edge: FlatEdge) -> None:
        """The bytes where the bit-fields of an edge lie."""
        for node in postorder(*roots(edge.operation)):
            if isinstance(node, ir.FieldLValue) and node.field.bit_offset is not None:
                region = self.memory.points_to.region_of(node, edge.frame)
                if region.bytes:
                    self._masked.add(find(region))

    def _arguments(
        self, callee: InlineFrame, arguments: tuple[ir.Expression, ...], frame: InlineFrame
    ) -> Iterator[tuple[Region, Region]]:
        points_to = self.memory.points_to
        for parameter, argument in zip(callee.function.parameters, arguments, strict=True):
            if isinstance(parameter.type, CRecord) and isinstance(argument, ir.Load):
                own = points_to.regions.of_slot(slot_of(parameter, callee))
                yield own, points_to.region_of(argument.lvalue, frame)

    def _result(
        self, callee: InlineFrame, lvalue: ir.LValue | None, frame: InlineFrame
    ) -> Iterator[tuple[Region, Region]]:
        points_to, result = self.memory.points_to, callee.function.result
        if lvalue is not None and result is not None:
            yield points_to.region_of(lvalue, frame), points_to.regions.of_slot(slot_of(result, callee))
