"""GRIB 2 through ecCodes: one message a field and time, on regular or rotated grids."""

import numpy as np

from groundswell.errors import refuse
from groundswell.grids.layout import EARTH
from groundswell.grids.parameters import PARAMETERS
from groundswell.winds.grib import eccodes_or_refused

TABLES = 32  # version of WMO's master tables, the first to hold all of the numbers used here
BITS = 16  # of a packed value: steps of 1/65535 of a message's range
MISSING = 9999.0
HOUR, MINUTE = 1, 0  # code table 4.4


class Writer:
    kinds = (".grib2", ".grb2", ".grib")

    def __init__(self, partial, grid, source, sea_fraction, options):
        self.codes = eccodes_or_refused()
        for field in source.fields:
            if field.name not in PARAMETERS:
                refuse(
                    source.path,
                    "--fields",
                    field.name,
                    f"fields that GRIB 2 has a number for: {', '.join(PARAMETERS)}",
                )
        self.grid, self.start, self.out = grid, source.start, open(partial, "wb")  # noqa: SIM115
        leads = [(t - source.start).total_seconds() for t in source.times]
        self.unit = HOUR if all(lead % 3600 == 0 for lead in leads) else MINUTE
        self.template = self.codes.codes_grib_new_from_samples(
            "rotated_ll_sfc_grib2" if grid.pole else "regular_ll_sfc_grib2"
        )
        for key, value in self._common(options.centre).items():
            self.codes.codes_set(self.template, key, value)

    def _common(self, centre):
        grid = self.grid
        first = grid.x[0] % 360.0
        last = first + grid.step[0] * (grid.columns - 1)
        found = {
            "tablesVersion": TABLES,
            "centre": centre,
            "significanceOfReferenceTime": 1,  # start of the forecast
            "dataDate": int(f"{self.start:%Y%m%d}"),
            "dataTime": int(f"{self.start:%H%M}"),
            "typeOfProcessedData": 1,  # forecast
            "typeOfGeneratingProcess": 2,
            "shapeOfTheEarth": 1,  # a sphere of a radius given here
            "scaleFactorOfRadiusOfSphericalEarth": 0,
            "scaledValueOfRadiusOfSphericalEarth": int(EARTH),
            "Ni": grid.columns,
            "Nj": grid.rows,
            "iDirectionIncrementInDegrees": grid.step[0],
            "jDirectionIncrementInDegrees": grid.step[1],
            "longitudeOfFirstGridPointInDegrees": first,
            "longitudeOfLastGridPointInDegrees": last % 360.0,
            "latitudeOfFirstGridPointInDegrees": float(grid.y[-1]),
            "latitudeOfLastGridPointInDegrees": float(grid.y[0]),
            "iScansNegatively": 0,
            "jScansPositively": 0,
            "uvRelativeToGrid": 0,  # eastward and northward on the Earth, on rotated grids too
            "bitmapPresent": 1,
            "missingValue": MISSING,
            "bitsPerValue": BITS,
        }
        if grid.pole:
            found |= {
                "latitudeOfSouthernPoleInDegrees": -float(grid.pole[1]),
                "longitudeOfSouthernPoleInDegrees": (float(grid.pole[0]) + 180.0) % 360.0,
                "angleOfRotationInDegrees": 0.0,
            }
        return found

    def write(self, record, time, values):
        lead = round((time - self.start).total_seconds() / (3600 if self.unit == HOUR else 60))
        for name, array in values.items():
            discipline, category, number, surface, factor = PARAMETERS[name]
            message = self.codes.codes_clone(self.template)
            try:
                keys = {"discipline": discipline, "parameterCategory": category, "parameterNumber": number}
                keys |= {"indicatorOfUnitOfTimeRange": self.unit, "forecastTime": lead, **surface}
                for key, value in keys.items():
                    self.codes.codes_set(message, key, value)
                flat = np.where(np.isfinite(array), array * factor, MISSING)[::-1]
                self.codes.codes_set_values(message, flat.ravel().astype(float))
                self.codes.codes_write(message, self.out)
            finally:
                self.codes.codes_release(message)

    def end(self):
        self.codes.codes_release(self.template)
        self.out.close()
