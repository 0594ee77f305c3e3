"""What rankings and embeddings of a run tell beyond the scores."""
