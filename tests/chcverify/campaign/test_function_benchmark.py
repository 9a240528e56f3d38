"""The benchmark of single functions: its list, its figures, and two of its functions, which are settled."""

from dataclasses import replace
from pathlib import Path

from benchmarks.functions.__main__ import HERE, Function, Result, functions, measured, summary

LISTED = functions(HERE / "functions.csv")


def test_the_list_names_functions_of_its_files() -> None:
    assert len(LISTED) >= 40 and len({function.name for function in LISTED}) == len(LISTED)
    for function in LISTED:
        assert f"{function.name}(" in Path(HERE, function.file).read_text()
        assert function.holds is not None


def test_what_is_expected_of_two_functions() -> None:
    by_name = {function.name: function for function in LISTED}
    good = measured(by_name["ring_put"], HERE, timeout=600)
    assert good.is_whole and good.violated == 0 and good.checks == good.proved + good.not_reached > 0
    bad = measured(by_name["list_second"], HERE, timeout=600)
    assert bad.is_whole and bad.violated == 1 and not bad.is_contradiction


def test_figures() -> None:
    result = Result(Function("a.c", "f", (), True), checks=8, proved=5, not_reached=1, violated=0, unknown=2, seconds=3)
    wrong = replace(result, function=replace(result.function, holds=False), proved=7, unknown=0, seconds=1)
    assert not result.is_contradiction and not result.is_whole
    assert wrong.is_contradiction and wrong.is_whole, "all hold, where the list has a violated one"
    assert replace(result, violated=1).is_contradiction
    assert "2 functions, 16 checks, settled 88 %, settled whole 1; 4.0 s" in summary([result, wrong])
