"""Open changed files of every kind that is uploaded: `python -m tests.fuzz [KIND …] --rounds N`."""

import argparse

from tests.fuzz.uploads import KINDS, SLOW, survive

FEWER = 100  # times fewer rounds, for kinds that start a process per file


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", help=f"only these of {', '.join(KINDS | SLOW)}")
    parser.add_argument("--rounds", type=int, default=5000, help="how many files of each")
    parser.add_argument("--first", type=int, default=0, help="the round to begin with")
    arguments = parser.parse_args()
    for kind in arguments.kinds or KINDS | SLOW:
        rounds = max(1, arguments.rounds // (FEWER if kind in SLOW else 1))
        taken = survive(kind, rounds, arguments.first)
        print(f"{kind}: {rounds} opened, {taken} of them taken", flush=True)


if __name__ == "__main__":
    main()
