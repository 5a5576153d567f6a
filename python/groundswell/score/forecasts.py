"""Forecasts of the model: maps and series of one run, or of many cycles in one folder."""

import pathlib

import netCDF4
import numpy as np
from scipy.spatial import cKDTree

from groundswell.errors import refuse
from groundswell.plot.map_file import MapFile
from groundswell.plot.stations import PointFile

RADIUS_KM = 6371.229
SERIES_KM = 25.0  # farthest from a point of a series, unless the command says otherwise


class Forecast:
    """A map or a series, asked by place and time."""

    def __init__(self, path, within_km=None):
        self.path = str(path)
        self.is_map = kind_of(path) == "map"
        self.file = MapFile(path, calm=0.0) if self.is_map else PointFile(path, calm=0.0)
        self.start = self.file.start.timestamp()
        self.times = np.array([t.timestamp() for t in self.file.times])
        shape = self.file.shape if self.is_map else self.file
        self.lon, self.lat = shape.lon, shape.lat
        # A place inside a cell is at most the cell's width from its centre.
        limit = shape.size * np.radians(1.0) * RADIUS_KM if self.is_map else np.full(len(self.lon), SERIES_KM)
        self.limit = np.full(len(self.lon), within_km) if within_km else limit
        self._tree = cKDTree(unit_vectors(self.lon, self.lat))
        self._series = {}

    @property
    def fields(self):
        return list(self.file.fields)

    def nearest(self, lon, lat):
        """(index of the nearest cell or point [n], its distance km [n], whether that is near enough [n])."""
        chord, index = self._tree.query(unit_vectors(lon, lat))
        distance = 2 * RADIUS_KM * np.arcsin(np.clip(chord / 2, 0.0, 1.0))
        return index, distance, distance <= self.limit[index]

    def read(self, name, record):
        """[cells or points] values of a field."""
        if self.is_map:
            return self.file.read(name, record)
        if name not in self._series:
            self._series[name] = self.file.series(name)
        return self._series[name][record]


def unit_vectors(lon, lat):
    lon, lat = np.radians(lon), np.radians(lat)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)


def kind_of(path):
    """map, series or None."""
    try:
        with netCDF4.Dataset(path) as source:
            names = source.variables
            if {"time", "mesh_face_nodes"} <= set(names) and len(names["time"]):
                return "map"
            if (
                {"time", "station", "longitude", "latitude"} <= set(names)
                and "efth" not in names
                and len(names["time"])
            ):
                return "series"
    except OSError:
        pass
    return None


def open_forecasts(run, within_km=None):
    """[Forecast], in the order of their starts. Of a folder, and those below it, all maps, or all series where there is no map."""
    path = pathlib.Path(run)
    if not path.exists():
        refuse(run, None, None, "a map or a series that `groundswell run` wrote, or a folder of them")
    if path.is_file():
        if kind_of(path) is None:
            refuse(run, None, None, "a map or a series at points with at least one record")
        return [Forecast(path, within_km)]
    kinds = {one.resolve(): kind_of(one) for one in sorted(path.rglob("*.nc"))}
    chosen = [one for one, kind in kinds.items() if kind == "map"] or [
        one for one, kind in kinds.items() if kind
    ]
    if not chosen:
        refuse(run, None, None, "a folder with maps or series that `groundswell run` wrote")
    return sorted((Forecast(one, within_km) for one in chosen), key=lambda one: one.start)
