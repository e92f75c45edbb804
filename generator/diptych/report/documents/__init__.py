"""What each kind of artifact says, in order and in words."""
