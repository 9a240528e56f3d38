"""Which addresses may be those of pointers that functions without a body have made."""

from encoders.c.analysis.storage import UNKNOWN
from encoders.c.encoding.encoder import encode
from encoders.c.encoding.memory.unknown_pointers import is_unknown
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

TEXT = "int a[2], b[2]; void use(int *, int *); int main(void) { int *p = a, *q = b; return *p + *q; }"


def test_an_address_of_the_program_is_not_unknown() -> None:
    found = encode(load_source(TEXT, "a.c", LP64, "unreach-call"), "unreach-call")
    region = next(region for slot, region in found.memory.points_to.regions.slots() if slot.variable.name == "a")
    assert is_unknown(found.memory, found.theory, region, found.theory.address(UNKNOWN)) is None
