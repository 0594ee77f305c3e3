"""From scores to findings: intervals, tests, power, foils, shortcuts, embedding spaces. Values in, frozen records out."""
