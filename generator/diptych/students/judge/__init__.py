"""A judge is asked, and held to its own word."""
