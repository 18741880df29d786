"""Training a network: the loop, optimisers and schedules, scores, and what the machine can do.

A training in a folder of its own, which can be watched and stopped, is a run: see `model.runs`.
"""
