"""What notebooks show by hand: searches to be read, a random walk, one game in slow motion."""
