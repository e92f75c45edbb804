"""The version of what writes an artifact: every room below the package's door stamps it."""

VERSION = "0.1.0"
