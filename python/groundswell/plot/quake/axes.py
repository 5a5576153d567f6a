"""Axes of logarithms with numbers that people read."""

from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter


def round_ticks(axis):
    """Numbers at 1, 2 and 5 of each decade, written out: 0.1, 0.2, 0.5, 1."""
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=12))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())
