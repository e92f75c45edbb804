"""Situations with a known truth: two runs that a mechanism set apart, and a judge of the verdict on them."""
