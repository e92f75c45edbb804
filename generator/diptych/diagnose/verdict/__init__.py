"""From facts to one conclusion, its next step and its words."""
