"""People as listeners: what they are asked, the page they answer on, what their answers tell of the rule."""
