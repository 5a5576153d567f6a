"""Runs beside what buoys and altimeters measured."""
