"""Transforms of Horn systems. Each returns a new system and a back-translator for models and derivations.

`base.py` is the protocol and the law, `pipeline.py` the standard order. `exact` has transforms that keep satisfiability
in both directions, `abstractions` those whose result may have fewer models. `arena_clauses.py`, `resolution.py`,
`grounding.py` and `model_completion.py` are shared.
"""
