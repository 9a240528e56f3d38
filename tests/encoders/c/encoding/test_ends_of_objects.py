"""Which comparisons of pointers into two objects may find the end of the one at the start of the other."""

from encoders.c.analysis.storage import OBJECT_STRIDE, UNKNOWN
from encoders.c.encoding.encoder import Encoding, encode
from encoders.c.encoding.memory.ends_of_objects import may_meet
from encoders.c.encoding.memory.unknown_pointers import is_unknown
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64


def encoding(statement: str) -> Encoding:
    text = (
        f"int a[2], b[2]; void use(int *, int *); int main(void) {{ int *p = a, *q = b; {statement} return *p + *q; }}"
    )
    return encode(load_source(text, "a.c", LP64, "unreach-call"), "unreach-call")


def meets(statement: str, one: int, two: int) -> bool:
    """May a + one and b + two be equal, in bytes from the start of the arrays?"""
    found = encoding(statement)
    regions = {slot.variable.name: region for slot, region in found.memory.points_to.regions.slots()}
    pair = regions["a"], regions["b"]
    starts = [OBJECT_STRIDE * found.memory.scale(region) for region in pair]
    addresses = tuple(
        found.theory.address(number * start + offset)
        for number, (start, offset) in enumerate(zip(starts, (one, two), strict=True), 1)
    )
    return may_meet(found.memory, pair, addresses)  # type: ignore[arg-type]


def test_starts_of_two_objects_are_different() -> None:
    assert not meets("", 0, 0)


def test_a_pointer_behind_the_start_may_be_the_end_of_its_object() -> None:
    assert meets("p++;", 4, 0)


def test_an_address_of_the_program_is_not_unknown() -> None:
    found = encoding("")
    region = next(region for slot, region in found.memory.points_to.regions.slots() if slot.variable.name == "a")
    assert is_unknown(found.memory, found.theory, region, found.theory.address(UNKNOWN)) is None
