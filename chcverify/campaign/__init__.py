"""Campaigns: many tools on many tasks, measured, stored, scored and compared.

Reading order: `tasks` (the tasks to run), `tools` (the commands), `measurement` (one run, measured), `store` (the
results, in SQLite), `local` and `cluster` (schedule the runs), `campaign` (puts these together), then `scores`,
`tables`, `rendering`, `comparison` and `plots` (results for people). Nothing here imports a solver: a campaign starts
commands and reads what they print.
"""
