"""Which settings differ, which of them cannot act, and what the samples say of the rest."""
