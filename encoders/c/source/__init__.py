"""From a C file to a syntax tree with coordinates in the original text.

`preprocessor.py`, `comments.py`, `gnu_tokens.py`, `parser.py` in this order; `literals.py` evaluates constants,
`syntax_trees.py` has parts of trees and prints statements, `source_errors.py` has the errors that users see.
"""
