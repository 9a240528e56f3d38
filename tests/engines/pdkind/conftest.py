"""The systems of the PDR engine's tests are these engines' as well."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "pdr"))
