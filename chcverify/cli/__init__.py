"""The command line: arguments, printing, exit statuses. `app.py` is the entry, each command a module of `commands`."""
