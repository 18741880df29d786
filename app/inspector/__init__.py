"""To look at the numbers of a run: the panel that answers for any cell, arrays, heads, steps, pins.

What belongs here is used by two pages or more and knows the walk; what knows no run is in `ui`.
"""
