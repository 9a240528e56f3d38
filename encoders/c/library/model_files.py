"""The names of the library models' files in coordinates."""

from __future__ import annotations

MODELS = "<library>/"  # the file names of library models begin with this
