"""The C and POSIX library: a table of its functions, models written in C, formats, and the verifier's own functions.

`function_table.py`: what an entry of the table says; `table_reader.py`: reads `functions/*.txt`; `formats.py`: formats;
`special_functions.py`: functions of verifiers; `model_files.py`: file names of models.
"""
