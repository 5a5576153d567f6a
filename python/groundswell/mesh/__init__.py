"""Spherical centroidal Voronoi meshes (SCVT) from bathymetry, in the MPAS mesh format."""
