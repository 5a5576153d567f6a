"""A laboratory in Python: cases that Python steps and changes, and the runtime for a model written in NumPy."""

from groundswell.lab.halo import Halo
from groundswell.lab.output import File, Output, Servers
from groundswell.lab.runtime import Defect, Failed, Refused, world
from groundswell.lab.simulation import Case, Moment, Simulation, study

__all__ = [
    "Case",
    "Defect",
    "Failed",
    "File",
    "Halo",
    "Moment",
    "Output",
    "Refused",
    "Servers",
    "Simulation",
    "study",
    "world",
]
