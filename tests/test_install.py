"""The project as a package: what a wheel holds runs from any folder, and writes into none of it."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ASK = """
from importlib.resources import files
from app.notebook import load
from app.registry import VIEWS
from model.checkpoint import MODELS
from model.files import RUNS
print(load("es-en").translate("Donde hay humo, hay fuego.").weights("cross", layer=0, head=0).shape)
assert all((files("app") / view.path).is_file() for view in VIEWS)
print(RUNS, MODELS)
"""


def test_a_wheel_translates_without_the_projects_folder(tmp_path: Path) -> None:
    """It is laid out as setuptools fills a wheel: packing and unpacking it shows no more."""
    build = [sys.executable, "-c", "import setuptools; setuptools.setup()", "-q", "build_py"]
    files = ("app", "model", "pretrained", "pyproject.toml", "README.md", "LICENSE")
    project, site, home = tmp_path / "project", tmp_path / "site", tmp_path / "home"
    project.mkdir()
    home.mkdir()
    for name in files:  # setuptools builds in the folder itself
        (project / name).symlink_to(ROOT / name)
    subprocess.run([*build, "--build-lib", site], cwd=project, check=True, capture_output=True)
    assert not [
        name for name in ("everyday", "supplement") if (site / "pretrained" / name).exists()
    ]
    assert (site / "app/.streamlit/config.toml").is_file()
    environment = os.environ | {"PYTHONPATH": str(site), "HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", ASK], cwd=home, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    own = home / ".illuminated-transformer"
    assert done.stdout.splitlines()[-1] == f"{own / 'runs'} {own / 'models'}"
