"""The problem of an implementation: its queries, and answers about them."""

import time
from pathlib import Path

import pytest

from chcverify.certificate.kernel.policy import certify
from chcverify.problems.boogie_problem import (
    BoogieProblem,
    load_boogie_program,
    solved_query,
    stated_model,
)
from chcverify.problems.protocol import Refused
from chcverify.results.result import Safe, Unsafe
from chcverify.task import Task

TEXT = """
procedure P(n: int) requires n >= 0;
{
  assert n > 0;
  assert n >= 1;
}
procedure L(n: int) requires n >= 0;
{
  var i: int;
  i := 0;
  while (i < n) invariant i <= n; { i := i + 1; }
  assert i == n;
}
procedure T<a>(x: a) { assert x != 0; }
"""


@pytest.fixture
def task(tmp_path: Path) -> Task:
    path = tmp_path / "p.bpl"
    path.write_text(TEXT)
    return Task(str(path), "boogie", "assertion")


def test_a_violated_query_is_replayed_and_a_proved_one_certified(task: Task) -> None:
    program = load_boogie_program(task)
    encoded = program.encoded(program.implementations[0])
    until = time.monotonic() + 60
    answers = []
    for check in encoded.checks:
        problem = BoogieProblem.of(encoded, frozenset({check}))
        answer = solved_query(problem, until)
        answers.append(answer)
        if isinstance(answer, Unsafe):
            assert problem.violated(problem.replay(answer.derivation, until)) == check
            assert problem.trace(answer.derivation, until)[-1].kind == "violation"
        else:
            assert isinstance(answer, Safe)
            assert certify(problem.system, answer.model, until, "off").accepted
    assert [type(answer) for answer in answers] == [Unsafe, Safe]
    assert program.described(encoded.checks[0]).text == "P: assert n > 0;"


def test_what_the_program_states_is_a_model_of_its_loop(task: Task) -> None:
    program = load_boogie_program(task)
    encoded = program.encoded(program.implementations[1])
    until = time.monotonic() + 60
    assert certify(encoded.system, stated_model(encoded, until), until, "off").accepted


def test_what_has_no_clauses_is_refused_with_its_name(task: Task) -> None:
    program = load_boogie_program(task)
    with pytest.raises(Refused, match="comparison of values of the types 0 of T and int"):
        program.encoded(program.implementations[2])
