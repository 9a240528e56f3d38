"""What a user sees of a verdict: invariants, traces, reports, witnesses."""
