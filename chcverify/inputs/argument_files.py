"""`@file` on the command line: the arguments that a file lists, as compilers take them."""

import shlex
from collections.abc import Sequence

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.errors import InputError
from chcverify.task import read_text


def expanded(arguments: Sequence[str], depth: int = 0) -> list[str]:
    """The arguments with those of files instead of each `@file`. Lines may have comments behind `#`.

    Raises InputError for a file that cannot be read, and for lists that contain themselves.
    """
    found: list[str] = []
    for argument in arguments:
        if not argument.startswith("@") or argument == "@":
            found.append(argument)
            continue
        path = argument[1:]
        if depth == MAX_ALTERNATIVES:
            raise InputError(path, 0, 0, "lists of arguments are nested too deep")
        try:
            words = shlex.split(read_text(path), comments=True)
        except ValueError as error:
            raise InputError(path, 0, 0, f"not a list of arguments: {str(error).lower()}") from error
        found += expanded(words, depth + 1)
    return found
