"""Renders a share as a page that needs no scripts."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from app.domain.metric import format_value, significant
from app.domain.plan import cell_label
from app.shares.latency_svg import latency_svg
from app.shares.schemas import Snapshot


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("app.shares"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["value"] = format_value
    environment.filters["significant"] = significant
    environment.filters["day"] = _day
    environment.filters["cell"] = cell_label
    return environment


def _day(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def share_page(snapshot: Snapshot, slug: str, text: str) -> str:
    """Return the HTML page of a shared comparison; `text` is its plain-text table."""
    values: dict[str, Any] = {
        "snapshot": snapshot,
        "comparison": snapshot.comparison,
        "slug": slug,
        "text": text,
        "curves": latency_svg(snapshot.latencies),
        "definition": snapshot.definition.model_dump_json(indent=2, exclude_defaults=True),
    }
    return _templates().get_template("share.html").render(values)


def missing_page(message: str) -> str:
    """Return the page of a link that leads nowhere."""
    return _templates().get_template("missing.html").render(message=message)
