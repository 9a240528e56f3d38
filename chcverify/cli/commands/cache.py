"""`chcverify cache DIR`: the size of a certificate cache, and a bound on it."""

from typing import Any

import click

from chcverify.cache.store import prune, require_directory, size
from chcverify.cli.terminal import print_output
from chcverify.options import MEGABYTE


@click.command("cache", short_help="Report the size of a certificate cache, or bound it.")
@click.argument("directory", metavar="DIR")
@click.option(
    "--max-size", type=click.FloatRange(0), metavar="MB", help="Remove what was not used for the longest time."
)
def command(**given: Any) -> int:
    """Report the files of DIR, which `verify --cache DIR` writes; --max-size removes the least recently used ones."""
    directory, most = given["directory"], given["max_size"]
    require_directory(directory, writable=most is not None)
    removed = prune(directory, int(most * MEGABYTE)) if most is not None else 0
    left = size(directory)
    text = f"{left.files} files, {left.bytes / MEGABYTE:.1f} MB"
    print_output(f"{text}; {removed} removed" if most is not None else text)
    return 0
