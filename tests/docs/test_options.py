"""Each long option of each command is described in README.md or a page of docs/."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import get_args

import click

from chcverify.cli.app import COMMANDS
from chcverify.portfolio.run_plan import Variant

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
WORDS = frozenset(word for page in PAGES for word in re.findall(r"--[\w-]+", page.read_text(encoding="utf-8")))


def commands() -> Iterator[click.Command]:
    """All commands, and those of groups."""
    for module, _ in COMMANDS.values():
        command = import_module(f"chcverify.cli.commands.{module}").command
        assert isinstance(command, click.Command)
        yield command
        if isinstance(command, click.Group):
            yield from command.commands.values()


def test_every_option_is_described() -> None:
    missing = []
    for command in commands():
        for option in (parameter for parameter in command.params if isinstance(parameter, click.Option)):
            names = {name for name in (*option.opts, *option.secondary_opts) if name.startswith("--")}
            if names and not names & WORDS and not option.hidden:
                missing.append(f"{command.name} {' '.join(sorted(names))}")
    assert not missing, missing


def test_every_variant_is_described() -> None:
    variants = set(get_args(Variant))
    glossary = re.search(r"^\| variant \|.*: (.*) \|$", (ROOT / "docs/glossary.md").read_text(encoding="utf-8"), re.M)
    assert glossary is not None and set(glossary[1].split(", ")) == variants
    rows = re.findall(r"^\| (`.*?) \|", (ROOT / "docs/engines.md").read_text(encoding="utf-8"), re.M)
    assert variants - {"reduced"} <= {name for row in rows for name in re.findall(r"`(\w+)`", row)}
