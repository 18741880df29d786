"""Translators by their name: what is fetched, and each fault on the way, against a small hub."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from model import checkpoint
from model.cli.main import app
from model.errors import UserError
from model.files import ROOT, read_json
from model.hub import fetch, job, worker
from model.hub.fetch import ask
from model.hub.offer import HubOffer
from model.imported import take_in
from model.runs.plan import Status
from tests.browser.conftest import free_port
from tests.model.disks import mounted
from tests.model.forks import wait_for
from tests.model.hub.hub_server import COMMIT, NAME, TOKEN, Hub, Model, serving

READ = {
    *("config.json", "tokenizer_config.json", "README.md", "vocab.json"),
    *("source.spm", "target.spm", "model.safetensors"),
}


def imported(*arguments: str) -> str:
    """Run `import marian`, and return what it says; raises what it raises."""
    result = CliRunner().invoke(app, ["import", "marian", *arguments])
    if result.exception is not None:
        raise result.exception
    return result.output


def fetched(offer: HubOffer) -> None:
    """Fetch and import an offer in this process."""
    for _status in worker.steps(job.prepare(offer)):
        pass


def names() -> list[str]:
    """What lies among the models, but for the locks."""
    return sorted(
        path.name for path in checkpoint.MODELS.iterdir() if not path.name.endswith(".lock")
    )


def paths(hub: Hub) -> list[str]:
    return [path for _method, path, _headers in hub.asked]


def there(offer: HubOffer) -> float:
    known = job.current()
    return known.there / offer.size if known else 0.0


def stands_still(hub: Hub) -> bool:
    """Tell whether nothing more is sent: whoever downloaded is gone."""
    sent = hub.sent
    time.sleep(2.5 * hub.pause)
    return hub.sent == sent


def test_a_translator_comes_by_its_name_at_one_commit(hub: Hub, translator: Path) -> None:
    said = imported(NAME)
    assert f"{NAME} at commit {COMMIT}" in said
    assert "es → en; licence: cc-by-4.0" in said
    assert checkpoint.imported_names() == ["models/opus-mt-es-en"]
    assert names() == ["opus-mt-es-en"], "something of the download is left"
    loaded = checkpoint.load("models/opus-mt-es-en")
    known = {"repository": NAME, "commit": COMMIT, "licence": "cc-by-4.0"}
    assert loaded.metrics.items() >= known.items()
    # The files that importing reads, each of them once and at the commit, and nothing else.
    (info,) = [path for path in paths(hub) if path.startswith("/api")]
    assert info.startswith(f"/api/models/{NAME}?")
    resolved = [path for path in paths(hub) if "/resolve/" in path]
    assert sorted(resolved) == sorted(f"/{NAME}/resolve/{COMMIT}/{name}" for name in READ)
    assert not [path for path in paths(hub) if "xet" in path or "refs" in path]
    assert len(paths(hub)) == len(resolved) + 1 + sum("/large/" in path for path in paths(hub))
    assert hub.sent == sum((translator / name).stat().st_size for name in READ)
    for _method, _path, headers in hub.asked:
        assert "authorization" not in headers
        assert "torch" not in headers["user-agent"], "that is telemetry"


def test_a_dry_run_moves_nothing_and_a_request_of_anybody_is_no_name(hub: Hub) -> None:
    """An address is as good as a name."""
    said = imported(f" {hub.address}/{NAME}/ ", "--dry-run")
    assert NAME in said
    assert "7 files, 0.7 MB" in said
    assert hub.sent == 0
    assert not checkpoint.MODELS.exists()
    asked = len(hub.asked)
    for name in (f"{NAME}@refs/pr/1", f"{NAME}/tree/refs/pr/1", "../x", "opus", "a/b/c", "a--b/c"):
        with pytest.raises(UserError, match="not the name of a model"):
            ask(name)
    assert len(hub.asked) == asked


def test_only_a_token_that_is_given_is_sent(
    hub: Hub, translator: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.models |= {"me/mine": Model(translator, private=True)}
    hub.models |= {"me/gated": Model(translator, gated=True)}
    (tmp_path / "home").mkdir()
    (tmp_path / "home/token").write_text(TOKEN, encoding="utf-8")
    with pytest.raises(UserError, match="has no model me/mine that everybody may read"):
        imported("me/mine")
    with pytest.raises(UserError, match="only to people who have accepted its terms"):
        imported("me/gated")
    assert hub.sent == 0
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    with pytest.raises(UserError, match="everybody may read"):
        ask("me/mine", anonymous=True)
    assert ask("me/mine").repository == "me/mine"
    imported("me/gated", "--name", "gated")
    assert names() == ["gated"]


def test_no_network_of_any_kind_is_a_sentence(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    secret = nowhere.replace("http://", "http://me:secret@")
    with serving(Hub(status=407)) as proxy:
        for variable, value, sentence in (
            ("HF_HUB_OFFLINE", "1", "HF_HUB_OFFLINE is set"),
            ("HF_ENDPOINT", nowhere, f"{nowhere} cannot be reached: check the network"),
            ("HTTP_PROXY", secret, f"The proxy {nowhere} lets nothing through"),
            ("HTTP_PROXY", proxy.address, r"lets nothing through \(407\)"),
        ):
            with monkeypatch.context() as patch:
                patch.setenv(variable, value)
                with pytest.raises(UserError, match=sentence) as caught:
                    ask(NAME)
                assert "secret" not in str(caught.value)
    hub.status = 503
    with pytest.raises(UserError, match="answered 503 instead of the model"):
        ask(NAME)
    assert not checkpoint.MODELS.exists()


def test_an_unknown_certificate_is_a_sentence_and_can_be_made_known(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = tmp_path / "hub.pem"
    with serving(Hub(hub.models), certificate) as secure:
        monkeypatch.setenv("HF_ENDPOINT", secure.address)
        with pytest.raises(UserError, match="name its certificate file in SSL_CERT_FILE"):
            ask(NAME)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert ask(NAME).commit == COMMIT


def test_what_cannot_be_imported_is_not_fetched(hub: Hub, translator: Path, tmp_path: Path) -> None:
    shutil.copytree(translator, tmp_path / "bare")
    (tmp_path / "bare/source.spm").unlink()
    shutil.copytree(translator, tmp_path / "huge")
    (tmp_path / "huge/vocab.json").write_bytes(bytes(9 * 2**20))
    hub.models |= {"me/bert": Model(translator, model_type="bert")}
    hub.models |= {"me/bare": Model(tmp_path / "bare"), "me/huge": Model(tmp_path / "huge")}
    for name, sentence in (
        ("me/bert", "of the kind “bert”; only “marian” can be imported"),
        ("me/bare", "has no file source.spm"),
        ("me/huge", "vocab.json is larger than in any model"),
    ):
        with pytest.raises(UserError, match=sentence):
            imported(name)
    assert hub.sent == 0


def test_pickled_weights_come_only_where_there_are_no_others(
    hub: Hub, translator: Path, tmp_path: Path
) -> None:
    shutil.copytree(translator, tmp_path / "both")
    (tmp_path / "both/pytorch_model.bin").write_bytes(b"no pickle")
    hub.models |= {"me/both": Model(tmp_path / "both")}
    assert {file.name for file in ask("me/both").files} == READ
    (tmp_path / "both/model.safetensors").unlink()
    assert "pytorch_model.bin" in {file.name for file in ask("me/both").files}


def test_a_download_that_stops_is_tried_once_more_from_where_it_was(
    hub: Hub, offer: HubOffer
) -> None:
    hub.breaks = 1
    fetched(offer)
    assert names() == [".fetch", "opus-mt-es-en"]
    assert hub.sent == offer.size, "something came twice"
    assert not [path for path in paths(hub) if "xet" in path]


def test_one_that_stops_twice_is_a_sentence_and_goes_on_the_next_time(
    hub: Hub, offer: HubOffer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "SECONDS_WITHOUT_A_BYTE", 1)
    hub.stalls = 2
    with pytest.raises(UserError, match="Nothing came for 1 seconds, twice"):
        fetched(offer)
    known = job.current()
    assert known is not None
    assert known.status.state == "failed"
    assert known.status.error is not None
    assert 0 < known.there < offer.size
    assert names() == [".fetch"]
    fetched(offer)
    assert hub.sent == offer.size


def test_what_came_damaged_is_not_imported_and_comes_again(hub: Hub, offer: HubOffer) -> None:
    hub.damages = 1
    with pytest.raises(UserError, match=r"model\.safetensors did not come as .* lists it"):
        fetched(offer)
    assert names() == [".fetch"]
    fetched(offer)
    assert names() == [".fetch", "opus-mt-es-en"]


def test_a_full_disk_is_a_sentence_before_and_while_it_fills_up(
    hub: Hub, offer: HubOffer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with mounted(tmp_path / "small", "size=400k"):
        monkeypatch.setattr(checkpoint, "MODELS", tmp_path / "small/models")
        with pytest.raises(UserError, match=r"takes 1 MB on the disk, and 0 MB are free"):
            fetched(offer)
        # Something else may fill it up meanwhile.
        monkeypatch.setattr(job, "_refuse_without_space", lambda *_given: None)
        with pytest.raises(UserError, match="no space is left on the disk"):
            fetched(offer)
        assert checkpoint.imported_names() == []


# tests/browser/test_fetching.py lets such a process come to its end.
def test_a_visitor_stops_it_and_goes_on(hub: Hub, offer: HubOffer) -> None:
    hub.pause = 0.1
    job.start(offer)
    with pytest.raises(UserError, match=f"{NAME} is being fetched"):
        job.start(offer)
    with pytest.raises(UserError, match=f"{NAME} is being fetched"):
        job.discard()
    wait_for(lambda: 0.1 < there(offer) < 0.7)
    job.stop()
    wait_for(lambda: job._folder().status().state == "stopped" and stands_still(hub))
    assert hub.sent < 0.9 * offer.size, "the child went on"
    assert names() == [".fetch"]
    hub.pause = 0
    fetched(offer)
    assert hub.sent < 1.2 * offer.size
    assert checkpoint.imported_names() == ["models/opus-mt-es-en"]
    job.discard()
    assert names() == ["opus-mt-es-en"]


def test_what_is_killed_leaves_nothing_half_imported_and_no_child(
    hub: Hub, offer: HubOffer
) -> None:
    hub.pause = 0.1
    folder = job.prepare(offer)
    process = subprocess.Popen(
        [sys.executable, "-m", "model.hub.worker", str(folder.path)],
        cwd=ROOT,
        env=os.environ | {"MODELS_DIR": str(checkpoint.MODELS)},
    )
    wait_for(lambda: there(offer) > 0.1)
    process.kill()
    process.wait()
    assert folder.status().state == "interrupted"
    wait_for(lambda: stands_still(hub))
    assert hub.sent < 0.9 * offer.size, "the child went on"
    hub.pause = 0
    fetched(offer)
    assert checkpoint.imported_names() == ["models/opus-mt-es-en"]


def test_another_commit_begins_anew(hub: Hub, offer: HubOffer) -> None:
    folder = job.prepare(offer)
    (folder.path / "files").mkdir()
    folder.write_status(Status("failed"))
    job.prepare(offer)
    assert (folder.path / "files").exists()
    folder.write_status(Status("failed"))
    job.prepare(HubOffer(offer.repository, "f" * 40, offer.files[:-1], offer.licence))
    assert not (folder.path / "files").exists()


def test_a_name_that_is_taken_is_refused_before_anything_moves(
    hub: Hub, offer: HubOffer, translator: Path
) -> None:
    take_in(translator, "opus-mt-es-en")
    with pytest.raises(UserError, match="already a model"):
        job.prepare(offer, "opus-mt-es-en")
    fetched(offer)
    assert checkpoint.imported_names() == ["models/opus-mt-es-en", "models/opus-mt-es-en 2"]
    read = read_json(checkpoint.MODELS / "opus-mt-es-en 2/metrics.json")
    assert read["commit"] == COMMIT


def test_two_are_fetched_one_after_the_other_and_each_by_one_process(
    hub: Hub, offer: HubOffer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that came late to the lock once said that the other had failed."""
    monkeypatch.setattr(worker, "SECONDS_FOR_THE_LOCK", 0.1)
    folder = job.prepare(offer)
    states = worker.steps(folder)
    with worker._slot(checkpoint.MODELS) as is_free:
        assert is_free()
        assert [next(states).state for _ in range(3)] == ["queued"] * 3
        with pytest.raises(UserError, match="is being fetched"):
            next(worker.steps(folder))
        assert (folder.status().state, hub.sent) == ("queued", 0)
    assert [status.state for status in states][-1] == "finished"


def test_what_waits_or_downloads_is_small() -> None:
    """A class may have many who wait, and PyTorch takes 200 MB."""
    code = "import sys, model.hub.worker, model.hub.remote; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
