"""Alembic's entry: runs the migrations over the connection that `app.db.migrate` hands it."""

from __future__ import annotations

from alembic import context
from sqlmodel import SQLModel

from app.db import tables

LOADED = tables.Experiment
"""Importing the tables fills the metadata."""

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
