"""Wrong rules of the encoder are noticed: a few here, all with `python -m tests.differential.mutants --jobs N`."""

from pathlib import Path

import pytest

import encoders.c

from .mutant_table import MUTANTS
from .mutants import notice
from .mutations import Mutant, mutated
from .native import GCC

ENCODER = Path(encoders.c.__file__).parent
FEW = (
    "unsigned loses against signed",
    "no padding at the end of records",
    "bit-fields are unsigned",
    "bit-vectors: < is signed",
    "strlen counts the zero",
)


def fits(mutant: Mutant) -> bool:
    name = mutant.module if mutant.module.endswith(".c") else mutant.module.replace(".", "/") + ".py"
    try:
        mutated((ENCODER / name).read_text(encoding="utf-8"), mutant)
    except (LookupError, OSError):
        return False
    return True


def test_the_table_fits_the_encoder() -> None:
    """Where a rule was rewritten, its mutant has to be as well."""
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 40
    assert [mutant.name for mutant in MUTANTS if not fits(mutant)] == []


@pytest.mark.skipif(GCC is None, reason="needs gcc")
@pytest.mark.parametrize("name", FEW)
def test_a_wrong_rule_is_noticed(name: str) -> None:
    (mutant,) = (mutant for mutant in MUTANTS if mutant.name == name)
    noticed = notice(mutant, count=24)
    assert noticed.program, noticed.broken
