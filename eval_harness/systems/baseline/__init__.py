"""A CLAP-style dual encoder that is trained here: small, quick, and no more than a baseline."""
