"""Lists of pairs as people have them: what can be used is used, the rest is told, soon."""

import time

import pytest

from model.text.pairs import MAX_CHARACTERS, Pair, parse_tsv

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


def test_a_bad_line_is_told_and_the_others_are_used() -> None:
    """More of them: test_batches.py."""
    for line, reason in (
        (b"1\ta\tb\tc", "it has 4 columns"),
        (b"\r", "it is blank"),
        (b"\xff\xfea\x00\t\x00b\x00", "it is not UTF-8"),
        (b"a\t\xed\xa0\x80", "it is not UTF-8"),
        (b"x" * MEGABYTE, "it has 1 columns"),
        (b"x" * MEGABYTE + b"\ty", f"longer than {MAX_CHARACTERS} characters"),
    ):
        pairs, bad = parse_tsv(b"a\tb\n" + line + b"\nc\td\n")
        assert pairs == [Pair("a", "b"), Pair("c", "d")]
        assert [one.number for one in bad] == [2]
        assert reason in str(bad[0].why)
        assert len(str(bad[0].why)) < 100


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
