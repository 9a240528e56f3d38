"""Craig interpolation: one interface, several ways to find interpolants, every interpolant checked."""

from solvers.interpolation.farkas import FarkasInterpolator
from solvers.interpolation.interpolate import Interpolator, binary, is_interpolant, sequence
from solvers.interpolation.oracle import SpacerInterpolator

__all__ = ["FarkasInterpolator", "Interpolator", "SpacerInterpolator", "binary", "is_interpolant", "sequence"]
