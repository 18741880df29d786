"""Training runs: a run's plan, folder and queue, the worker that trains it, log, film, doctor."""
