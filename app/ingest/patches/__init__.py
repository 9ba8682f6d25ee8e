"""Reads patches in any mail disguise: mbox, .eml, pages, plain diffs, into one series with its warnings."""

from app.ingest.patches.read import read_patches

__all__ = ["read_patches"]
