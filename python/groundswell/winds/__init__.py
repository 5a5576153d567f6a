"""Winds as archives and weather services hand them out, turned into files that the model reads."""
