"""What the logged samples of two runs show, as counts."""
