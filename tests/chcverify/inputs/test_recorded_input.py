"""What a certificate says about its input."""

import json
from pathlib import Path

from chcverify.inputs.recorded_input import command_arguments, input_document, is_recorded, sha256, with_input
from chcverify.task import Task


def test_a_single_file_needs_no_record(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int main(void) { return 0; }\n")
    task = Task(str(path), "c", "unreach-call")
    assert not is_recorded(task) and with_input("(define-fun P () Bool true)", task) == "(define-fun P () Bool true)"


def test_an_entry_is_recorded_with_the_hashes_of_the_files(tmp_path: Path) -> None:
    path = tmp_path / "a b.c"
    path.write_text("int f(int n) { return n; }\n")
    task = Task(str(path), "c", "no-overflow", "ILP32", entry="f")
    assert is_recorded(task)
    (file,) = input_document(task)["files"]
    assert file["sha256"] == sha256(str(path)) != "" and sha256(str(tmp_path / "missing")) == ""
    arguments = command_arguments(task)
    assert "--property no-overflow" in arguments and "--data-model ILP32" in arguments and "'" in arguments
    model = with_input("(define-fun P () Bool true)", task)
    assert model.endswith("\n(define-fun P () Bool true)") and file["sha256"] in model
    assert all(line.startswith(";") for line in model.splitlines()[:-1])
    derivation = json.loads(with_input('{"steps": []}', task))
    assert derivation["steps"] == [] and derivation["input"]["files"] == [file]
