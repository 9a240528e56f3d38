"""`chcverify init`: a file of settings for a project."""

from pathlib import Path

import click

from chcverify.cli.terminal import print_output
from chcverify.errors import InputError
from chcverify.inputs.settings_file import NAME, template


@click.command("init", short_help="Write chcverify.toml, the settings of a project.")
@click.argument("directory", default=".")
def command(directory: str) -> int:
    """Write chcverify.toml into DIRECTORY (by default the present one), with every setting as a comment.

    Exit status: 0 written, 2 where there is one already, or where it cannot be written.
    """
    path = Path(directory) / NAME
    if path.exists():
        raise InputError(str(path), 0, 0, "exists already")
    try:
        path.write_text(template(), encoding="utf-8")
    except OSError as error:
        raise InputError(str(path), 0, 0, f"cannot be written: {(error.strerror or str(error)).lower()}") from error
    print_output(str(path))
    return 0
