"""Rendered artifacts are put where people are: an archive, a comment, a notebook."""
