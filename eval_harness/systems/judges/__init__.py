"""Models that judge one query and one text at a time: relevant, yes or no."""
