"""Random calls of the library's models against the real functions: a sample (library_calls.py runs more)."""

import pytest

from encoders.c.lowering.calls import library_models
from encoders.c.types.c_types import LP64

from .library_calls import NOT_COMPARED, SPECS, differences, program
from .native import runs

needs_gcc = pytest.mark.skipif(not runs(LP64), reason="needs gcc")
OPERATIONS = {"sqrt", "sqrtf", "sprintf", "snprintf"}  # modelled without a body


def test_every_model_is_compared() -> None:
    compared = {name.partition("#")[0] for name in SPECS}
    assert compared | NOT_COMPARED == set(library_models.index()) | OPERATIONS
    assert not compared & NOT_COMPARED


@needs_gcc
@pytest.mark.parametrize("seed", range(4))
def test_random_calls(seed: int) -> None:
    assert differences(program(seed), follow=False) == []


@needs_gcc
def test_the_clauses_follow() -> None:
    assert (
        differences(program(1, ["strtol", "strncpy", "memchr", "abs", "__builtin_clz", "isalpha"]), follow=True) == []
    )
