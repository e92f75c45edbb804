"""What is known, each thing once: settings, metrics, methods, findings, words, chat templates."""
