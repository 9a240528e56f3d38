"""Control-flow automata, the intermediate representation of programs.

`ir.py` is the data; begin there. `builder.py` makes the automaton of a function, `inlining.py` flattens a program,
`expression_walk.py` traverses expressions, `type_sizes.py` has sizes; `graph.py` shows automata.
"""
