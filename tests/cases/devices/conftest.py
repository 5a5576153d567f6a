"""Cases of the earthquake's tests are those of the tests here as well."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "quake"))
