"""Names that the library models and the variables of string literals have in automata."""

from __future__ import annotations

MODELS = "<library>/"  # the file names of library models begin with this
MAIN_ARGUMENTS = "__chcverify_arguments"  # the library model that makes arrays of strings, for argv and the environment
STRING_PREFIX = "string#"  # the unique names of string literals' arrays begin with this
