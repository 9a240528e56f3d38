"""C types with exact sizes (`c_types.py`) and record layouts as gcc chooses them (`record_layout.py`)."""
