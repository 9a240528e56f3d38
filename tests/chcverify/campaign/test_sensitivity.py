"""The sensitivity of constants: the number that is changed, and a whole comparison of one program."""

import pytest

from benchmarks.sensitivity.__main__ import PACKAGES, ROOT, main, module_of, multiplied

SOURCE = "class A:\n    x: int = 1 << 3  # bits\n    y = 0.5\n\n\nLIMIT = 5\n"


def test_the_number_of_that_name_is_multiplied() -> None:
    assert multiplied(SOURCE, ["A", "x"], 2) == (SOURCE.replace("1 << 3", "16"), 16)
    assert multiplied(SOURCE, ["A", "y"], 0.5) == (SOURCE.replace("0.5", "0.25"), 0.25)
    assert multiplied(SOURCE, ["LIMIT"], 0.1) == (SOURCE.replace("LIMIT = 5", "LIMIT = 1"), 1)
    with pytest.raises(ValueError, match=r"A\.z"):
        multiplied(SOURCE, ["A", "z"], 2)


def test_names_of_modules() -> None:
    path, rest = module_of("solvers.abstract_interpretation.domains.budget.Budget.generators")
    assert rest == ["Budget", "generators"] and path.name == "budget.py" and path.parts[0] in PACKAGES


def test_one_program_with_three_values(capsys: pytest.CaptureFixture[str]) -> None:
    program = str(ROOT / "benchmarks" / "one_loop" / "even.yml")
    assert main(["chcverify.effort.MAX_COMPARED", program, "--timeout", "300"]) == 0
    printed = capsys.readouterr().out
    assert all(value in printed for value in ("50 (x1)", "25 (x0.5)", "100 (x2)"))
    assert main(["chcverify.effort.NOTHING", program]) == 2
