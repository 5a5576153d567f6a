"""Metres east and north of a place: transverse Mercator on WGS 84, as src/groundswell/mesh/tetra/projection.hpp has it, or any
other projection that the PROJ library knows."""

import re

import numpy as np

from groundswell.errors import refuse

MOST_BEND = 1e-3  # of a length


class Projection:
    """Metres of a projection onto the plane: transverse Mercator about an origin in degrees, not scaled there, or any other.

    `words`: of another, as the PROJ library has them or by the EPSG's number."""

    def __init__(self, longitude=0.0, latitude=0.0, words=None):
        self.longitude, self.latitude = float(longitude), float(latitude)
        self._words = words
        try:
            import pyproj
        except ImportError:
            refuse("groundswell mesh", "pyproj", "missing", "the Python package pyproj (pip install pyproj)")
        self._proj = pyproj.Proj(self.proj())
        self._turn = pyproj.Transformer.from_crs("EPSG:4326", words, always_xy=True) if words else self._proj

    @classmethod
    def from_words(cls, where, words):
        """Projection of `words`, refused in the name of `where` where they are none or their unit is not the metre."""
        import pyproj

        try:
            axes = pyproj.CRS(words).axis_info
            made = cls(words=words)
        except pyproj.exceptions.ProjError:
            axes = []
        if not axes or any(axis.unit_name != "metre" for axis in axes):
            refuse(
                where,
                "projection.proj",
                words,
                "a projection onto metres in the words of the PROJ library (+proj=utm +zone=11 +datum=WGS84) or by its "
                "number (EPSG:32611)",
            )
        # Longitudes are counted from that of the meridian, so that none jumps in a region across 180°.
        zone, meridian = made._proj.crs.utm_zone, re.search(r"lon_0=(-?[0-9.]+)", words)
        if zone or meridian:
            made.longitude = 6.0 * int(zone[:-1]) - 183.0 if zone else float(meridian[1])
        return made

    def proj(self):
        """In the words of the PROJ library, as the program writes them."""
        if self._words:
            return self._words
        return (
            f"+proj=tmerc +lat_0={_number(self.latitude)} +lon_0={_number(self.longitude)} "
            "+k=1 +x_0=0 +y_0=0 +ellps=WGS84 +units=m"
        )

    def metres(self, longitude, latitude):
        """x and y; numbers or arrays of the same shape."""
        return self._turn.transform(longitude, latitude) if self._words else self._proj(longitude, latitude)

    def degrees(self, x, y):
        """Longitude and latitude, the longitude within 180° of the origin's."""
        if self._words:
            longitude, latitude = self._turn.transform(x, y, direction="INVERSE")
        else:
            longitude, latitude = self._proj(x, y, inverse=True)
        return self.longitude + np.mod(longitude - self.longitude + 180.0, 360.0) - 180.0, latitude

    def bend(self, x, y):
        """The greatest part by which a length at these places is longer or shorter on the plane than on the ellipsoid."""
        scale = self._proj.get_factors(*self.degrees(np.ravel(x), np.ravel(y))).meridional_scale
        return float(np.abs(np.asarray(scale) - 1.0).max())


def _number(value):
    """As few digits as give the number again, as the program writes it."""
    return repr(value).removesuffix(".0")
