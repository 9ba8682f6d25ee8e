"""A comparison in its written forms: text for a mail, CSV, picture; one way for experiments, reports and shares."""

from __future__ import annotations

from typing import Literal

from app.analysis.render_csv import render_csv
from app.analysis.render_svg import render_svg
from app.analysis.render_text import render_text
from app.domain.comparison import Comparison

Format = Literal["txt", "csv", "svg"]
MEDIA_TYPES: dict[Format, str] = {"txt": "text/plain", "csv": "text/csv", "svg": "image/svg+xml"}


def written(
    comparison: Comparison, suffix: Format, *, title: str, runner: str, digest: str = "", link: str = ""
) -> str:
    """Return a comparison in one of its written forms; `runner` names who measured, `link` where it can be read."""
    if suffix == "csv":
        return render_csv(comparison)
    if suffix == "svg":
        return render_svg(comparison, title=f"{title} · {runner}")
    return render_text(comparison, title=title, digest=digest, runner=runner, link=link)
