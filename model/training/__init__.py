"""Teaching a network: the loop, its optimisers and schedules, scores, and what a machine can do.

A training in a folder of its own, which can be stopped and watched, is a run: `model.runs`.
"""
