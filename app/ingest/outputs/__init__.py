"""Reads the output of benchmarks and tests: one module a format, each finding its own by content."""
