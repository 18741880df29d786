"""`python -m model …` is the command line."""

from model.cli import main

main()
