"""Readers of block traces: one module a format, each a pure function from bytes to a Trace."""
