"""From C programs to Horn systems, and from certificates back to C.

`frontend.py` returns a program of control-flow automata; `encoding/encoder.py` its Horn system. Reading order: `source`
(text to syntax tree), `types`, `cfa` (the automata), `lowering` (syntax tree to automata), `analysis`, `encoding`
(automata to clauses), `execution` (the interpreter), `certificates` (models and derivations as invariants and runs),
`witnesses`.
"""
