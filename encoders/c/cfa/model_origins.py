"""How the positions in models of library functions are recognised."""

MODELS = "<library>/"  # the file names of library models begin with this
STREAM_MODELS = f"{MODELS}streams.c"  # the file of those that remember streams
