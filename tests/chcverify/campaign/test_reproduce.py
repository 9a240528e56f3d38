"""The tables of benchmarks/reproduce, on imaginary runs."""

from campaign_examples import example_run, example_task

from benchmarks.reproduce.__main__ import evenly, tasks_of
from benchmarks.reproduce.papers import S0_TABLE_6, PaperColumn
from benchmarks.reproduce.questions import QUESTIONS
from benchmarks.reproduce.tables import combined_tables, order_text, program_table, solved_table
from chcverify.campaign.answers import ToolAnswer

ONE, TWO = example_task("const"), example_task("even")
PAPER = (PaperColumn("KI", 5, 10, 2.0), PaperColumn("KI<-DF", 8, 10))
RUNS = [
    example_run("kind", ONE, ToolAnswer.TRUE, 1.0, k=2),
    example_run("kind", TWO, ToolAnswer.TIMEOUT, 9.0),
    example_run("kind+df", ONE, ToolAnswer.TRUE, 3.0, k=1),
    example_run("kind+df", TWO, ToolAnswer.TRUE, 5.0, k=3),
]


def test_a_line_has_the_figures_of_here_and_of_the_paper() -> None:
    table = solved_table("x", RUNS, {"kind": "KI", "kind+df": "KI<-DF"}, PAPER)
    assert table.title == "x. Order as in the paper"
    assert table.body[0][:3] == ("kind", "1", "2") and table.body[0][-5:] == ("KI", "5", "10", "50 %", "2")
    assert table.body[1][6:11] == ("0", "4.0", "4.0", "3", "2.0")


def test_tasks_of_a_tool_are_left_out_or_alone() -> None:
    left_out = solved_table("x", RUNS, {}, PAPER, without="kind")
    assert [line[:3] for line in left_out.body] == [("kind+df", "1", "1")]
    alone = solved_table("x", RUNS, {}, PAPER, of="kind")
    assert [line[:3] for line in alone.body] == [("kind", "1", "1"), ("kind+df", "1", "1")]


def test_what_differs_is_named() -> None:
    paper = {column.name: column for column in PAPER}
    assert order_text({"KI": 3, "KI<-DF": 2}, paper).endswith("KI and KI<-DF the other way round")
    assert order_text({"KI": 2, "KI<-DF": 2}, paper).endswith("KI and KI<-DF equal here")


def test_programs_beside_the_cells_of_the_paper() -> None:
    table = program_table("x", RUNS, ("kind", "kind+df"), ("KI", "DF"), {"const": ("3.3", "T"), "even": ("T", "T")})
    assert table.body[0] == ("const", "1.0 (3.3)", "3.0 (T)") and table.body[1][1] == "timeout (T)"
    assert table.title == "x. 2 of 4 cells agree on solved or not; the others: const with kind+df, even with kind+df"
    assert all(len(cells) == 4 for cells in S0_TABLE_6.values())


def test_combined_and_split_case_side_by_side() -> None:
    runs = [example_run("combined", ONE, ToolAnswer.TRUE, 1.0, k=1), *RUNS]
    own, paper = combined_tables(runs)
    assert own.body[0] == ("const", "kind", "2", "1.00", "combined", "1", "1.00", "1.00")
    assert "without invariants 1 of 2 programs by the combined case, 1 by the split case" in own.title
    assert len(paper.body) == 9


def test_the_tasks_of_every_question_are_there() -> None:
    for question in QUESTIONS.values():
        tasks = tasks_of(question, (), 6)
        assert len(tasks) == 6 and len({task.key for task in tasks}) == 6
        assert all(task.expected for task in tasks) or not question.safe_only


def test_a_part_of_the_tasks_is_spread_over_all() -> None:
    tasks = [example_task(str(number)) for number in range(10)]
    assert [task.path for task in evenly(tasks, 3)] == [tasks[0].path, tasks[3].path, tasks[6].path]
    assert evenly(tasks, 20) == tasks
