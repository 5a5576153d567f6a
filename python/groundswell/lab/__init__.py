"""A laboratory in Python: the runtime for a model written in NumPy."""

from groundswell.lab.halo import Halo
from groundswell.lab.output import File, Output, Servers
from groundswell.lab.runtime import Defect, Failed, Refused, world

__all__ = ["Defect", "Failed", "File", "Halo", "Output", "Refused", "Servers", "world"]
