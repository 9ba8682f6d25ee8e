"""Renders a share as a page that needs no scripts."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from app.analysis.written import Format, written
from app.domain.metric import format_value, significant
from app.domain.plan import cell_label
from app.errors import NotFound
from app.reports.service import MEASURED_ELSEWHERE
from app.shares.latency_svg import latency_svg
from app.shares.schemas import ReportSnapshot, Snapshot


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


def share_page(snapshot: Snapshot | ReportSnapshot, slug: str, link: str) -> str:
    """Return the HTML page of a share; `link` is its own address."""
    if isinstance(snapshot, ReportSnapshot):
        compared = snapshot.report.comparison
        values: dict[str, Any] = {
            "snapshot": snapshot,
            "report": snapshot.report,
            "comparison": compared,
            "slug": slug,
            "text": None if compared is None else written_share(snapshot, "txt", link),
        }
        return _templates().get_template("report.html").render(values)
    values = {
        "snapshot": snapshot,
        "comparison": snapshot.comparison,
        "slug": slug,
        "text": written_share(snapshot, "txt", link),
        "curves": latency_svg(snapshot.latencies),
        "definition": snapshot.definition.model_dump_json(indent=2, exclude_defaults=True),
    }
    return _templates().get_template("share.html").render(values)


def written_share(snapshot: Snapshot | ReportSnapshot, suffix: Format, link: str) -> str:
    """Return a share in one of its written forms. Raises NotFound for a report whose sides could not be paired."""
    if isinstance(snapshot, ReportSnapshot):
        compared = snapshot.report.comparison
        if compared is None:
            raise NotFound("nothing in this report could be paired, so there is no comparison to write")
        return written(
            compared, suffix, title=snapshot.report.title, runner=MEASURED_ELSEWHERE, digest=snapshot.digest, link=link
        )
    return written(
        snapshot.comparison,
        suffix,
        title=snapshot.title,
        runner=snapshot.runner,
        digest=snapshot.digest,
        link=link,
    )


def missing_page(message: str) -> str:
    """Return the page of a link that leads nowhere."""
    return _templates().get_template("missing.html").render(message=message)
