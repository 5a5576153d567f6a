"""Rock and stress of other programs, as grids that the model reads."""
