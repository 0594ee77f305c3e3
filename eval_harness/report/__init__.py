"""What people look at: one folder of pages, figures and tables made of a folder of results."""
