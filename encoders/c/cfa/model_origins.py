"""How the positions in models of library functions are recognised."""

from encoders.c.cfa import ir

MODELS = "<library>/"  # the file names of library models begin with this
STREAM_MODELS = f"{MODELS}streams.c"  # the file of those that remember streams


def is_model(function: ir.FunctionCfa) -> bool:
    """True for models of library functions."""
    return any(location.origin.file.startswith(MODELS) for location in function.locations[:1])
