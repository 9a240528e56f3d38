"""The commands, one module for each with its click command as `command`. Many modules: there are as many commands."""
