"""Files written by hand, with what no library would put into them."""

import hashlib
import io
import json
import struct
import zipfile
from collections.abc import Iterable, Mapping

from model.checkpoint import FILES
from model.runs.archive import MANIFEST

NO_UNIT = 1 << 31  # of the trie: it matches no byte


def field(number: int, value: int | bytes) -> bytes:
    """Return a field of a protocol buffer."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value: int) -> bytes:
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*written, value])


def sentence_piece(pieces: Iterable[str], charsmap: bytes = b"") -> bytes:
    """Return a .spm file of a unigram model whose pieces are all as likely."""
    score = varint(2 << 3 | 5) + struct.pack("<f", -1.0)
    listed = [field(1, field(1, piece.encode()) + score) for piece in pieces]
    return b"".join(listed) + field(2, field(3, 1)) + field(3, field(2, charsmap))


def charsmap(replaced: Mapping[bytes, bytes]) -> bytes:
    """Return a `precompiled_charsmap`: a trie with 256 places a node, then the texts."""
    nodes = {b"": 256}  # where the children of a beginning lie
    for key in replaced:
        for end in range(len(key) + 1):
            nodes.setdefault(key[:end], 256 * (len(nodes) + 1))
    units = [NO_UNIT] * (256 * (len(nodes) + 1))
    units[0] = nodes[b""] << 10
    texts = b""
    for key, base in nodes.items():
        if key:
            place = nodes[key[:-1]] ^ key[-1]
            units[place] = (place ^ base) << 10 | (key in replaced) << 8 | key[-1]
        if key in replaced:
            units[base] = NO_UNIT | len(texts)
            texts += replaced[key] + b"\0"
    return struct.pack(f"<I{len(units)}I", 4 * len(units), *units) + texts


def unzipped(data: bytes) -> dict[str, bytes]:
    """Return the files of a zip."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return files as a zip."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def signed(files: Mapping[str, bytes], changes: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a model with some changed, and the checksums of them all."""
    changed = dict(files) | dict(changes)
    sums = {name: hashlib.sha256(changed[name]).hexdigest() for name in FILES}
    return changed | {MANIFEST: json.dumps(sums).encode()}


def repacked(data: bytes, changes: Mapping[str, bytes]) -> bytes:
    """Return the zip of a model with some of its files changed, and its checksums with them."""
    return zipped(signed(unzipped(data), changes))
