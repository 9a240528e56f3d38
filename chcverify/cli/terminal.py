"""Standard output and error, and the files that were asked for, when they can and when they cannot be written."""

import contextlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from chcverify.errors import InputError


def fail(message: str, status: int = 2) -> int:
    """One line on standard error; the status."""
    print_message(message)
    return status


def print_message(text: str) -> None:
    """Prints a line to standard error. That nobody can read it is no error: it changes neither the exit status nor what
    is written to files."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(text, file=sys.stderr, flush=True)


def print_output(text: str) -> None:
    """Prints a line or a text to standard output. A closed pipe is no error; a full disk is (InputError)."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        _silence_stdout()
    except OSError as error:
        _silence_stdout()
        raise InputError("standard output", 0, 0, f"cannot be written: {_reason(error)}") from error


def write_files(files: Mapping[str, str]) -> None:
    """Writes each text to its file, all that can be; then InputError for the first that could not."""
    failed: InputError | None = None
    for path, text in files.items():
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            failed = failed or InputError(path, 0, 0, f"cannot be written: {_reason(error)}")
    if failed:
        raise failed


def write_output(text: str, path: str | None) -> None:
    """Writes the text to the file, without one to standard output. Errors as of `print_output` and `write_files`."""
    if path:
        write_files({path: text})
    else:
        print_output(text.rstrip("\n"))


def _silence_stdout() -> None:
    """Redirects standard output so that text left in the buffer raises no error when the interpreter ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
