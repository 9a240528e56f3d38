"""Decides whether a run violates a check of memory, on its real objects.

An access is checked in this order: through a null or invalid pointer, to an object whose lifetime is over, outside of
the object. Pointers made from numbers, and objects whose size is not known, are not decided: the run is stuck there.
"""

from collections.abc import Callable, Iterable

from chcverify.horn.origin import Origin
from chcverify.results.checks import MEMORY_SAFETY, Check, CheckKind
from chcverify.results.violation import ObjectDescription, Storage, Violation
from encoders.c.cfa import ir
from encoders.c.cfa.type_sizes import Sizes
from encoders.c.execution.memory.references import References
from encoders.c.execution.objects import (
    NULL_POINTER,
    UNKNOWN_POINTER,
    CValue,
    ExecutionStuck,
    FunctionPointer,
    Lifetime,
    NumberPointer,
    Object,
    Pointer,
)
from encoders.c.library.model_files import GIVEN_OBJECTS, STRING_PREFIX
from encoders.c.types.c_types import CArray, CRecord

CHECKED = MEMORY_SAFETY | {CheckKind.CLEANUP, CheckKind.UNINITIALISED}


def follows_memory(program: ir.Program) -> bool:
    """True if the program has operations that record when objects begin and end: memory is checked now, or was.

    A program whose memory checks are decided in another run (`assuming`, `beyond_loss`) still has these operations.
    """
    if program.checks & CHECKED:
        return True
    edges = (edge for function in program.functions.values() for edge in function.edges)
    return any(isinstance(edge.operation, ir.MemoryCheck) for edge in edges)


