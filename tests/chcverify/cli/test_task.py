"""Task definitions and property files."""

from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.options import InputOptions
from chcverify.task import language_of, read_property, read_task, resolve

UNREACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"


def write(directory: Path, name: str, text: str) -> str:
    (directory / name).write_text(text)
    return str(directory / name)


@pytest.fixture
def task_file(tmp_path: Path) -> str:
    write(tmp_path, "p.c", "int main(void) { return 0; }\n")
    write(tmp_path, "unreach-call.prp", UNREACH)
    return write(
        tmp_path,
        "p.yml",
        "format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n"
        "  - property_file: nowhere/termination.prp\n    expected_verdict: true\n"
        "  - property_file: unreach-call.prp\n    expected_verdict: false\n"
        "options:\n  language: C\n  data_model: ILP32\n",
    )


def test_a_task_names_file_property_model_and_verdict(task_file: str, tmp_path: Path) -> None:
    task = read_task(task_file)
    assert (task.input_file, task.language) == (str(tmp_path / "p.c"), "c")
    assert (task.property, task.data_model, task.expected) == ("unreach-call", "ILP32", False)


def test_options_win_over_the_task(task_file: str) -> None:
    assert resolve(InputOptions(task_file)).data_model == "ILP32"
    assert resolve(InputOptions(task_file, data_model="LP64")).data_model == "LP64"
    no_overflow = resolve(InputOptions(task_file, property="no-overflow"))
    assert (no_overflow.property, no_overflow.expected) == ("no-overflow", None)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (UNREACH, "unreach-call"),
        ("CHECK( init(main()), LTL(G ! overflow) )", "no-overflow"),
        ("CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n", "valid-memsafety"),
        ("CHECK(sat)", "check-sat"),
        ("CHECK( init(main()), LTL(G ! overflow) )\n" + UNREACH, "no-overflow,unreach-call"),
    ],
)
def test_property_files(tmp_path: Path, text: str, name: str) -> None:
    assert read_property(write(tmp_path, "x.prp", text)) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "CHECK(",
        "LTL(G ! call(reach_error()))",
        "CHECK( init(main()), LTL(G magic) )",
        "CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(G ! data-race) )",
    ],
)
def test_other_property_files_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"x\.prp"):
        read_property(write(tmp_path, "x.prp", text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1\nb: 2", "not YAML"),
        ("- 1", "no mapping"),
        ("properties: []", "names no property"),
        ("properties:\n  - property_file: unreach-call.prp\n", "names no file"),
        ("input_files: [a.c, b.c]\nproperties:\n  - property_file: unreach-call.prp\n", "several input files"),
        ("input_files: p.c\nproperties:\n  - {}\n", "without property_file"),
        ("input_files: p.c\nproperties:\n  - property_file: missing.prp\n", "no such file"),
        ("input_files: p.c\nproperties:\n  - property_file: unreach-call.prp\noptions: 3", "options"),
        (
            "input_files: p.c\nproperties:\n  - property_file: unreach-call.prp\noptions:\n  data_model: LP32",
            "data_model",
        ),
        (
            "input_files: p.c\nproperties:\n  - property_file: unreach-call.prp\n    expected_verdict: perhaps",
            "expected_verdict",
        ),
    ],
)
def test_what_is_no_task_is_refused(task_file: str, tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_task(write(tmp_path, "q.yml", text))


def test_yaml_errors_have_a_place(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_task(write(tmp_path, "q.yml", "a: 1\nb: [2\nc: 3\n"))
    assert caught.value.line == 3


def test_the_language_follows_suffix_and_content(tmp_path: Path) -> None:
    assert language_of(write(tmp_path, "a.i", "(")) == "c"
    assert language_of(write(tmp_path, "a.txt", "; note\n\n(set-logic HORN)")) == "horn"
    assert language_of(write(tmp_path, "b.txt", "int main(void) {}")) == "c"
    with pytest.raises(InputError, match="empty"):
        language_of(write(tmp_path, "c.c", " \n"))
    with pytest.raises(InputError, match="not a text file"):
        language_of(write(tmp_path, "d.c", "\0\1"))
    with pytest.raises(InputError, match="is a directory"):
        language_of(str(tmp_path))


def test_property_and_language_must_fit(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not one of C"):
        resolve(InputOptions(write(tmp_path, "a.c", "int x;"), property="check-sat"))
    with pytest.raises(InputError, match="not one of Horn"):
        resolve(InputOptions(write(tmp_path, "a.smt2", "(check-sat)"), property="unreach-call"))
    with pytest.raises(InputError, match="not a property"):
        resolve(InputOptions(write(tmp_path, "a.c", "int x;"), property="nonsense"))
