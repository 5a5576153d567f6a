"""Areas in which a field reaches a threshold, as GeoJSON (RFC 7946): one feature for each time and level."""

import json

import numpy as np

from groundswell.errors import refuse
from groundswell.grids.geotiff import one_field
from groundswell.plot.source import iso

DIGITS = 4  # of a degree: about 10 m


class Writer:
    kinds = (".geojson",)

    def __init__(self, partial, grid, source, sea_fraction, options):
        one_field(source, "contours")
        if not options.levels:
            refuse("command line", "--levels", None, "the values of the contours, such as 4,6,9")
        if grid.columns < 2 or grid.rows < 2:
            refuse("command line", "--step", f"{grid.step[0]:g}", "at least 2 × 2 boxes for contours")
        self.partial, self.grid, self.levels, (self.field,) = partial, grid, options.levels, source.fields
        self.start, self.features = source.start, []

    def write(self, record, time, values):
        from contourpy import FillType, contour_generator

        (array,) = values.values()
        lines = contour_generator(
            self.grid.x, self.grid.y, np.ma.masked_invalid(array), fill_type=FillType.OuterOffset
        )
        highest = np.nanmax(array) if np.isfinite(array).any() else -np.inf
        for level in self.levels:
            # The upper end is beyond all values: contouring fills between two levels.
            shapes = self._shapes(*lines.filled(level, highest + 1.0)) if highest >= level else []
            if not shapes:
                continue
            said = {
                "field": self.field.name,
                "long_name": self.field.long_name,
                "units": self.field.unit,
                "at_least": level,
                "time": iso(time),
                "lead_hours": (time - self.start).total_seconds() / 3600,
            }
            geometry = {"type": "MultiPolygon", "coordinates": shapes}
            self.features.append({"type": "Feature", "properties": said, "geometry": geometry})

    def _shapes(self, points, offsets):
        """[[ring, hole…]…], outer rings counter-clockwise."""
        found = []
        for polygon, offset in zip(points, offsets):
            rings = [
                self._ring(polygon[a:b], outer=k == 0) for k, (a, b) in enumerate(zip(offset, offset[1:]))
            ]
            found.append([ring for ring in rings if len(ring) >= 4])
        return [rings for rings in found if rings]

    def _ring(self, points, outer):
        area = np.sum(points[:-1, 0] * points[1:, 1] - points[1:, 0] * points[:-1, 1])
        if (area > 0) != outer:
            points = points[::-1]
        lon, lat = self.grid.on_earth(points[:, 0], points[:, 1])
        return np.round(np.stack([lon, lat], axis=1), DIGITS).tolist()

    def end(self):
        with open(self.partial, "w", encoding="utf-8") as out:
            json.dump({"type": "FeatureCollection", "features": self.features}, out)
            out.write("\n")
