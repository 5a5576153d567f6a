"""Small files in the layouts of the model, for the tests of pictures.

The map is a grid of 1° squares, 110-122°E, 10-20°N, with one square of land at 115-116°E, 14-15°N:

    20 +--------------+
       |              |      a hill of waves of 8 m stands over the cell at 118.5°E 17.5°N in the third record,
       |     []       |      lower in the others; waves come from the north, the wind of 20 m/s from 323°
    10 +--------------+
      110            122
"""

import datetime

import netCDF4
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

HOURS = 6
FILL = 9.96921e36


def _time(out, records, start):
    out.createDimension("time", None)
    time = out.createVariable("time", "f8", ("time",))
    time.setncatts({"units": "seconds since 1970-01-01 00:00:00", "calendar": "proleptic_gregorian"})
    first = netCDF4.date2num(start, time.units, time.calendar)
    time[:] = first + 3600.0 * HOURS * np.arange(records)


def _field(out, name, dimensions, values, long_name, units, standard_name):
    variable = out.createVariable(name, "f4", dimensions, fill_value=FILL)
    variable.setncatts({"long_name": long_name, "units": units, "standard_name": standard_name})
    variable[:] = values


def squares(west=110.0, east=122.0, south=10.0, north=20.0, step=1.0, land=((115.5, 14.5),)):
    """(node_lon, node_lat, corners, lon, lat) of squares; nodes shared, longitudes written in [-180, 180)."""
    nx, ny = round((east - west) / step), round((north - south) / step)
    x, y = np.meshgrid(west + step * np.arange(nx + 1), south + step * np.arange(ny + 1))
    first = (np.arange(ny)[:, None] * (nx + 1) + np.arange(nx)[None, :]).ravel()
    corners = np.stack([first, first + 1, first + nx + 2, first + nx + 1], axis=1)
    lon, lat = x.ravel()[first] + step / 2, y.ravel()[first] + step / 2
    wet = np.array([(a, b) not in land for a, b in zip(lon, lat)])
    wrap = lambda a: (a + 180.0) % 360.0 - 180.0  # noqa: E731
    return wrap(x.ravel()), y.ravel(), corners[wet], wrap(lon[wet]), lat[wet]


def write_map(path, records=4, start=None, grid=None, peak=(118.5, 17.5), without=(), title="Test sea"):
    """A map file; returns its path."""
    start = start or datetime.datetime(2024, 9, 5, 0)
    node_lon, node_lat, corners, lon, lat = grid or squares()
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as out:
        out.title = title
        _time(out, records, start)
        out.createDimension("nFace", len(lon))
        out.createDimension("nNode", len(node_lon))
        out.createDimension("nMaxFaceNodes", 5)
        for name, values, place in (
            ("mesh_node_lon", node_lon, "nNode"),
            ("mesh_node_lat", node_lat, "nNode"),
            ("mesh_face_lon", lon, "nFace"),
            ("mesh_face_lat", lat, "nFace"),
        ):
            out.createVariable(name, "f8", (place,))[:] = values
        nodes = out.createVariable("mesh_face_nodes", "i4", ("nFace", "nMaxFaceNodes"), fill_value=-1)
        nodes.start_index = np.int32(0)
        nodes[:] = np.concatenate([corners, np.full((len(corners), 1), -1)], axis=1)
        far2 = ((lon - peak[0] + 180) % 360 - 180) ** 2 + (lat - peak[1]) ** 2
        height = 1.0 + np.array([3.0, 5.0, 7.0, 4.0] * records)[:records, None] * np.exp(-far2 / 8.0)
        flat = np.zeros((records, len(lon)))
        fields = {
            "hs": (height, "significant wave height", "m", "sea_surface_wave_significant_height"),
            "tp": (
                6 + height / 2,
                "peak wave period",
                "s",
                "sea_surface_wave_period_at_variance_spectral_density_maximum",
            ),
            "dir": (flat, "mean wave bearing, coming from", "degree", "sea_surface_wave_from_direction"),
            "u10": (flat + 12.0, "eastward wind at 10 m", "m s-1", "eastward_wind"),
            "v10": (flat - 16.0, "northward wind at 10 m", "m s-1", "northward_wind"),
        }
        for name, (values, *said) in fields.items():
            if name not in without:
                _field(out, name, ("time", "nFace"), values, *said)
    return path


def write_points(path, spectra=None, records=4):
    """A file of two points; `spectra` [time, station, frequency, direction to] with its axes makes it one of spectra."""
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as out:
        out.title = "Test sea"
        _time(out, records, datetime.datetime(2024, 9, 5, 0))
        out.createDimension("station", 2)
        out.createDimension("string40", 40)
        out.createVariable("station", "i4", ("station",))[:] = [1, 2]
        names = out.createVariable("station_name", "S1", ("station", "string40"))
        names[:] = netCDF4.stringtochar(np.array(["open sea", "bay"], dtype="S40"))
        out.createVariable("longitude", "f8", ("station",))[:] = [114.0, 116.25]
        out.createVariable("latitude", "f8", ("station",))[:] = [19.0, -3.5]
        if spectra:
            frequency, direction, density = spectra
            out.createDimension("frequency", len(frequency))
            out.createDimension("direction", len(direction))
            out.createVariable("frequency", "f8", ("frequency",))[:] = frequency
            towards = out.createVariable("direction", "f8", ("direction",))
            towards.setncatts({"units": "degree", "standard_name": "sea_surface_wave_to_direction"})
            towards[:] = direction
            _field(
                out,
                "efth",
                ("time", "station", "frequency", "direction"),
                density,
                "density",
                "m2 s rad-1",
                "sea_surface_wave_directional_variance_spectral_density",
            )
        else:
            values = np.array([[1.0, 2.0], [3.0, 2.5], [2.0, 6.0], [1.0, 1.0]])
            _field(
                out,
                "hs",
                ("time", "station"),
                values,
                "significant wave height",
                "m",
                "sea_surface_wave_significant_height",
            )
            _field(
                out,
                "dir",
                ("time", "station"),
                90 * values % 360,
                "mean wave bearing, coming from",
                "degree",
                "sea_surface_wave_from_direction",
            )
    return path


def texts(figure):
    """Everything that is written on a figure."""
    FigureCanvasAgg(figure).draw()
    return [t.get_text() for t in figure.findobj(Text) if t.get_text()]
