"""z3 terms as integer handles, without the z3py objects whose making dominates walks and rewriting from Python."""
