"""From syntax trees to control-flow automata.

`context.py` is what all parts share; `declarations.py`, `lvalues.py`, `expressions.py`, `assignments.py`, `calls`,
`statements.py` and `functions.py` build on each other in this order; `linking.py` finishes the program. `symbols.py`
has scopes, `operators` typed operations on expressions.
"""
