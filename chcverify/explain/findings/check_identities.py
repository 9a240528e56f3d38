"""Names of checks that stay the same when other lines change."""

import os
from collections import Counter
from collections.abc import Iterable

from chcverify.errors import InputError
from chcverify.results.checks import Check
from chcverify.task import read_text
from encoders.c.source_map.source_map import SourceMap, source_map_of


def identities(checks: Iterable[Check]) -> dict[Check, str]:
    """`FILE:FUNCTION:KIND:TEXT:ORDINAL` of each check: the ordinal counts those that are equal before it, from 1.

    FILE is relative to the working directory, where it is below that. FUNCTION is empty outside of functions.
    """
    maps: dict[str, SourceMap | None] = {}
    numbers: Counter[str] = Counter()
    found: dict[Check, str] = {}
    for check in sorted(set(checks)):
        origin = check.origin
        if origin.file not in maps:
            maps[origin.file] = _source_map(origin.file)
        function = _function_at(maps[origin.file], origin.line)
        name = f"{_relative(origin.file)}:{function}:{check.kind.value}:{' '.join(check.text.split())}"
        numbers[name] += 1
        found[check] = f"{name}:{numbers[name]}"
    return found


def _relative(file: str) -> str:
    path = os.path.relpath(file)
    return file if path.startswith("..") else path


def _source_map(file: str) -> SourceMap | None:
    try:
        return source_map_of(read_text(file), file)
    except InputError:  # a harness, or a model of the library
        return None


def _function_at(layout: SourceMap | None, line: int) -> str:
    """The function whose body, or declaration, is on a line; "" if there is none."""
    for function in layout.functions if layout is not None else ():
        assert layout is not None
        begin, end = layout.token(function.at), layout.token(function.last)
        if begin.line <= line <= end.line:
            return function.name
    return ""
