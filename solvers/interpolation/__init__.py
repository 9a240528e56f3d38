"""Craig interpolation: one interface, several ways to find interpolants, every interpolant checked.

`Interpolator` (interpolate.py) is the contract; `binary` and `sequence` return what passed the check alone.

| module | theory | needs |
|---|---|---|
| farkas | linear arithmetic, B a conjunction of literals | z3 |
| oracle | whatever Spacer decides | z3 |
| bitwuzla | bit-vectors, and arrays of them | the optional package bitwuzla (terms go as text) |
| mathsat | what pysmt and MathSAT share | pysmt, and MathSAT as one of its solvers |

An interpolator whose package is not installed proposes nothing. What engines use
today: pdr generalises blocked cubes by `cube_sums`, the interpolants of a refuted cube, inside its own solver; the
interpolators above are a library.
"""

from solvers.interpolation.bitwuzla_interpolants import BitwuzlaInterpolator
from solvers.interpolation.farkas_interpolants import FarkasInterpolator
from solvers.interpolation.interpolate import Interpolator, binary, is_interpolant, sequence
from solvers.interpolation.mathsat_interpolants import MathSatInterpolator
from solvers.interpolation.spacer_interpolants import SpacerInterpolator

# The cheap ones first; those that are not installed make no proposals.
ALL: tuple[Interpolator, ...] = (
    FarkasInterpolator(),
    BitwuzlaInterpolator(),
    MathSatInterpolator(),
    SpacerInterpolator(),
)

__all__ = [
    "ALL",
    "BitwuzlaInterpolator",
    "FarkasInterpolator",
    "Interpolator",
    "MathSatInterpolator",
    "SpacerInterpolator",
    "binary",
    "is_interpolant",
    "sequence",
]
