"""How the files of library models are named in coordinates."""

from __future__ import annotations

MODELS = "<library>/"  # the file names of library models begin with this
