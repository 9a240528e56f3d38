"""The decision whether all runs of a program end; `termination_decider.run` is called as `driver.run` is."""
