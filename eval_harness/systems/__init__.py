"""Systems that are not in mteb: the scale, caption pipelines, tagger + logic, and the baseline trained here."""
