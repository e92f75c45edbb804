"""Results of lighteval: one JSON file a run, and its details as Parquet, a file a task."""
