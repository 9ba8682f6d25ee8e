"""the first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "user_account",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "project",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner_id"],
            ["user_account.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("project", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_project_owner_id"), ["owner_id"], unique=False)

    op.create_table(
        "upload",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("owner_id", sa.String(length=64), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner_id"],
            ["user_account.id"],
        ),
        sa.PrimaryKeyConstraint("digest", "owner_id"),
    )
    op.create_table(
        "experiment",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.Column("notices", sa.Text(), nullable=False),
        sa.Column("runner", sa.String(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=True),
        sa.Column("headline", sa.String(), nullable=True),
        sa.Column("comparison", sa.Text(), nullable=True),
        sa.Column("runs_total", sa.Integer(), nullable=False),
        sa.Column("runs_ended", sa.Integer(), nullable=False),
        sa.Column("event_count", sa.Integer(), nullable=False),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("rerun_of", sa.String(length=32), nullable=True),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("started_ms", sa.BigInteger(), nullable=True),
        sa.Column("ended_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["owner_id"],
            ["user_account.id"],
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["project.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("experiment", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_experiment_digest"), ["digest"], unique=False)
        batch_op.create_index("ix_experiment_owner_id_created", ["owner_id", "id"], unique=False)
        batch_op.create_index(batch_op.f("ix_experiment_project_id"), ["project_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_experiment_state"), ["state"], unique=False)

    op.create_table(
        "event",
        sa.Column("experiment_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("run_id", sa.String(length=32), nullable=True),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["experiment_id"],
            ["experiment.id"],
        ),
        sa.PrimaryKeyConstraint("experiment_id", "number"),
    )
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.create_index("ix_event_run_kind", ["run_id", "kind"], unique=False)

    op.create_table(
        "idempotency_key",
        sa.Column("owner_id", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("request_digest", sa.String(length=64), nullable=False),
        sa.Column("experiment_id", sa.String(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["experiment_id"],
            ["experiment.id"],
        ),
        sa.ForeignKeyConstraint(
            ["owner_id"],
            ["user_account.id"],
        ),
        sa.PrimaryKeyConstraint("owner_id", "key"),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("experiment_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("runner", sa.String(), nullable=False),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("cell", sa.String(), nullable=False),
        sa.Column("replicate", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(), nullable=True),
        sa.Column("not_before_ms", sa.BigInteger(), nullable=False),
        sa.Column("lease_ms", sa.BigInteger(), nullable=True),
        sa.Column("progress", sa.String(), nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("started_ms", sa.BigInteger(), nullable=True),
        sa.Column("ended_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["experiment_id"],
            ["experiment.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("experiment_id", "position"),
    )
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.create_index("ix_run_offer", ["state", "runner", "experiment_id", "position"], unique=False)

    op.create_table(
        "share",
        sa.Column("slug", sa.String(length=64), nullable=False),
        sa.Column("experiment_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("revoked_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["experiment_id"],
            ["experiment.id"],
        ),
        sa.ForeignKeyConstraint(
            ["owner_id"],
            ["user_account.id"],
        ),
        sa.PrimaryKeyConstraint("slug"),
    )
    with op.batch_alter_table("share", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_share_experiment_id"), ["experiment_id"], unique=False)

    op.create_table(
        "run_artifact",
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"],
            ["run.id"],
        ),
        sa.PrimaryKeyConstraint("run_id", "name"),
    )
    op.create_table(
        "run_outcome",
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("experiment_id", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("samples", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("stored_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["experiment_id"],
            ["experiment.id"],
        ),
        sa.ForeignKeyConstraint(
            ["run_id"],
            ["run.id"],
        ),
        sa.PrimaryKeyConstraint("run_id"),
    )
    with op.batch_alter_table("run_outcome", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_run_outcome_experiment_id"), ["experiment_id"], unique=False)



def downgrade() -> None:
    with op.batch_alter_table("run_outcome", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_run_outcome_experiment_id"))

    op.drop_table("run_outcome")
    op.drop_table("run_artifact")
    with op.batch_alter_table("share", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_share_experiment_id"))

    op.drop_table("share")
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.drop_index("ix_run_offer")

    op.drop_table("run")
    op.drop_table("idempotency_key")
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.drop_index("ix_event_run_kind")

    op.drop_table("event")
    with op.batch_alter_table("experiment", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_experiment_state"))
        batch_op.drop_index(batch_op.f("ix_experiment_project_id"))
        batch_op.drop_index("ix_experiment_owner_id_created")
        batch_op.drop_index(batch_op.f("ix_experiment_digest"))

    op.drop_table("experiment")
    op.drop_table("upload")
    with op.batch_alter_table("project", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_project_owner_id"))

    op.drop_table("project")
    op.drop_table("user_account")
