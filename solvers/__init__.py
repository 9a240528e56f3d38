"""Engines: each decides a Horn system and returns a model, a derivation of false, or a reason why it has no answer.

`engine.py` is the protocol, `registry.py` the table of names, `external.py` runs other programs as engines. Each other
folder is an engine or a family of engines; most have an `engine.py` to begin with.
"""
