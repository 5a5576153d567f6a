"""WMO's numbers of the fields in GRIB 2: WMO Manual on Codes, Volume I.2, code tables 4.2-10-0 (waves), 4.2-10-1 (currents), 4.2-10-3 (surface),
4.2-10-4 (sub-surface) and
4.2-0-2 (momentum of the air). Surfaces: code table 4.5.
"""

import math

SURFACE = {"typeOfFirstFixedSurface": 1}
TEN_METRES = {
    "typeOfFirstFixedSurface": 103,
    "scaleFactorOfFirstFixedSurface": 0,
    "scaledValueOfFirstFixedSurface": 10,
}

DEGREE = math.pi / 180  # rad

# field of the model: (discipline, category, number, surface, factor from the model's unit to WMO's)
PARAMETERS = {
    "hs": (10, 0, 3, SURFACE, 1.0),
    "dir": (10, 0, 14, SURFACE, 1.0),
    "tmm10": (10, 0, 15, SURFACE, 1.0),
    "ustar": (10, 0, 17, SURFACE, 1.0),
    "tm01": (10, 0, 25, SURFACE, 1.0),
    "tm02": (10, 0, 28, SURFACE, 1.0),
    "spread": (10, 0, 31, SURFACE, DEGREE),
    "tp": (10, 0, 34, SURFACE, 1.0),
    "dp": (10, 0, 46, SURFACE, 1.0),
    "ucur": (10, 1, 2, SURFACE, 1.0),
    "vcur": (10, 1, 3, SURFACE, 1.0),
    "level": (10, 3, 1, SURFACE, 1.0),
    "depth": (10, 4, 14, SURFACE, 1.0),
    "u10": (0, 2, 2, TEN_METRES, 1.0),
    "v10": (0, 2, 3, TEN_METRES, 1.0),
}
