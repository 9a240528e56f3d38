"""The click application: `verify` is implied; every error is one line and one exit status."""

from typing import TYPE_CHECKING, Any

import click

from chcverify.cli.shared_options import Start
from chcverify.cli.terminal import fail, print_message
from chcverify.errors import InputError
from chcverify.inputs.argument_files import expanded

if TYPE_CHECKING:
    from chcverify.run.supervisor import Early

COMMANDS = {  # name -> (module, one line of help); the modules are imported when they are used
    "verify": ("verify", "Decide a C program, Horn clauses or a task (implied)."),
    "export": ("export", "Write the clauses of a program or system for other solvers."),
    "check": ("check", "Check a certificate against its clauses."),
    "validate": ("validate", "Confirm or reject a witness of a C program's verdict."),
    "harness": ("harness", "Write the C code that calls a function as --entry assumes."),
    "contracts": ("contracts", "Write what callers of a library's functions must guarantee."),
    "init": ("init", "Write chcverify.toml, the settings of a project."),
    "annotate": ("annotate", "Write a C program's invariants into it."),
    "cache": ("cache", "Report the size of a certificate cache, or bound it."),
    "hook": ("hook", "Verify the files of a commit; for pre-commit and servers."),
    "lsp": ("lsp", "Serve editors: verdicts, traces and invariants (language server)."),
    "engines": ("engines", "List the engines."),
    "doctor": ("doctor", "Report versions, missing parts and what disturbs the installation."),
    "bench": ("bench", "Run engines over a directory of tasks and compare them."),
}


class Commands(click.Group):
    """Sub-commands by name; whatever does not begin with one is for `verify`."""

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        if arguments and arguments[0] not in (*COMMANDS, "--help", "--version"):
            arguments = ["verify", *arguments]
        return super().parse_args(context, arguments)

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        from importlib import import_module

        command = import_module(f"chcverify.cli.commands.{COMMANDS[name][0]}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


def _version(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        from chcverify import __version__

        click.echo(f"chcverify {__version__}")
        context.exit()


@click.group(
    cls=Commands,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`chcverify FILE` is short for `chcverify verify FILE`, whose options `chcverify verify --help` lists. "
    "Exit status: 0 true or sat, 1 false or unsat, 3 unknown, 2 unusable input or options.",
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def application() -> None:
    """Prove a C program correct or show its bug; solve constrained Horn clauses. Verdicts are checked certificates."""


def run(arguments: list[str], started: float, child: "Early | None" = None) -> int:
    """The exit status of the command; never raises. started: time.monotonic() from which time limits count.

    child: started early for a run; it is the caller's to end.
    """
    try:
        start = Start(started, child)
        result: Any = application.main(expanded(arguments), "chcverify", standalone_mode=False, obj=start)
        return result if isinstance(result, int) else 0
    except InputError as error:
        return fail(str(error))
    except OSError as error:
        return fail(f"chcverify: {error.strerror or error}")
    except click.exceptions.NoArgsIsHelpError as error:
        print_message(error.format_message())
        return 2
    except click.ClickException as error:
        return fail("chcverify: " + error.format_message().replace("\n", " "))
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return fail("chcverify: interrupted", 130)
