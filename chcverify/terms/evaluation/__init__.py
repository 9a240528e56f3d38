"""Evaluation of terms on concrete values: `python_code.py` compiles terms to Python functions."""
