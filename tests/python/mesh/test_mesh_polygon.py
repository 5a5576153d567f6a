"""The region by polygons: what lies in them is in the mesh, and nothing else; lakes at levels of their own."""

import json
import pathlib

import netCDF4
import numpy as np
import pytest

from groundswell.errors import Refusal
from groundswell.mesh.coasts.polygon import read_polygons
from groundswell.mesh.make import make_mesh
from groundswell.mesh.request import make_request


def geojson(path, *features):
    made = [
        {
            "type": "Feature",
            "properties": {"level": level},
            "geometry": {"type": "Polygon", "coordinates": rings},
        }
        for rings, level in features
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": made}))
    return path


def square(west, east, south, north):
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def made(**tables):
    return make_mesh(make_request("test", tables, pathlib.Path()))[0]


def test_places_inside_holes_and_across_the_date_line(tmp_path):
    shape = read_polygons(
        geojson(tmp_path / "a.json", ([square(170, -170, -5, 5), square(175, 178, -1, 1)], None))
    )
    assert shape.contains([175, 185, -175, 165, 176, -165], [3, 0, 0, 0, 0, 0]).tolist() == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]
    assert shape.box == (170, 190, -5, 5)
    lines = tmp_path / "lines.txt"
    lines.write_text("lon,lat\n-10,0\n0,0\n0,10\n\n20 0\n30 0\n20 10\n")
    shape = read_polygons(lines)
    assert len(shape.basins) == 2 and shape.box == (-10, 30, 0, 10)
    assert shape.contains([-1, 21, 10], [5, 2, 5]).tolist() == [True, True, False]


def test_a_corner_of_another_ocean_is_left_out(tmp_path):
    # Everything west of a slanting line; sides without coasts.
    cut = geojson(tmp_path / "cut.json", ([[[0, 0], [6, 0], [2, 6], [0, 6], [0, 0]]], None))
    arrays = made(
        bathymetry={"depth": 100.0},
        region={"polygon": str(cut)},
        spacing={"finest_km": 50},
        mesh={"iterations": 10},
    )
    lon, lat = np.degrees(arrays["lonCell"]), np.degrees(arrays["latCell"])
    assert (lon < 6 - 4 / 6 * lat).all() and lon.max() > 5.3 and lat.max() > 5.5
    # 24 square degrees of cells of 50 km.
    area = 4 * 6 * 111.2**2 * 1e6
    assert arrays["areaCell"].sum() == pytest.approx(area, rel=0.04)


def test_two_lakes_at_levels_of_their_own_in_one_mesh(tmp_path):
    axis = np.arange(0, 6, 0.02)
    lon, lat = np.meshgrid(axis, axis)
    z = np.full(lon.shape, 300.0)
    z[(np.abs(lon - 1.5) < 1.2) & (np.abs(lat - 3) < 2)] = 180.0 - 50.0
    z[(np.abs(lon - 4.5) < 1.2) & (np.abs(lat - 3) < 2)] = 75.0 - 20.0
    with netCDF4.Dataset(tmp_path / "lakes.nc", "w") as out:
        for name, units in (("lon", "degrees_east"), ("lat", "degrees_north")):
            out.createDimension(name, len(axis))
            variable = out.createVariable(name, "f8", (name,))
            variable.units, variable[:] = units, axis
        out.createVariable("elevation", "f4", ("lat", "lon"))[:] = z
    shore = geojson(
        tmp_path / "lakes.json", ([square(0.1, 3, 0.5, 5.5)], 180), ([square(3, 5.9, 0.5, 5.5)], 75)
    )
    arrays = made(
        bathymetry={"file": str(tmp_path / "lakes.nc")},
        region={"polygon": str(shore)},
        spacing={"finest_km": 25},
        mesh={"iterations": 10},
    )
    west = np.degrees(arrays["lonCell"]) < 3
    assert west.sum() > 100 and (~west).sum() > 100
    assert arrays["bottomDepth"][west] == pytest.approx(50, abs=3)
    assert arrays["bottomDepth"][~west] == pytest.approx(20, abs=3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "GeoJSON"),
        ("{", "JSON"),
        ('{"type": "Point", "coordinates": [0, 0]}', "Polygon or MultiPolygon"),
        ('{"type": "Polygon", "coordinates": [[[0, 0], [1, 1]]]}', "three corners"),
        ('{"type": "Polygon", "coordinates": [[[0, 0], [1, 95], [2, 0]]]}', "in that order"),
        ('{"type": "Polygon", "coordinates": [[[0, 60], [120, 60], [240, 60]]]}', "go round a pole"),
        ("0,0\n1,0\nx,1\n", "longitude,latitude"),
    ],
)
def test_what_is_no_polygon_is_refused(tmp_path, text, expected):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(Refusal, match=expected):
        read_polygons(path)
