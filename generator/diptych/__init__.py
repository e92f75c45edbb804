"""diptych: two evaluation runs side by side, and why their scores differ."""

__version__ = "0.1.0"
