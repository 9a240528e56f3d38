"""Parts of edges: expressions and lvalues, and the operations of threads (`ir.py` has all of them)."""
