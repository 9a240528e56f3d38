"""Positions of statements, loops and variables in C text, without parsing all of C; and C expressions over them.

`source_map.py` is the entry; `source_tokens.py` the tokens, `c_expressions.py` expressions of invariants.
"""
