"""Python side of Groundswell: meshes from bathymetry, quality reports and pictures."""

__version__ = "0.1.0"
