"""Two runs become one comparison here: pure, without file, clock, chance or screen."""
