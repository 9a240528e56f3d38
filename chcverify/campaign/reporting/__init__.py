"""Results of campaigns for people: scores, tables, their formats, comparisons and plots."""
