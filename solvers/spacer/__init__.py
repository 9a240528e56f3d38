"""Spacer, the property directed reachability of Z3, behind the Engine protocol."""

from solvers.spacer.engine import Spacer, SpacerGlobal

__all__ = ["Spacer", "SpacerGlobal"]
