"""Integer and rational arithmetic: intervals, linear literals, equations, affine hulls, modular polynomials."""
