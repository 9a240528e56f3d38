from collections import Counter
from pathlib import Path

import pytest
from campaign_examples import example_task

from chcverify.campaign.tasks import collect_tasks, stratified_sample
from chcverify.errors import InputError


def _task_file(folder: Path, name: str, prop: str, expected: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.c").write_text("int main(void) { return 0; }\n")
    formula = {"unreach-call": "LTL(G ! call(reach_error()))", "no-overflow": "LTL(G ! overflow)"}[prop]
    (folder / f"{prop}.prp").write_text(f"CHECK( init(main()), {formula} )\n")
    (folder / f"{name}.yml").write_text(
        f"format_version: '2.0'\ninput_files: {name}.c\nproperties:\n"
        f"  - property_file: {prop}.prp\n    expected_verdict: {expected}\noptions:\n  data_model: ILP32\n"
    )


def _fail(error: InputError) -> None:
    raise error


def test_task_definitions_of_a_directory_with_category_and_verdict(tmp_path: Path) -> None:
    _task_file(tmp_path / "loops", "one", "unreach-call", "true")
    _task_file(tmp_path / "arrays", "two", "unreach-call", "false")
    tasks = collect_tasks([str(tmp_path)], None, _fail)
    assert [(task.category, task.expected, task.data_model) for task in tasks] == [
        ("arrays", False, "ILP32"),
        ("loops", True, "ILP32"),
    ]


def test_only_tasks_with_the_wanted_property(tmp_path: Path) -> None:
    _task_file(tmp_path, "one", "unreach-call", "true")
    _task_file(tmp_path, "two", "no-overflow", "true")
    tasks = collect_tasks([str(tmp_path)], "no-overflow", _fail)
    assert [Path(task.path).stem for task in tasks] == ["two"]


def test_sets_are_patterns_relative_to_their_file_and_no_task_counts_twice(tmp_path: Path) -> None:
    _task_file(tmp_path / "loops", "one", "unreach-call", "true")
    _task_file(tmp_path / "loops", "two", "unreach-call", "true")
    (tmp_path / "all.set").write_text("# all loops\nloops/*.yml\n")
    tasks = collect_tasks([str(tmp_path / "all.set"), str(tmp_path / "loops" / "one.yml")], None, _fail)
    assert [Path(task.path).stem for task in tasks] == ["one", "two"]


def test_a_pattern_without_a_file_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "all.set").write_text("\nmissing/*.yml\n")
    with pytest.raises(InputError, match=r"all\.set:2:1: no file matches missing/\*\.yml"):
        collect_tasks([str(tmp_path / "all.set")], None, _fail)


def test_plain_files_are_tasks_without_expected_verdict(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "s.smt2").write_text("(set-logic HORN)\n(check-sat)\n")
    tasks = collect_tasks([str(tmp_path)], None, _fail)
    assert [(task.property_name, task.expected) for task in tasks] == [("unreach-call", None), ("check-sat", None)]


def test_unusable_files_of_a_directory_are_reported_and_left_out(tmp_path: Path) -> None:
    _task_file(tmp_path, "one", "unreach-call", "true")
    (tmp_path / "broken.yml").write_text("{")
    reported: list[InputError] = []
    tasks = collect_tasks([str(tmp_path)], None, reported.append)
    assert len(tasks) == 1 and [Path(error.file).name for error in reported] == ["broken.yml"]


def test_a_sample_has_every_category_and_is_the_same_each_time() -> None:
    """Categories of 40, 8 and 2 tasks, which take turns."""
    sizes = {"many": 40, "some": 8, "few": 2}
    tasks = [example_task(str(number), category=name) for name, size in sizes.items() for number in range(size)]
    chosen = stratified_sample(tasks, 10)
    counts = Counter(task.category for task in chosen)
    assert counts["few"] == 1 and counts["some"] in (1, 2) and sum(counts.values()) == 10
    assert {task.category for task in chosen[:8]} == set(sizes)
    assert chosen == stratified_sample(tasks, 10)
    assert len(set(chosen)) == 10 and sorted(stratified_sample(tasks, 99), key=str) == sorted(tasks, key=str)
    assert [task.category for task in stratified_sample(tasks, 2)] == ["many", "some"]
