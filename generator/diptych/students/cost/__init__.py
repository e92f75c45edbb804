"""What each student cost, with every gap named."""
