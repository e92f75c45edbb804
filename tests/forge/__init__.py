"""A forge on the loopback that keeps comments and is held to the forges' published descriptions."""
