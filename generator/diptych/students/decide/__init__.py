"""Results, judge and costs become one decision: no network, no clock."""
