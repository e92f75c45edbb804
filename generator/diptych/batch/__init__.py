"""Many comparisons at once: a manifest, an executor, and one artifact a job."""
