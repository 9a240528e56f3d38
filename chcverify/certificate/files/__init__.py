"""Certificates as text: `certificate_text.py` for models, `derivation_json.py` for derivations, `named_checks.py`
for the checks that they are about.

What is read is still to be checked. `text_parsing.py` reports where a text is malformed.
"""
