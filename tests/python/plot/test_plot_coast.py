"""The coast by a file of depths: islands smaller than a cell stand on the map, water without cells does not look like sea with waves."""

import netCDF4
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from plot_files import write_map

from groundswell import plot_cli
from groundswell.errors import Refusal
from groundswell.plot import coast, maps
from groundswell.plot.chart import LAND
from groundswell.plot.map_file import MapFile
from groundswell.plot.source import parse_time

NOON = parse_time("2024-09-05T12:00:00Z")
ISLAND = (117.5, 13.5)  # the middle of a cell of 1°


def write_depths(path, west=105.0, east=127.0, south=5.0, north=25.0):
    """Sea of 100 m, an island of 0.4° in the middle of a cell, and west of 108°E land with a polder below the sea in it."""
    lon, lat = np.arange(west, east + 0.01, 0.1), np.arange(south, north + 0.01, 0.1)
    x, y = np.meshgrid(lon, lat)
    elevation = np.full(x.shape, -100.0)
    elevation[np.maximum(np.abs(x - ISLAND[0]), np.abs(y - ISLAND[1])) < 0.21] = 200.0
    elevation[x < 110.9] = 5.0
    elevation[(np.abs(x - 110.4) < 0.25) & (np.abs(y - 12.5) < 0.55)] = -3.0
    with netCDF4.Dataset(path, "w") as out:
        for name, values, unit in (("lon", lon, "degrees_east"), ("lat", lat, "degrees_north")):
            out.createDimension(name, len(values))
            axis = out.createVariable(name, "f8", (name,))
            axis.units = unit
            axis[:] = values
        out.createVariable("z", "f4", ("lat", "lon"))[:] = elevation
    return path


def colour_at(sheet, place):
    canvas = FigureCanvasAgg(sheet.figure)
    canvas.draw()
    picture = np.asarray(canvas.buffer_rgba())
    x, y = sheet.axes.transData.transform(place)
    return picture[picture.shape[0] - 1 - round(y), round(x), :3] / 255


def test_an_island_in_a_cell_is_land_and_the_cell_around_it_is_sea(tmp_path):
    path = write_map(tmp_path / "map.nc")
    plain = maps.draw_map(MapFile(path), "hs", NOON, isolines=())[0]
    drawn = maps.draw_map(MapFile(path, coast=write_depths(tmp_path / "z.nc")), "hs", NOON, isolines=())[0]
    land = pytest.approx(to_rgb(LAND), abs=0.01)
    assert colour_at(plain, ISLAND) != land and colour_at(drawn, ISLAND) == land
    beside = (ISLAND[0] + 0.35, ISLAND[1] + 0.35)
    assert colour_at(drawn, beside) == pytest.approx(colour_at(plain, beside), abs=0.01)


def test_land_without_cells_in_the_depths_is_pale_where_it_is_sea(tmp_path):
    """The square of land in the middle of the mesh is sea by the depths: no cells, but no land either."""
    sea = MapFile(write_map(tmp_path / "map.nc"), coast=write_depths(tmp_path / "z.nc"))
    drawn = maps.draw_map(sea, "hs", NOON, isolines=())[0]
    assert colour_at(drawn, (115.5, 14.5)) == pytest.approx(to_rgb(coast.BEYOND), abs=0.01)


def test_water_below_the_sea_without_a_cell_is_land():
    lon, lat = np.arange(0.0, 10.0), np.arange(0.0, 5.0)
    elevation = np.full((5, 10), 1.0)
    elevation[2, 1:3] = elevation[2, 6:9] = -1.0
    left = coast.without_inland_water(coast.Coast(lon, lat, elevation), np.array([7.2]), np.array([1.8]))
    assert (left.elevation[2, 1:3] > 0).all() and (left.elevation[2, 6:9] == -1.0).all()


def test_the_map_of_a_globe_goes_once_around(tmp_path):
    path = write_depths(tmp_path / "z.nc", -180.0, 179.9, -90.0, 90.0)
    found = coast.read_coast(path, (20.0, 380.0, -80.0, 80.0))
    assert found.lon[0] <= 20.0 and found.lon[-1] >= 380.0 and (np.diff(found.lon) > 0).all()
    island = found.elevation[
        np.argmin(np.abs(found.lat - ISLAND[1])), np.argmin(np.abs(found.lon - ISLAND[0]))
    ]
    assert island > 100.0


def test_depths_that_do_not_cover_the_map_are_refused_by_name(tmp_path, capsys):
    path = write_map(tmp_path / "map.nc")
    depths = write_depths(tmp_path / "small.nc", west=112.0)
    command = ["map", str(path), "--field", "hs", "--maximum", "--coast", str(depths)]
    assert plot_cli.main([*command, "--output", str(tmp_path / "a.png")]) == 2
    assert "small.nc" in capsys.readouterr().err and not (tmp_path / "a.png").exists()
    with pytest.raises(Refusal, match="small.nc"):
        MapFile(path, coast=depths)
