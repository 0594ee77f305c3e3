"""A corpus to look at and listen to in a browser: pages made when they are asked for."""
