"""The house's own rules, held by a test: sizes, names, documents that speak of what is there, no foreign addresses."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from app.config import Settings

ROOT = Path(__file__).resolve().parents[1]
FILE_LINES_MAX = 450
FUNCTION_LINES_MAX = 75
GENERATED = re.compile(r"generated|/migrations/versions/|\.lock$|package-lock\.json$")
FORBIDDEN_NAMES = re.compile(r"(^|_)(utils?|helpers?|managers?|misc|common|v2)(_|$)")


def tracked(*suffixes: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name.endswith(suffixes) and (ROOT / name).is_file()]


def handwritten(*suffixes: str) -> list[Path]:
    return [path for path in tracked(*suffixes) if not GENERATED.search(str(path.relative_to(ROOT)))]


def test_no_file_is_too_long() -> None:
    long = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for path in handwritten(".py", ".ts", ".tsx", ".pxd")
    }
    assert {name: lines for name, lines in long.items() if lines > FILE_LINES_MAX} == {}


def test_no_function_is_too_long() -> None:
    found = {}
    for path in handwritten(".py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > FUNCTION_LINES_MAX:
                    found[f"{path.relative_to(ROOT)}:{node.name}"] = lines
    assert found == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [path for path in handwritten(".py") if FORBIDDEN_NAMES.search(path.stem)] == []


def test_every_module_says_what_it_is() -> None:
    sources = [path for path in handwritten(".py") if path.relative_to(ROOT).parts[0] in ("app", "workers", "bench")]
    silent = [
        path for path in sources if path.read_text().strip() and not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert silent == []


def test_no_file_names_a_registry_or_this_machine() -> None:
    words = [
        "pypi" + ".org",
        "python" + "hosted",
        "npm" + "js.org",
        "deb." + "debian",
        "/wo" + "rk/",
    ]
    for path in tracked(
        ".py", ".ts", ".tsx", ".md", ".json", ".lock", ".in", ".toml", ".yml", ".sh", ".html", "Makefile", "Dockerfile"
    ):
        text = path.read_text()
        assert [word for word in words if word in text] == [], path


def test_every_setting_is_documented_with_its_reason() -> None:
    page = (ROOT / "docs/operation.md").read_text()
    for name, field in Settings.model_fields.items():
        assert f"| `LODESTONE_{name.upper()}` |" in page, name
        assert str(field.description) in page, name


@pytest.mark.parametrize("page", tracked(".md"), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_in_a_document_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), target


def test_locks_hold_a_hash_for_every_package() -> None:
    for path in tracked(".lock"):
        blocks = re.split(r"\n(?=[a-zA-Z0-9])", path.read_text().strip())
        assert blocks
        assert [block.splitlines()[0] for block in blocks if "==" in block and "--hash=sha256:" not in block] == []


def test_the_page_s_lock_holds_no_addresses() -> None:
    assert '"resolved"' not in (ROOT / "frontend/package-lock.json").read_text()
