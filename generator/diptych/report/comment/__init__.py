"""What a comment on a pull request says, within a forge's limit."""
