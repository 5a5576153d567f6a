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
    "hs_sea": (10, 0, 5, SURFACE, 1.0),
    "hs_swell": (10, 0, 8, SURFACE, 1.0),
    "dir": (10, 0, 14, SURFACE, 1.0),
    "tmm10": (10, 0, 15, SURFACE, 1.0),
    "ustar": (10, 0, 17, SURFACE, 1.0),
    "mss": (10, 0, 20, SURFACE, 1.0),
    "ustokes": (10, 0, 21, SURFACE, 1.0),
    "vstokes": (10, 0, 22, SURFACE, 1.0),
    "tm01": (10, 0, 25, SURFACE, 1.0),
    "tm01_sea": (10, 0, 26, SURFACE, 1.0),
    "tm01_swell": (10, 0, 27, SURFACE, 1.0),
    "tm02": (10, 0, 28, SURFACE, 1.0),
    "spread": (10, 0, 31, SURFACE, DEGREE),
    "tp": (10, 0, 34, SURFACE, 1.0),
    "dp": (10, 0, 46, SURFACE, 1.0),
    **{f"hs_part{n}": (10, 0, 46 + n, SURFACE, 1.0) for n in (1, 2, 3)},
    **{f"tm01_part{n}": (10, 0, 49 + n, SURFACE, 1.0) for n in (1, 2, 3)},
    **{f"dir_part{n}": (10, 0, 52 + n, SURFACE, 1.0) for n in (1, 2, 3)},
    "dir_swell": (10, 0, 74, SURFACE, 1.0),
    "dir_sea": (10, 0, 75, SURFACE, 1.0),
    "charnock": (10, 0, 76, SURFACE, 1.0),
    "utauoc": (10, 0, 90, SURFACE, 1.0),
    "vtauoc": (10, 0, 91, SURFACE, 1.0),
    "phioc": (10, 0, 92, SURFACE, 1.0),
    "hmax": (10, 0, 95, SURFACE, 1.0),
    "ucur": (10, 1, 2, SURFACE, 1.0),
    "vcur": (10, 1, 3, SURFACE, 1.0),
    "level": (10, 3, 1, SURFACE, 1.0),
    "depth": (10, 4, 14, SURFACE, 1.0),
    "u10": (0, 2, 2, TEN_METRES, 1.0),
    "v10": (0, 2, 3, TEN_METRES, 1.0),
}
