"""Craig interpolation: one interface, several ways to find interpolants, every interpolant checked.

`Interpolator` (interpolate.py) is the contract; `binary` returns only what passed the check.

| module | theory | needs |
|---|---|---|
| proofs | Booleans and linear real arithmetic | z3 |
| farkas | linear arithmetic, B a conjunction of literals | z3 |
| oracle | whatever Spacer decides | z3 |
| bitwuzla | bit-vectors, and arrays of them | the optional package bitwuzla (terms go as text) |
| mathsat | what pysmt and MathSAT share | pysmt, and MathSAT as one of its solvers |

An interpolator whose package is not installed proposes nothing. What engines use: pdr generalises blocked cubes by
`cube_sums`, the interpolants of a refuted cube, inside its own solver; imc reads the proofs of its own incremental
solver, and asks `binary` where a system is not over Booleans and linear arithmetic.
"""

from solvers.interpolation.bitwuzla_interpolants import BitwuzlaInterpolator
from solvers.interpolation.farkas_interpolants import FarkasInterpolator
from solvers.interpolation.interpolate import Interpolator, binary, is_interpolant
from solvers.interpolation.mathsat_interpolants import MathSatInterpolator
from solvers.interpolation.proof_interpolator import ProofInterpolator
from solvers.interpolation.spacer_interpolants import SpacerInterpolator

# The cheap ones first; those that are not installed make no proposals.
ALL: tuple[Interpolator, ...] = (
    ProofInterpolator(),
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
    "ProofInterpolator",
    "SpacerInterpolator",
    "binary",
    "is_interpolant",
]
