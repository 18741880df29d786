"""`python -m model …` is the command line."""

from model.cli.main import main

main()
