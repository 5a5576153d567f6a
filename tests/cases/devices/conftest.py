"""Cases of the earthquake's tests are those of the tests here as well."""

import pathlib
import sys

QUAKE = pathlib.Path(__file__).resolve().parent.parent / "quake"
sys.path[:0] = [str(QUAKE), str(QUAKE / "slip"), str(QUAKE / "water")]
