"""Score rows, groups and families, with their estimates."""
