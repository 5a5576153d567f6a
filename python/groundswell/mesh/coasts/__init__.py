"""Where the sea ends: regions by polygon, and islands smaller than a cell."""
