"""Series of measurements in one form, wherever they come from, and who reads which file."""

import dataclasses

import numpy as np

from groundswell.errors import refuse
from groundswell.score.quantities import QUANTITIES


@dataclasses.dataclass
class Observations:
    """One buoy, or one pass of an altimeter. NaN where nothing was measured, or a flag says that it is bad."""

    path: str
    layout: str  # of the file, for people
    name: str
    time: np.ndarray  # [n] seconds since 1970-01-01 UTC, ascending
    lon: np.ndarray  # [n] degrees
    lat: np.ndarray
    values: dict  # {quantity: [n]}
    flagged: dict  # {quantity: how many values were left out by quality flags}
    along_track: bool = False
    read: int = 0  # rows of the file

    def ordered(self):
        """By time, of each time (but along a track) the first row only."""
        order = np.argsort(self.time, kind="stable")
        if not self.along_track:
            order = order[np.append(True, np.diff(self.time[order]) > 0)]
        self.read = len(self.time)
        self.time, self.lon, self.lat = self.time[order], self.lon[order], self.lat[order]
        self.values = {name: values[order] for name, values in self.values.items()}
        return self

    @property
    def quantities(self):
        return [name for name in QUANTITIES if name in self.values]


def read_observations(paths, place, places, anemometer):
    """[Observations] of these files. Text has no places: `place` (lon, lat) of the command line, or `places` {name: (lon, lat)}."""
    from groundswell.score import buoy_text, netcdf

    texts, found = [], []
    for path in paths:
        try:
            with open(path, "rb") as file:
                head = file.read(8)
        except OSError as failure:
            refuse(path, None, None, f"a file that can be read ({failure.strerror or failure})")
        if head[:3] == b"CDF" or head[:8] == b"\x89HDF\r\n\x1a\n":
            found.append(netcdf.read(path))
        else:
            texts.append(path)
    found += buoy_text.read(texts, place, places)
    for one in found:
        _bring_wind_up(one, anemometer)
        if not one.values:
            refuse(one.path, None, None, f"values of one of {', '.join(QUANTITIES)}")
    return found


def _bring_wind_up(one, height):
    """Buoys measure wind a few metres above the water, altimeters give that at 10 m. Power law over the sea (Hsu, Meindl and
    Gilhousen 1994, J. Appl. Meteor. 33, 757): U10 = U (10/z)^0.11. Without the height the wind of a buoy is not scored."""
    if one.along_track or "wind" not in one.values:
        return
    if height:
        one.values["wind"] = one.values["wind"] * (10.0 / height) ** 0.11
    else:
        del one.values["wind"]
