"""Artifacts become text that a person reads; nothing is written or reckoned here."""
