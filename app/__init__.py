"""Lodestone's web service, its pure domain and its command line."""
