"""Traversal, substitution and rewriting of z3py terms; no function recurses or visits a node twice.

Begin with `traversal.py`.
"""
