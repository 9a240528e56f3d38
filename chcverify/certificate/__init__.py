"""Models, derivations, their file formats and their checkers."""
