"""A language server: verdicts, error traces and proved invariants in the editor.

`function_scan.py`: functions of a text. `verification.py`: a run of the command on a text, which can be cancelled.
`document_runs.py`: which runs are made when. `editor_view.py`: results as diagnostics, hints and lenses.
`server.py`: the protocol, by pygls, which is the only module that needs that package.
"""
