"""Write the locks from pyproject.toml's ranges: every version that is installed, with its hashes.

    python deploy/lock.py [options of `uv pip compile`, such as --upgrade]

torch stands in none of them: each machine takes the build that fits it, and each build has hashes
of its own. requirements.txt has the same versions with torch and without hashes, for one command.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
LOCKS: Final = {
    "requirements.lock": (),
    "requirements-login.lock": ("--extra", "login"),
    "requirements-dev.lock": ("--all-extras", "--group", "dev"),
}
# Each build of torch brings what its machine's graphics cards need.
OF_TORCH: Final = re.compile(r"(torch|triton|nvidia-|cuda-)")


def compiled(output: str, options: list[str]) -> list[str]:
    """Return the entries of a lock, with their hashes; what still fits stays as it is."""
    command = ["uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
    command += ["--generate-hashes", "--no-header", "--no-annotate", "--output-file", output]
    subprocess.run([*command, *options, "pyproject.toml"], cwd=ROOT, check=True)
    text = (ROOT / output).read_text(encoding="utf-8")
    entries = re.findall(r"^\w(?:.*\\\n)*.*\n", text, re.MULTILINE)
    return [entry for entry in entries if not OF_TORCH.match(entry)]


def torch() -> str:
    """Return the one version of torch that the ranges name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (asked,) = (one for one in project["dependencies"] if one.startswith("torch"))
    return f"torch=={re.findall(r'[0-9.]+', asked)[0]}"


def main() -> None:
    """Write all locks, the widest first: the others take their versions from it."""
    narrow: list[str] = []
    for name, options in reversed(LOCKS.items()):
        entries = compiled(name, [*options, *narrow, *sys.argv[1:]])
        (ROOT / name).write_text("".join(entries), encoding="utf-8")
        narrow = ["--constraint", name]
    pins = [re.sub(r" \\\n.*", "", entry, flags=re.DOTALL).strip() for entry in entries]
    text = "# Made by deploy/lock.py: requirements.lock without hashes, and torch.\n"
    (ROOT / "requirements.txt").write_text("\n".join([text + torch(), *pins, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