class ViolationReached(Exception):
    """The run violates a check at the edge that is executed."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(str(violation))
        self.violation = violation


class MemoryChecks:
    """The lifetimes of a run's objects, and the checks of them.

    asked: the kinds of checks that the program has. edge: returns the edge that is executed now, in the user's source.
    references: None if lost blocks are no violation. blocks: the living ones that the program allocated, in their
    order. escaped: those that functions without a body may have pointers to.
    """

    def __init__(self, asked: frozenset[CheckKind], sizes: Sizes, edge: Callable[[], ir.Edge | None]) -> None:
        self.asked, self.sizes, self.edge = asked, sizes, edge
        self.references = References() if CheckKind.LEAK in asked else None
        self.allocations = 0
        self.blocks: dict[Object, None] = {}
        self.escaped: dict[Object, None] = {}

    # --- lifetimes --------------------------------------------------------------------------------------------------

    def begin_variable(self, made: Object, variable: ir.Variable, elements: int | None = None) -> None:
        """Begins the lifetime of a variable's object. elements: of an array of variable length."""
        size = self.sizes.extent(variable.type)
        if elements is not None and isinstance(variable.type, CArray):
            size = elements * self.sizes.of(variable.type.element)
        elif size is None and variable.function is not None and isinstance(variable.type, CRecord):
            size = self.sizes.of(variable.type)  # no initialiser gives an automatic one elements behind its end
        storage = Storage.STACK
        if variable.function is None:
            is_string = variable.constant and variable.unique.startswith(STRING_PREFIX)
            storage = Storage.STRING if is_string else Storage.STATIC
        made.lifetime = Lifetime(storage, size, variable.origin)

    def begin_block(self, made: Object, size: int, on_stack: bool, function: str) -> None:
        """Begins the lifetime of an allocated block of `size` bytes. function: that allocates it."""
        storage = Storage.STACK if on_stack else Storage.HEAP
        if function in GIVEN_OBJECTS:  # argv and the environment belong to nobody's allocations
            storage = Storage.STATIC
        self.allocations += 1
        made.lifetime = Lifetime(storage, 8 * size, self._origin(), number=self.allocations)
        if storage is Storage.HEAP:
            self.blocks[made] = None

    def end(self, made: Object) -> None:
        """Ends the lifetime of an object."""
        lifetime = made.lifetime
        if lifetime is None or not lifetime.is_alive:
            return
        lifetime.is_alive, lifetime.ended = False, self._origin()
        made.has_ended = True
        self.blocks.pop(made, None)
        self.forget(made)

    def redeclared(
        self, old: Object | None, made: Object, variable: ir.Variable, elements: int | None
    ) -> Object | None:
        """The object that a declaration passes again without the end of its block; None if `made` is a new one.

        old: of the variable until now, if any. elements: of an array of variable length, which always is a new object.
        """
        if old is not None and elements is None:
            self.forget(old)
            return old
        if old is not None:
            self.end(old)
        self.begin_variable(made, variable, elements)
        return None

    def forget(self, made: Object) -> None:
        """The object's contents are gone."""
        if self.references is not None:
            self.references.forget(made)

    def escape(self, reached: Iterable[Object]) -> None:
        """Functions without a body have pointers to the objects from now on, and may release them."""
        for made in reached:
            if made in self.blocks:
                self.escaped[made] = None
                if self.references is not None:
                    self.references.escaped[made] = None

    # --- checks -----------------------------------------------------------------------------------------------------

    def access(self, pointer: CValue, width: int, counts_none: bool = False) -> None:
        """Checks an access of `width` bits through a pointer. counts_none: of no bits, too."""
        failure = None if width == 0 and not counts_none else self._failure(pointer, width)
        if failure is not None:
            self.violate(*failure)

    def claim(self, pointer: CValue, width: int, holds: bool) -> None:
        """Goes on only where an access of `width` bits is valid, or, without `holds`, where it is not.

        Raises ExecutionStuck elsewhere."""
        if (self._failure(pointer, width) is None) != holds:
            raise ExecutionStuck(f"{self._origin()}: whether the memory can be accessed is known, and is not that")

    def _failure(self, pointer: CValue, width: int) -> tuple[CheckKind, str, ObjectDescription | None] | None:
        """The violation that an access would be; None if it is valid."""
        if isinstance(pointer, FunctionPointer):
            raise ExecutionStuck(f"{self._origin()}: a function is no object")
        if isinstance(pointer, NumberPointer):
            raise ExecutionStuck(f"{self._origin()}: access through a pointer made from a number is not modelled")
        assert isinstance(pointer, Pointer)
        target = pointer.target
        if target is None:
            which = "a null" if pointer == NULL_POINTER else "an invalid"
            return CheckKind.NULL, f"access through {which} pointer", None
        lifetime = self._lifetime(target)
        if not lifetime.is_alive:
            how = "after it was freed" if lifetime.is_heap else "after its lifetime has ended"
            return CheckKind.LIFETIME, f"access to an object {how}", target.description()
        size, offset = lifetime.size, pointer.offset
        if size is None:
            raise ExecutionStuck(f"{self._origin()}: the size of {target.name} is not known")
        if offset < 0 or offset + width > size:
            count, first = -(-width // 8), offset // 8
            what = f"access to {count} byte{'s' * (count != 1)} at offset {first} of {size // 8} bytes"
            return CheckKind.BOUNDS, what, target.description()
        return None

    def _lifetime(self, target: Object) -> Lifetime:
        if target.lifetime is None:
            raise ExecutionStuck(f"{self._origin()}: the lifetime of {target.name} is not known")
        return target.lifetime

    def written(self, target: Object | None, offset: int, width: int) -> None:
        """Checks that the bits of an object that are read next were written. Reads elsewhere are not decided."""
        if target is None:
            raise ExecutionStuck(f"{self._origin()}: access through an invalid pointer")
        lifetime = self._lifetime(target)
        if not lifetime.is_alive or lifetime.size is None or not 0 <= offset <= lifetime.size - width:
            raise ExecutionStuck(
                f"{self._origin()}: access outside of {target.name or 'a block'}, or after its lifetime"
            )
        if target.written is not None and not target.written.holds(offset, width):
            count = -(-width // 8)
            what = f"read of {count} byte{'s' * (count != 1)}, at offset {offset // 8}, that nobody wrote"
            self.violate(CheckKind.UNINITIALISED, what, target.description())

    def release(self, pointer: CValue) -> None:
        """Executes `free(pointer)`."""
        if pointer == NULL_POINTER:
            return
        if isinstance(pointer, NumberPointer):
            raise ExecutionStuck(f"{self._origin()}: free of a pointer made from a number is not modelled")
        if pointer is UNKNOWN_POINTER:
            raise ExecutionStuck(f"{self._origin()}: free of a pointer that a function without a body has made")
        if not isinstance(pointer, Pointer) or pointer.target is None:
            self._bad_release("free of an invalid pointer", None)
            return
        target, lifetime = pointer.target, self._lifetime(pointer.target)
        if not lifetime.is_heap:
            self._bad_release("free of what no allocation returned", target)
        elif not lifetime.is_alive:
            self._bad_release("free of a block that was freed before", target)
        elif pointer.offset != 0:
            self._bad_release(f"free of a pointer {pointer.offset // 8} bytes behind the begin of its block", target)
        else:
            self.end(target)

    def _bad_release(self, what: str, target: Object | None) -> None:
        self.violate(CheckKind.FREE, what, None if target is None else target.description())
        raise ExecutionStuck(f"{self._origin()}: {what}")  # nobody asked for it, and nothing defines what follows

    def check_blocks(self, leaves_main: bool) -> None:
        """Checks that no block lives at the end of the program. Whether one may live where the program ends in a call
        of exit or abort is not decided."""
        block = next((block for block in self.blocks if block not in self.escaped), None)
        if self.blocks and not leaves_main and CheckKind.CLEANUP in self.asked:
            raise ExecutionStuck("whether a block may live when exit or abort is called is not decided")
        if block is not None:
            self.violate(CheckKind.CLEANUP, "the program ends while a block lives", block.description())
        elif self.blocks and CheckKind.CLEANUP in self.asked:
            raise ExecutionStuck("whether a function without a body releases a block is not known")

    def check_lost(self) -> None:
        """Checks that each block that a pointer to was dropped is still reachable."""
        if self.references is None or not self.references.dropped:
            return
        block = self.references.lost()
        if block is not None:
            self.violate(CheckKind.LEAK, "no pointer leads to a block any more", block.description())

    def violate(self, kind: CheckKind, what: str, about: ObjectDescription | None = None) -> None:
        """Raises ViolationReached, if violations of this kind are asked for."""
        if kind in self.asked:
            edge = self.edge()
            text = "" if edge is None else edge.text
            raise ViolationReached(Violation(Check(self._origin(), kind, text), what, about))

    def _origin(self) -> Origin:
        edge = self.edge()
        return Origin("", 0) if edge is None else edge.origin
