"""`chcverify engines`."""

from typing import TYPE_CHECKING, get_args

import click

from chcverify.cli.terminal import print_output

if TYPE_CHECKING:
    from solvers.engine import Requirements


@click.command("engines", short_help="List the engines.")
def command() -> int:
    """List the engines: name, what it does, what systems it needs (transforms in front of it provide that)."""
    from chcverify.portfolio.plan import Place
    from solvers.registry import engines

    lines = []
    for name, entry in sorted(engines().items()):
        source = "" if entry.source == "chcverify" else f" [{entry.source}]"
        try:
            engine = entry.load()
        except Exception as error:  # a plug-in's module may fail in any way; the others still want to be listed
            lines.append(f"{name:20} cannot be loaded{source}: {type(error).__name__}: {error}")
            continue
        needs = ", ".join(_needs(engine.requires))
        lines.append(f"{name:20} {engine.description}{f' (needs {needs})' if needs else ''}{source}")
    lines.append("external:'COMMAND'   any CHC-COMP solver; {file} in COMMAND stands for the clauses' file")
    lines.append(f"NAME@FORM            on the clauses in another form: {', '.join(get_args(Place))}")
    print_output("\n".join(lines))
    return 0


def _needs(requires: "Requirements") -> list[str]:
    linear = ["linear clauses"] if requires.linear else []
    return [*linear, "one predicate"] if requires.single_predicate else linear
