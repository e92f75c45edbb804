"""Runs come in here: each module knows one harness's files and returns a `Run`."""
