"""The way into mteb: a ready pull request for its repository, with every figure that its checklist asks for."""
