"""Students' results, a judge and a notebook become one decision here."""
