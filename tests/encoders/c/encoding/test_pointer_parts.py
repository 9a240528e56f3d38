"""Pointers in memory of bytes: each comes back as it was stored, and nothing else is read as one."""

import itertools
from types import SimpleNamespace

import pytest
import z3

from encoders.c.analysis.machine_intervals import UNBOUNDED
from encoders.c.analysis.storage import NULL, OBJECT_STRIDE, UNKNOWN
from encoders.c.encoding.bitvector_integers import BitVectors
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding
from encoders.c.encoding.linear_integers import LinearIntegers
from encoders.c.encoding.memory import byte_memory
from encoders.c.types.c_types import INT, CFunction, CPointer

DATA, FUNCTION = CPointer(INT), CPointer(CFunction(INT, (), False))
ADDRESSES = (0, 1, 7, 255, 256, OBJECT_STRIDE, 3 * OBJECT_STRIDE + 12345, NULL, NULL + 4, NULL - 8, UNKNOWN - 9)
THEORIES = (LinearIntegers(), BitVectors())


def translator(theory: IntegerEncoding) -> SimpleNamespace:
    sizes = SimpleNamespace(of=lambda kind: 64)
    memory = SimpleNamespace(points_to=SimpleNamespace(regions=SimpleNamespace(sizes=sizes)))
    return SimpleNamespace(memory=memory, theory=theory)


def stored(theory: IntegerEncoding, kind: CPointer, address: int, is_constant: bool) -> list[z3.ExprRef]:
    value = theory.address(address)
    if not is_constant:
        value = BoundedTerm(value.term, UNBOUNDED)
    return [z3.simplify(term) for term in byte_memory._pointer_parts(translator(theory), kind, value)]  # type: ignore[arg-type]


def loaded(theory: IntegerEncoding, kind: CPointer, cells: list[z3.ExprRef]) -> tuple[int, bool]:
    """The address, and whether the read is a trap."""
    parts = [BoundedTerm(cell, UNBOUNDED) for cell in cells]
    value, trap = byte_memory._pointer(translator(theory), kind, parts)  # type: ignore[arg-type]
    assert trap is not None
    return theory.address_number(z3.simplify(value.term)), z3.is_true(z3.simplify(trap))


@pytest.mark.parametrize("theory", THEORIES, ids=lambda theory: theory.name)
@pytest.mark.parametrize("kind", [DATA, FUNCTION], ids=["data", "function"])
def test_a_pointer_comes_back_as_it_was_stored(theory: IntegerEncoding, kind: CPointer) -> None:
    other = FUNCTION if kind is DATA else DATA
    for address, is_constant in itertools.product(ADDRESSES, (True, False)):
        cells = stored(theory, kind, address, is_constant)
        assert loaded(theory, kind, cells) == (address, False)
        assert loaded(theory, other, cells)[1] is (address != NULL)


@pytest.mark.parametrize("theory", THEORIES, ids=lambda theory: theory.name)
def test_parts_of_different_pointers_differ_and_are_no_bytes(theory: IntegerEncoding) -> None:
    addresses = [address for address in ADDRESSES if address != NULL]
    cells = [cell for kind in (DATA, FUNCTION) for address in addresses for cell in stored(theory, kind, address, True)]
    assert len({cell.get_id() for cell in cells}) == len(cells) == 16 * len(addresses)
    numbers = [cell.as_signed_long() if z3.is_bv(cell) else cell.as_long() for cell in cells]
    assert not any(0 <= number < 256 for number in numbers)


@pytest.mark.parametrize("theory", THEORIES, ids=lambda theory: theory.name)
def test_a_pointer_with_a_part_of_another_is_none(theory: IntegerEncoding) -> None:
    one, two = (stored(theory, DATA, address, True) for address in (0, 8))
    zero = stored(theory, DATA, NULL, True)
    for i, other in itertools.product(range(8), (two, zero)):
        mixed = [*one[:i], other[i], *one[i + 1 :]]
        assert loaded(theory, DATA, mixed)[1]
        assert loaded(theory, DATA, [one[(i + k + 1) % 8] for k in range(8)])[1] is (i != 7)


def test_the_bytes_of_cells_are_those_of_no_pointer() -> None:
    parts = [cell.as_long() for cell in stored(LinearIntegers(), DATA, OBJECT_STRIDE, True)]
    cells = {8 * i: part for i, part in enumerate(parts)} | {64: 7, 72: parts[3], 80: -300}
    assert dict(byte_memory.bytes_of(cells, {parts[3]: 11}.get)) == {64: 7, 72: 11}
