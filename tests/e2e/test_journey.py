"""The whole way of a person through the web page, in a real browser against a real server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.service import Service

HERE = Path(__file__).parent
FRONTEND = HERE.parents[1] / "frontend"
JOURNEY_S = 330
"""The journey ends itself after four minutes."""

CLAIMS = (
    "an empty server says what to do",
    "the first page needs at most 250 kB of script, compressed",
    "an unknown option is told at its line, before anything is run",
    "the number of runs is said before Run",
    "form and text are the same definition",
    "a draft outlives a reload",
    "progress is seen while it runs",
    "one double click makes one experiment",
    "the job arrives to the letter",
    "the verdict and the headline are the server's",
    "the table says the figures of the server's text",
    "why a verdict is what it is can be asked",
    "the latency curves of both variants are drawn, and their tail",
    "time series, stages, runs and remarks at their lines are shown",
    "the text table goes to the clipboard",
    "a share is read in a fresh browser without scripts",
    "a revoked share is gone",
    "an experiment is defined and run by keyboard alone",
    "the sheet of keys opens and closes by keyboard",
    "an experiment begins another one with its text",
    "a running experiment is cancelled",
    "an experiment is run again",
    "what the server refuses is told at its field and line",
    "the reference names every device with its sources",
    "an address that leads nowhere says so",
    "nothing moves while a page fills",
    "the theme that was chosen outlives a reload",
    "text from outside is only ever text",
    "the list is filtered by the address",
    "a page is shown from its top, and the one before as it was left",
    "a pasted mail says what it is, and what it is not",
    "a mail is kept as a report with its comparison",
    "a figure leads to its line",
    "its reader says which label is which side",
    "a report is shared and read without scripts",
    "a report becomes an experiment",
    "reports are listed beside the experiments",
    "what is no patch is said to be none",
    "a series is read with its warnings",
    "a patch opens by keyboard and shows its diff",
    "two versions are compared",
    "series are listed and found by their words",
    "a matrix is seen at a glance",
    "a broken stream is mended by itself",
    "a server that is away is said to be, until it answers again",
    "no page reaches beyond a width of 360 pixels",
    "axe finds nothing against WCAG 2.2 A and AA, at either width and in either theme",
    "nothing is complained about on the console",
    "no other host is asked for anything",
    "the journey comes to its end",
)


def needed() -> tuple[str, str]:
    """Return the programs node and chromium; skip with the reason where the journey cannot be made."""
    node, chromium = shutil.which("node"), shutil.which("chromium") or shutil.which("google-chrome")
    if node is None:
        pytest.skip("no node: install Debian's nodejs, or run `make test`, which brings one")
    if chromium is None:
        pytest.skip("no browser: install Debian's chromium (make test does as root)")
    for made in (FRONTEND / "node_modules" / "playwright-core", FRONTEND / "dist" / "index.html"):
        if not made.exists():
            pytest.skip(f"{made} is missing: run `make setup`")
    return node, chromium


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the screenshots go: LODESTONE_SCREENSHOTS, or a temporary folder."""
    given = os.environ.get("LODESTONE_SCREENSHOTS")
    made = Path(given) if given else tmp_path_factory.mktemp("screenshots")
    made.mkdir(parents=True, exist_ok=True)
    return made


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> dict[str, str]:
    """What the browser saw of each claim: empty where it held, else what was wrong."""
    node, chromium = needed()
    data_dir = tmp_path_factory.mktemp("journey") / "data"
    with Service(data_dir, LODESTONE_WORKERS="1") as service:
        command = [node, str(HERE / "journey.mjs"), service.address, chromium, str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=JOURNEY_S, check=False)
    assert done.stdout.strip(), done.stderr
    found: dict[str, str] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


@pytest.mark.parametrize("claim", CLAIMS)
def test_in_a_real_browser(claim: str, seen: dict[str, str]) -> None:
    assert seen.get(claim, f"not reached: {seen.get('the journey comes to its end')}") == ""


def test_every_claim_of_the_journey_is_asserted(seen: dict[str, str]) -> None:
    assert set(seen) <= set(CLAIMS)


def test_each_page_was_photographed_in_both_themes_and_widths(seen: dict[str, str], folder: Path) -> None:
    assert seen
    pages = ("home-empty", "home", "new", "experiment", "reference", "report", "series", "patches", "not-found")
    wanted = {f"{page}-{width}-{theme}.png" for page in pages for width in (1400, 360) for theme in ("light", "dark")}
    assert wanted <= {path.name for path in folder.iterdir()}
