"""From syntax trees to control-flow automata, by collaborators over one context.

`context.py` is the state that all of them share: scopes, the automaton under construction, temporaries, coordinates,
errors. `composition.py` makes the collaborators and connects them, in this order: `operators/side_effects.py`,
`declarations.py` (types), `file_scope/static_objects.py`, `lvalues.py`, `expressions.py`, `assignments.py`, `calls`,
`statements.py`, `file_scope`, `functions.py`. Each gets those before it through its constructor; `collaborators.py` has
the protocols of what it needs of later ones. `linking.py` finishes the program. `symbols.py` has scopes, `operators`
typed operations on expressions.

Fifteen modules: one for each collaborator, and few for what all of them share.
"""
