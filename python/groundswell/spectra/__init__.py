"""Directional spectra of other programs, and the points where runs hand them to each other."""
