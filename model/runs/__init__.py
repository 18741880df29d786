"""A training as a run: its plan, folder and queue, the worker that trains it, log, film, doctor."""
