"""Logs of inspect_ai: `.eval` archives and `.json` files, one task a log."""
