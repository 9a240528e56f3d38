"""Library functions: models written in C, and the names of functions with a special meaning.

`special_functions.py`: what functions without a body mean; `scanf_formats.py`: what scanf may write; `model_files.py`:
file names of models.
"""
