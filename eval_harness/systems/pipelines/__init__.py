"""Two-stage systems: a describer puts each clip into words, and text alone is searched.

`specs.open_pipeline("yamnet+minilm", data=...)` opens one by its name.
"""
