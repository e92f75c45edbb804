"""lm-evaluation-harness: its files of every generation, its sample logs, its command line."""
