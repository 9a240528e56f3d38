"""The input of a run, as certificates, reports, logs and statistics record it: files with their hashes, and options."""

import hashlib
import json
import shlex
from pathlib import Path
from typing import Any

from chcverify.task import Task


def input_document(task: Task) -> dict[str, Any]:
    """The files, each with its flags and SHA-256 ("" if it cannot be read), and what else the command line says."""
    return {
        "files": [
            {"name": source.path, "flags": list(source.flags), "sha256": sha256(source.path)}
            | ({"removed": list(source.removed)} if source.removed else {})
            | ({"shadowed": True} if source.shadowed else {})
            for source in task.files
        ],
        "property": task.property,
        "data_model": task.data_model or "LP64",
        "entry": task.entry or "main",
        "command": command_arguments(task),
    }


def is_recorded(task: Task) -> bool:
    """True if the command line says more about the input than one file, its property and data model."""
    return (
        bool(task.sources)
        or task.entry is not None
        or task.harness.contracts
        or task.stubs is not None
        or bool(task.interrupts)
    )


def command_arguments(task: Task) -> str:
    """Files and options as a command line has them, for another command on the same input."""
    words = [shlex.quote(source.path) for source in task.files]
    if task.property != "unreach-call":
        words.append(f"--property {task.property}")
    if task.data_model:
        words.append(f"--data-model {task.data_model}")
    if task.undefined_functions:
        words.append(f"--undefined-functions {task.undefined_functions}")
    if task.volatile:
        words.append(f"--volatile {task.volatile}")
    if task.assembler != "refuse":
        words.append(f"--assembler {task.assembler}")
    if task.array_bounds:
        words.append(f"--array-bounds {task.array_bounds}")
    if task.malloc:
        words.append(f"--malloc {task.malloc}")
    return " ".join([*words, *filter(None, [task.configuration])])


def with_input(certificate: str, task: Task) -> str:
    """The text of a certificate with what it is about: a comment in a model, a field of a derivation."""
    if not is_recorded(task) or not certificate:
        return certificate
    document = input_document(task)
    if certificate.startswith("{"):
        return certificate.replace("{", '{"input": ' + json.dumps(document) + ",\n", 1)
    lines = [f"; chcverify {document['command']}"]
    lines += [f"; {file['name']} SHA-256 {file['sha256']}" for file in document["files"]]
    return "\n".join(line.replace("\n", " ") for line in lines) + f"\n{certificate}"


def sha256(path: str) -> str:
    """The hash of a file, "" if it cannot be read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""
