"""From scores and clips to findings: what a corpus gives away, and what a result means."""
