"""Lists of pairs as people have them: what can be used is used, the rest is told, soon."""

import time
from pathlib import Path

import pytest

from model.text.pairs import MAX_CHARACTERS, Pair, parse_tsv, read_pairs

MEGABYTE = 2**20
# As the two sites hand them out: a licence and its authors in a third column; numbers in front.
MANYTHINGS = (
    "Go.\tVe.\tCC-BY 2.0 (France) Attribution: tatoeba.org #2877272 (CM) & #4986655 (cueyayotl)\n"
    "Hi.\tHola.\tCC-BY 2.0 (France) Attribution: tatoeba.org #538123 (CM) & #431975 (Leono)\n"
)
TATOEBA = (
    "1276\tLet's try something.\t2481\t¡Intentemos algo!\n"
    "1277\tI have to go.\t2482\tTengo que irme.\n"
)


def test_exports_are_used_as_they_come() -> None:
    assert parse_tsv(MANYTHINGS.encode()) == ([Pair("Go.", "Ve."), Pair("Hi.", "Hola.")], [])
    pairs, bad = parse_tsv(TATOEBA.encode())
    assert pairs == [
        Pair("Let's try something.", "¡Intentemos algo!"), Pair("I have to go.", "Tengo que irme."),
    ]  # fmt: skip
    assert bad == []
    bom, crlf = b"\xef\xbb\xbf", MANYTHINGS.replace("\n", "\r\n").encode()
    assert parse_tsv(bom + crlf) == parse_tsv(MANYTHINGS.encode())
    assert parse_tsv(bom + TATOEBA.encode()) == (pairs, [])


TSV = b"\n".join([
    b"\xef\xbb\xbfhola\thello",  # 1: a byte order mark
    b"adios\tbye\tCC-BY by somebody\r",  # 2: an attribution, a Windows line end
    b"",  # 3
    b"alone",  # 4
    b"a\tb\tc\td",  # 5
    b"caf\xe9\tcoffee",  # 6: Latin-1
    b"  \tblank",  # 7
    b"long\t" + b"x" * (MAX_CHARACTERS + 1),  # 8
    " sí \t yes ".encode(),  # 9
    b"\xff\xfea\x00\t\x00b\x00",  # 10: UTF-16
    b"a\t\xed\xa0\x80",  # 11: half a character
    b"x" * MEGABYTE,  # 12
    b"",
])  # fmt: skip


def test_good_lines_are_used_and_bad_ones_reported() -> None:
    pairs, bad = parse_tsv(TSV)
    assert pairs == [Pair("hola", "hello"), Pair("adios", "bye"), Pair("sí", "yes")]
    assert [(line.number, str(line.why)) for line in bad] == [
        (3, "it is blank"),
        (4, "it has 1 columns instead of 2 (or 3)"),
        (5, "it has 4 columns instead of 2 (or 3)"),
        (6, "it is not UTF-8 text"),
        (7, "one of its sentences is blank"),
        (8, f"a sentence is longer than {MAX_CHARACTERS} characters"),
        (10, "it is not UTF-8 text"),
        (11, "it is not UTF-8 text"),
        (12, "it has 1 columns instead of 2 (or 3)"),
    ]


def test_only_line_feeds_end_a_line() -> None:
    pairs, bad = parse_tsv("a\u2028b\tc\x0bd\n".encode())
    assert (len(pairs), bad) == (1, [])
    assert parse_tsv(b"\xef\xbb\xbfa\tb\r\nc\td") == ([Pair("a", "b"), Pair("c", "d")], [])
    for nothing in (b"", b"\n\n\n", b"\xef\xbb\xbf", b"\x00" * 1000):
        assert parse_tsv(nothing)[0] == []


def test_files_that_hold_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty.tsv").write_bytes(b"")
    (tmp_path / "bad.tsv").write_bytes(b"one column\n")
    (tmp_path / "utf16.tsv").write_bytes("a\tb\n".encode("utf-16"))
    for name, said in (
        ("missing.tsv", r"cannot be read: No such file"),
        (".", r"cannot be read: Is a directory"),
        ("empty.tsv", r"empty.tsv holds no sentence pair\.$"),
        ("bad.tsv", r"no sentence pair \(line 1: it has 1 columns"),
        ("utf16.tsv", "holds no sentence pair"),
    ):
        with pytest.raises(ValueError, match=said):
            read_pairs([tmp_path / name])


def test_of_too_many_lines_the_first_are_read() -> None:
    pairs, bad = parse_tsv(b"a\tb\n" * 10, most=4)
    assert len(pairs) == 4
    assert [line.number for line in bad] == [5]
    assert str(bad[0].why) == "only the first 4 lines are read"
    assert parse_tsv(b"a\tb\n" * 4, most=4)[1] == []


@pytest.mark.parametrize(
    "data",
    [b"a\tb\n" * (MEGABYTE // 8), b"\n" * (MEGABYTE // 8), b"x" * 25 * MEGABYTE, b"\t" * MEGABYTE],
    ids=["pairs", "breaks", "one line", "tabs"],
)
def test_large_files_are_read_soon(data: bytes) -> None:
    start = time.thread_time()
    parse_tsv(data)
    assert time.thread_time() - start < 1
