"""Certificates kept on disk from run to run. Nothing of it is trusted: certificates are checked again.

`normal_form.py`: the key of a system, independent of names. `store.py`: the files. `old_models.py`: models of earlier
versions of an input as candidates for the present one.
"""
