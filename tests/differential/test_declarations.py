"""A few hundred random declarations; any number with `python -m tests.differential.declarations --count N`."""

import pytest

from encoders.c.types.c_types import ILP32, LP64, DataModel

from .declarations import compare, generated
from .native import GCC
from .program_layouts import compare as compare_program

HEADERS = "#include <sys/stat.h>\n#include <netinet/in.h>\n#include <signal.h>\n"


@pytest.mark.skipif(GCC is None, reason="needs gcc")
@pytest.mark.parametrize("model", [LP64, ILP32], ids=["LP64", "ILP32"])
@pytest.mark.parametrize("start", [1, 100_001])
def test_declarations_as_gcc(start: int, model: DataModel) -> None:
    assert compare(generated(start, 100, model), model) == []


@pytest.mark.skipif(GCC is None, reason="needs gcc")
def test_headers_as_gcc() -> None:
    assert compare_program(HEADERS, "headers.c", LP64) == []
