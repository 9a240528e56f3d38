"""How much people are shown at once, in messages, in reports and in editors; what is beyond is counted or cut.

All of them were chosen by hand.
"""

IN_A_LINE = 4
"""Names, positions or reasons in one line, or of one cause."""
IN_A_LIST = 20
"""Lines of a list, or values of one object."""
IN_A_PICTURE = 120
"""Boxes of a graph, or lines of a text that is to be read whole; more help nobody."""
IN_A_PAGE = 2_000
"""Clauses, lines of a file, or steps of a run."""
LINE_CHARACTERS = 200
"""Of a message, a value or a statement."""
FORMULA_CHARACTERS = 2_000
"""Of a formula."""
