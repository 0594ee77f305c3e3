"""Results as mteb's results repository takes them: gathered, checked, and copied into a folder for a pull request."""
