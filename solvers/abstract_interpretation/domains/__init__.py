"""Abstract domains. `basic_domains.py` has the protocol and the simple domains; begin there."""
