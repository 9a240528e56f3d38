"""The header with contracts: clauses that are proved, comments about what they do not exclude."""

from chcverify.explain.contract_header import PublicFunction, contract_header
from chcverify.horn.origin import Origin
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict, ViolationClass
from chcverify.results.entry_function import EntryFunction
from chcverify.results.outcome import Outcome
from chcverify.results.precondition import Precondition


def text(status: CheckStatus, meets: ViolationClass, precondition: Precondition | None) -> str:
    """The header of one function with one check."""
    verdict = CheckVerdict(Check(Origin("lib/a.c", 3, 1), CheckKind.BOUNDS, "a[i] /* */"), status, meets=meets)
    outcome = Outcome("unsafe", "false(valid-deref)", checks=(verdict,), precondition=precondition)
    function = PublicFunction(EntryFunction("f", "lib/a.c", 3), "int f(struct v *a, int i);", outcome)
    source = '#include "a.h"\n#include <stddef.h>\n#include "table.inc"\n'
    return contract_header([function], {"lib/a.c": source}, "out/a.contracts.h")


def test_a_proved_clause_stands_in_front_of_its_function() -> None:
    found = text(CheckStatus.VIOLATED, ViolationClass.LATENT, Precondition(("i >= 0", "i < 8"), True))
    assert "/*@ requires 0 <= i < 8; */\nint f(struct v *a, int i);\n" in found
    assert '#include "a.h"\n#include <stddef.h>\n' in found
    assert "table.inc" not in found
    assert "struct v;\n" in found
    assert "#ifndef A_CONTRACTS_H\n" in found


def test_what_is_not_proved_is_a_comment() -> None:
    found = text(CheckStatus.VIOLATED, ViolationClass.LATENT, Precondition(("i < 8",), False, "no time"))
    assert "/*@" not in found
    assert "not proved sufficient (no time): requires i < 8" in found
    found = text(CheckStatus.VIOLATED, ViolationClass.MANIFEST, None)
    assert "/* violated by calls that keep this: a.c:3: bounds: a[i] /* * / */" in found
    assert "no precondition is known" in text(CheckStatus.VIOLATED, ViolationClass.OPEN, None)
    assert "not decided: 1 of 1 checks" in text(CheckStatus.UNKNOWN, ViolationClass.OPEN, None)
    assert "nothing: its 1 checks hold in all calls" in text(CheckStatus.PROVED, ViolationClass.OPEN, None)
