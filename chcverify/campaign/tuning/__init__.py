"""Derives a schedule of the portfolio from the runs of a campaign, and judges it on families of tasks left out.

Reading order: `schedule_model` (what a schedule does on a measured task), `greedy_cover` (the schedule),
`cross_validation` (what it promises on families that it has not seen), `tuning_data` (from stored runs).
"""
