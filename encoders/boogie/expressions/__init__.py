"""Expressions of Boogie as terms of z3: types, polymorphism, quantifiers, code expressions."""
