"""What any artifact keeps, whatever it is about: eleven rules, each one function with one sentence."""
