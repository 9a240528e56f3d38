"""Readers and writers of Horn systems.

`reader.py` reads SMT-LIB and z3's rules (`commands.py`, `symbol_roles.py`, `clausify.py` and `free_constants.py` are
its parts); `z3_formulas.py` takes z3 terms; `writer.py` and `prolog.py` write.
"""
