"""Certificates as text: `certificate_text.py` for models, `derivation_json.py` for derivations.

What is read is still to be checked. `text_parsing.py` reports where a text is malformed.
"""
