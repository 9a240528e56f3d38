"""The decision whether all runs of a program end; `termination_run.run` is called as `driver.run` is."""
