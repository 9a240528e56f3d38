"""The command: arguments, printing, exit statuses."""
