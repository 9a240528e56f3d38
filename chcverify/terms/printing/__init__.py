"""Terms as text: `smtlib.py` for solvers, `infix.py` and `quantified.py` for people; `binders.py` renames bound
variables."""
