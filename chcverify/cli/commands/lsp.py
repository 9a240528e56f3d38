"""`chcverify lsp`: the language server."""

import click


@click.command("lsp", short_help="Serve editors: verdicts, traces and invariants (language server).")
def command() -> int:
    """Serve one editor by the language server protocol, over standard input and output.

    Settings are the client's initializationOptions: timeout and debounce (seconds), onChange, arguments (for `verify`).
    """
    try:
        from chcverify.lsp.server import serve
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] in ("pygls", "lsprotocol"):
            raise click.UsageError("lsp needs pygls: pip install 'chcverify[lsp]'") from error
        raise
    from chcverify import __version__

    serve(__version__)
    return 0
