"""Craig interpolation: one interface, several ways to find interpolants, every interpolant checked."""

from solvers.interpolation.bitwuzla import BitwuzlaInterpolator
from solvers.interpolation.farkas import FarkasInterpolator
from solvers.interpolation.interpolate import Interpolator, binary, is_interpolant, sequence
from solvers.interpolation.mathsat import MathSatInterpolator
from solvers.interpolation.oracle import SpacerInterpolator

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
