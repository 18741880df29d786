"""The only code that contacts another machine, in a process of its own because it may hang.

`python -m model.hub.remote ask NAME` prints what the hub offers under a name, and `… download
FOLDER` downloads the files of FOLDER/offer.json into FOLDER/files; both print one JSON object.
Files come over plain HTTP instead of xet, which has hung, and keeps nothing to resume from.
"""

import hashlib
import json
import os
import ssl
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, Final
from urllib.parse import urlsplit
from urllib.request import getproxies

import httpx2
from huggingface_hub import HfApi, constants, get_session, hf_hub_url, hf_raise_for_status
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
)
from huggingface_hub.hf_api import ModelInfo, RepoSibling
from huggingface_hub.utils import build_hf_headers

from model.background import give_way
from model.errors import UserError, failure_of
from model.files import read_json
from model.hub.offer import COMMIT, HubFile, HubOffer, needed_files, part_of

SECONDS_TO_ANSWER: Final = 15.0
SHA256_DIGITS: Final = 64
LONGEST: Final = 40  # characters of a licence or a language
MOST_LANGUAGES: Final = 20


def ask(repository: str) -> HubOffer:
    """Return what the hub currently offers of a model, without downloading; raises UserError."""
    info = HfApi(token=_token()).model_info(
        repository, files_metadata=True, timeout=SECONDS_TO_ANSWER
    )
    kind = (info.config or {}).get("model_type", "marian")  # if missing, the import checks it
    if kind != "marian":
        raise UserError("other_architecture", name=str(kind)[:LONGEST])
    if info.gated and not _token():
        raise UserError("hub_gated", name=repository, hub=constants.ENDPOINT)
    if not COMMIT.fullmatch(info.sha or ""):
        raise UserError("hub_refused", hub=constants.ENDPOINT, answer="–")
    files = {one.rfilename: _file(one) for one in info.siblings or ()}
    return HubOffer(info.id, str(info.sha), needed_files(files), _licence(info), _languages(info))


def _file(one: RepoSibling) -> HubFile:
    if one.lfs is not None:
        return HubFile(one.rfilename, one.lfs.size, one.lfs.sha256)
    return HubFile(one.rfilename, -1 if one.size is None else one.size, one.blob_id or "")


def _licence(info: ModelInfo) -> str:
    licence = info.card_data.get("license") if info.card_data else None
    return licence[:LONGEST] if isinstance(licence, str) else ""


def _languages(info: ModelInfo) -> tuple[str, ...]:
    named = info.card_data.get("language") if info.card_data else None
    listed = [named] if isinstance(named, str) else named or []
    return tuple(one[:LONGEST] for one in listed[:MOST_LANGUAGES] if isinstance(one, str))


def download(offer: HubOffer, folder: Path) -> None:
    """Download the missing files, resuming each where it broke off; raises UserError."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in offer.files:
        if not (folder / file.name).exists():
            part = folder / part_of(file.name)
            with part.open("ab", buffering=0) as out:
                if out.tell() < file.size:
                    _go_on(offer, file, out)
            if _checksum(part, file) != file.checksum:
                part.unlink()
                raise UserError("hub_damaged", name=file.name, hub=constants.ENDPOINT)
            part.rename(folder / file.name)


def _go_on(offer: HubOffer, file: HubFile, out: BinaryIO) -> None:
    """Download the rest of a file, and never write more than its size."""
    url = hf_hub_url(offer.repository, file.name, revision=offer.commit)
    headers = build_hf_headers(token=_token()) | {"Accept-Encoding": "identity"}
    if out.tell():
        headers["Range"] = f"bytes={out.tell()}-"
    # There is no timeout for reading, because the parent process watches the progress.
    timeout = httpx2.Timeout(SECONDS_TO_ANSWER, read=None)
    with get_session().stream("GET", url, headers=headers, timeout=timeout) as response:
        hf_raise_for_status(response)
        if response.status_code != httpx2.codes.PARTIAL_CONTENT:
            out.truncate(0)
        size = out.seek(0, os.SEEK_END)
        for chunk in response.iter_raw():
            size += len(chunk)
            if size > file.size:
                raise UserError("hub_damaged", name=file.name, hub=constants.ENDPOINT)
            out.write(chunk)


def _checksum(path: Path, file: HubFile) -> str:
    if len(file.checksum) == SHA256_DIGITS:
        with path.open("rb") as whole:
            return hashlib.file_digest(whole, "sha256").hexdigest()
    data = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _token() -> str | bool:
    """Return the token from HF_TOKEN, never one that a login has stored."""
    return os.environ.get("HF_TOKEN") or False


def failure(error: Exception, name: str) -> UserError:
    """Return an exception as a UserError that tells users what they can do."""
    hub = constants.ENDPOINT
    if isinstance(error, OfflineModeIsEnabled):
        return UserError("hub_offline")
    if isinstance(error, GatedRepoError):
        return UserError("hub_gated", name=name, hub=hub)
    if isinstance(error, RepositoryNotFoundError):
        return UserError("hub_unknown", name=name, hub=hub)
    if isinstance(error, HfHubHTTPError):
        return _refusal(error.response.status_code, name)
    if isinstance(error, httpx2.TransportError):
        return _broken(error)
    return failure_of(error, "fetch_not_written", "fetch_broke_off")


def _refusal(status: int, name: str) -> UserError:
    if status == httpx2.codes.PROXY_AUTHENTICATION_REQUIRED:
        return UserError("hub_proxy", proxy=_proxy(), why=UserError("plain", what=str(status)))
    if status in (httpx2.codes.UNAUTHORIZED, httpx2.codes.FORBIDDEN):
        return UserError("hub_gated", name=name, hub=constants.ENDPOINT)
    return UserError("hub_refused", hub=constants.ENDPOINT, answer=str(status))


def _broken(error: httpx2.TransportError) -> UserError:
    hub, causes = constants.ENDPOINT, list(_causes(error))
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return UserError("hub_certificate", hub=hub)
    refused = isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout)
    if isinstance(error, httpx2.ProxyError) or (refused and _proxy()):
        return UserError("hub_proxy", proxy=_proxy(), why=UserError("plain", what=str(error)))
    if refused or isinstance(error, httpx2.UnsupportedProtocol):
        return UserError("hub_unreachable", hub=hub)
    return UserError("hub_broke_off", hub=hub)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _proxy() -> str:
    """Return the address of the proxy to the hub, without credentials; "" if there is none."""
    proxies, scheme = getproxies(), urlsplit(constants.ENDPOINT).scheme
    parts = urlsplit(proxies.get(scheme) or proxies.get("all") or "")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.netloc else ""


def main(command: str, what: str) -> dict[str, Any]:
    """Run the process's command; return what it prints."""
    name = what
    try:
        if command == "ask":
            return {"offer": asdict(ask(what))}
        offer = HubOffer.from_dict(read_json(Path(what) / "offer.json"))
        name = offer.repository
        download(offer, Path(what) / "files")
        return {}
    except Exception as error:
        return {"error": failure(error, name).to_dict()}


def _end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


if __name__ == "__main__":
    give_way()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.stdout.write(json.dumps(main(sys.argv[1], sys.argv[2])))
