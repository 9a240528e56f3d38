"""The command line: arguments, printing, exit statuses. `app.py` is the entry; one module for each command.

Many modules: each command has its own.
"""
