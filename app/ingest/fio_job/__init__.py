"""Reads fio job files, alone or inside other documents."""

from app.ingest.fio_job.parse import parse

__all__ = ["parse"]
