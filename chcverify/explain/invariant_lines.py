"""Invariants per source line, in the syntax of the source, loop heads first."""

from collections.abc import Iterable, Sequence
from typing import Any

from chcverify.explain.text_lines import Line, line
from chcverify.results.source_facts import SourceInvariant


def ordered(invariants: Iterable[SourceInvariant]) -> list[SourceInvariant]:
    """The invariants without repetitions, those of loop heads first, each in the order of the file."""
    unique = dict.fromkeys(invariants)
    return sorted(unique, key=lambda i: (not i.is_loop_head, i.origin.file, i.origin.line, i.origin.column, i.text))


def invariant_lines(invariants: Sequence[SourceInvariant], verbose: bool) -> list[Line]:
    """For people. Without `verbose` only the loop heads."""
    items = ordered(invariants)
    chosen = items if verbose else [item for item in items if item.is_loop_head]
    out: list[Line] = []
    place = None
    for item in chosen:
        if (here := (item.origin.file, item.origin.line, item.function)) != place:
            place = here
            what = f"loop head in {item.function}" if item.is_loop_head else f"in {item.function}"
            out.append(Line(((f"  {item.origin.file}:{item.origin.line}", "head"), (f"  {what}", "dim"))))
        out.append(line("    control never comes here" if item.text == "0" else f"    {item.text}", "value", hang=6))
    if out and not verbose:
        out.append(line("  (at other places: -v)", "dim"))
    return [line("invariants", "head"), *out] if out else []


def invariants_json(invariants: Iterable[SourceInvariant]) -> list[dict[str, Any]]:
    return [
        {
            "file": item.origin.file,
            "line": item.origin.line,
            "column": item.origin.column,
            "function": item.function,
            "loop_head": item.is_loop_head,
            "invariant": item.text,
        }
        for item in ordered(invariants)
    ]
