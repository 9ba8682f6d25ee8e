"""Reads fio job files, alone or inside other documents."""

from app.ingest.fio_job.document import lint_document, read
from app.ingest.fio_job.find import find_jobs
from app.ingest.fio_job.parse import parse

__all__ = ["find_jobs", "lint_document", "parse", "read"]
