"""How a document is laid out: terminal, Markdown, HTML."""
