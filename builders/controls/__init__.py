"""Controls against acoustic shortcuts: the same plan, with the sound of each set's clips made alike."""
