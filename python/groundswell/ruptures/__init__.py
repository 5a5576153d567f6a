"""Finite-fault models of earthquakes as archives hand them out."""
