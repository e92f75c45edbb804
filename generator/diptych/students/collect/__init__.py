"""Students are asked and their results are read."""
