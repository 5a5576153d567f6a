"""Maps on regular grids and at points, in the formats of others."""
