"""Metres east and north of a place: transverse Mercator on WGS 84, as src/groundswell/mesh/tetra/projection.hpp has it."""

import numpy as np

from groundswell.errors import refuse

MOST_BEND = 1e-3  # of a length


class Projection:
    """The transverse Mercator projection about an origin in degrees, not scaled there."""

    def __init__(self, longitude, latitude):
        self.longitude, self.latitude = float(longitude), float(latitude)
        try:
            import pyproj
        except ImportError:
            refuse("groundswell mesh", "pyproj", "missing", "the Python package pyproj (pip install pyproj)")
        self._proj = pyproj.Proj(self.proj())

    def proj(self):
        """In the words of the PROJ library, as the program writes them."""
        return (
            f"+proj=tmerc +lat_0={_number(self.latitude)} +lon_0={_number(self.longitude)} "
            "+k=1 +x_0=0 +y_0=0 +ellps=WGS84 +units=m"
        )

    def metres(self, longitude, latitude):
        """x and y; numbers or arrays of the same shape."""
        return self._proj(longitude, latitude)

    def degrees(self, x, y):
        """Longitude and latitude, the longitude within 180° of the origin's."""
        longitude, latitude = self._proj(x, y, inverse=True)
        return self.longitude + np.mod(longitude - self.longitude + 180.0, 360.0) - 180.0, latitude

    def bend(self, x, y):
        """The greatest part by which a length at these places is longer or shorter on the plane than on the ellipsoid."""
        scale = self._proj.get_factors(*self.degrees(np.ravel(x), np.ravel(y))).meridional_scale
        return float(np.abs(np.asarray(scale) - 1.0).max())


def _number(value):
    """As few digits as give the number again, as the program writes it."""
    return repr(value).removesuffix(".0")
