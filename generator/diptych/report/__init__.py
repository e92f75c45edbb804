"""Artifacts become text that a person reads; nothing is written to disk or worked out here."""
