"""The command line: arguments, printing, exit statuses. `app.py` is the entry.

Many modules: one for each command.
"""
