"""Ways to ask solvers about obligations, and the search for inductive subsets.

They may fail. Only `congruences.py` accepts obligations without a further question; `kernel/__init__.py` says why.

`linearise.py` and `splitting.py` return weaker or smaller formulas for the checkers, and `congruences.py` looks for
contradictions by algebra; `houdini.py` is used by engines and by the lemma bus, `validity_core.py` for the checks that
need no engine.
"""
