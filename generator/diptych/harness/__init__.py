"""Runs come in here: each reader knows one harness's files and returns a `Run`."""
