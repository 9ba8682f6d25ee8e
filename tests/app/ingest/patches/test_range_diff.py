"""Two versions of a series are paired as the real `git range-diff` pairs them."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from app.ingest.patches import read_patches
from app.ingest.patches.assignment import cheapest
from app.ingest.patches.range_diff import compare, in_order, range_diff
from tests.app.ingest.patches.repositories import Repository, source

GIT_LINE = re.compile(r" *(?P<old>\d+|-): +\S+ (?P<sign>[=!<>]) +(?P<new>\d+|-): +\S+ (?P<subject>.*)$")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Branch `second` reorders, drops, adds, renames and changes what `first` holds."""
    made = Repository(tmp_path_factory.mktemp("git") / "slate")
    for name in range(6):
        made.write(f"fs/file{name}.c", source(name))
    made.commit("begin")
    made.git("tag", "base")
    for branch in ("first", "second"):
        made.git("checkout", "-q", "-b", branch, "base")
        numbers = {"first": [0, 1, 2, 3, 4], "second": [1, 0, 2, 5, 4]}[branch]
        for number in numbers:
            change(made, number, branch)
    return made


def change(made: Repository, number: int, branch: str) -> None:
    lines = source(number).splitlines(keepends=True)
    for at in range(8, 50, 9):
        lines[at] = f"\tfolio_changed_{number}({at});\n"
    if branch == "second" and number == 2:
        lines[17] = "\tfolio_changed_otherwise(17);\n"
    made.write(f"fs/file{number}.c", "".join(lines))
    title = "another title" if branch == "second" and number == 4 else f"file {number}: change some lines"
    made.commit(f"{title}\n\nBecause of {number}.\n\nSigned-off-by: Maud Erling <maud@erling.example>")


def pairs_of_git(repository: Repository, *options: str) -> list[tuple[str, str, str, str]]:
    printed = repository.git("range-diff", "--no-color", *options, "base..first", "base..second")
    found = [GIT_LINE.match(line) for line in printed.splitlines()]
    return [(each["old"], each["sign"], each["new"], each["subject"]) for each in found if each]


def test_pairs_signs_and_order_are_those_of_git(repository: Repository) -> None:
    older = read_patches(repository.mails("-n", since="base..first"))
    newer = read_patches(repository.mails("-n", "-v2", since="base..second"))
    found = [
        (str(pair.old or "-"), pair.sign, str(pair.new or "-"), pair.subject) for pair in range_diff(older, newer).pairs
    ]
    expected = pairs_of_git(repository)
    assert {sign for _, sign, _, _ in expected} == {"=", "!", "<", ">"}
    assert found == expected


def test_two_versions_in_one_mbox_are_compared(repository: Repository) -> None:
    both = read_patches(
        repository.mails("-n", since="base..first") + repository.mails("-n", "-v2", since="base..second")
    )
    assert both.series.versions == (1, 2)
    found = compare(in_order(both, 1), in_order(both, 2))
    assert [pair.sign for pair in found.pairs] == [sign for _, sign, _, _ in pairs_of_git(repository)]


def test_the_changed_line_is_shown(repository: Repository) -> None:
    older = read_patches(repository.mails("-n", since="base..first"))
    newer = read_patches(repository.mails("-n", "-v2", since="base..second"))
    changed = next(pair for pair in range_diff(older, newer).pairs if pair.sign == "!" and pair.old == 3)
    own = [line for line in changed.difference if line[:1] in ("+", "-")]
    assert own == ["-+\tfolio_changed_2(17);", "++\tfolio_changed_otherwise(17);"]


def test_a_version_against_itself_is_all_equal(repository: Repository) -> None:
    found = read_patches(repository.mails("-n", since="base..first"))
    assert [pair.sign for pair in range_diff(found, found).pairs] == ["="] * 5


@pytest.mark.parametrize(
    ("costs", "columns"),
    [
        ([[4, 1, 3], [2, 0, 5], [3, 2, 2]], [1, 0, 2]),
        ([[1, 2], [1, 5]], [1, 0]),
        ([[5, 1, 9, 9]], [1]),
        ([], []),
    ],
)
def test_assignments_worked_out_by_hand(costs: list[list[float]], columns: list[int], tmp_path: Path) -> None:
    assert cheapest(costs) == columns


def random_rework(path: Path, seed: int) -> Repository:
    """Two branches of one series: the second with patches dropped, added, moved, renamed and changed by chance."""
    chance = random.Random(seed)
    made = Repository(path)
    count = chance.randrange(3, 8)
    for number in range(count + 3):
        made.write(f"fs/f{number}.c", source(100 * seed + number, 40))
    made.commit("begin")
    made.git("tag", "base")
    edits = {
        number: [(chance.randrange(40), chance.randrange(1000)) for _ in range(chance.randrange(1, 12))]
        for number in range(count + 3)
    }
    for branch in ("first", "second"):
        made.git("checkout", "-q", "-b", branch, "base")
        numbers = list(range(count))
        if branch == "second":
            if chance.random() < 0.4:
                chance.shuffle(numbers)
            if chance.random() < 0.5:
                numbers.pop(chance.randrange(len(numbers)))
            if chance.random() < 0.6:
                numbers.insert(chance.randrange(len(numbers) + 1), count + chance.randrange(3))
        for number in numbers:
            lines = source(100 * seed + number, 40).splitlines(keepends=True)
            again = branch == "second" and chance.random() < 0.5
            for at, value in edits[number]:
                lines[at] = f"\tchanged_{number}({value + (1000 if again and chance.random() < 0.5 else 0)});\n"
            made.write(f"fs/f{number}.c", "".join(lines))
            made.commit(f"step {number if chance.random() < 0.8 else 'of another name'}\n\nBody of {number}.\n")
    return made


@pytest.mark.parametrize("seed", range(12))
def test_series_that_were_reworked_by_chance_are_paired_as_by_git(seed: int, tmp_path: Path) -> None:
    repository = random_rework(tmp_path / "slate", seed)
    older = read_patches(repository.mails("-n", since="base..first"))
    newer = read_patches(repository.mails("-n", "-v2", since="base..second"))
    found = [
        (str(pair.old or "-"), pair.sign, str(pair.new or "-"), pair.subject) for pair in range_diff(older, newer).pairs
    ]
    assert found == pairs_of_git(repository)
