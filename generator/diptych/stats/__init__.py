"""Statistics on plain numbers: no run, no task, no file is known here."""
