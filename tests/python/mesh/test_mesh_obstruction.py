"""What islands smaller than a cell let through: their width, once, wherever they lie; and against the grid of another model."""

import gzip
import os
import pathlib

import netCDF4
import numpy as np
import pytest

from groundswell import mesh_cli
from groundswell.mesh import sphere
from groundswell.mesh.coasts import obstruction
from groundswell.mesh.make import make_obstructed
from groundswell.mesh.request import make_request

RADIUS = sphere.EARTH_RADIUS
KM = 1000 / RADIUS / np.radians(1)  # degrees of latitude


def write_sea(path, islands, step=1.0, land=lambda lon, lat: lon < -90):
    """Elevation on 0…6°E 0…6°N with points `step` km apart: 4000 m deep but for round islands (lon, lat, radius in km) and `land`."""
    axis = np.arange(0, 6 + 1e-9, step * KM)
    lon, lat = np.meshgrid(axis, axis)
    z = np.where(land(lon, lat), 100.0, -4000.0)
    for x, y, radius in islands:
        z[np.hypot((lon - x) * np.cos(np.radians(lat)), lat - y) < radius * KM] = 100.0
    with netCDF4.Dataset(path, "w") as out:
        for name, units in (("lon", "degrees_east"), ("lat", "degrees_north")):
            out.createDimension(name, len(axis))
            variable = out.createVariable(name, "f8", (name,))
            variable.units, variable[:] = units, axis
        out.createVariable("elevation", "f4", ("lat", "lon"))[:] = z
    return path


def made(path, **mesh):
    tables = {
        "bathymetry": {"file": str(path)},
        "region": {"west": 0.2, "east": 5.8, "south": 0.2, "north": 5.8},
        "spacing": {"finest_km": 50},
        "mesh": {"obstruction": True, "iterations": 20, **mesh},
    }
    arrays, _, found = make_obstructed(make_request("test", tables, pathlib.Path()))
    return arrays, found


def hidden(arrays, found):
    """Width (m) that the coasts of each cell hide, by bearing: of its faces those to cells without land have √T, the others less."""
    bearings = 2 * np.pi / found.transparency.shape[1] * np.arange(found.transparency.shape[1])
    front = obstruction._width(arrays, len(arrays["lonCell"]), bearings)
    through = np.ones(front.shape)
    for cell in np.unique(found.cells):
        mine = (found.cells == cell).any(axis=1)
        if mine.sum() == (arrays["cellsOnCell"][cell - 1] > 0).sum():
            through[cell - 1] = (found.transparency[mine] ** 2).max(axis=0)
    return (1 - through) * front


def test_an_island_hides_its_width_once_wherever_it_lies(tmp_path):
    # 50 km cells: in the middle of one, on a face, and at a corner.
    empty = write_sea(tmp_path / "empty.nc", [(0.3, 0.3, 1.0)])
    arrays, _ = made(empty)
    inner = np.flatnonzero((arrays["cellsOnEdge"] > 0).all(axis=1))
    lon, lat = np.degrees(arrays["lonEdge"][inner]), np.degrees(arrays["latEdge"][inner])
    face = np.argmin(np.hypot(lon - 3, lat - 3))
    cell = arrays["cellsOnEdge"][inner[face], 0] - 1
    corner = arrays["verticesOnEdge"][inner[face], 0] - 1
    places = {
        "middle": (arrays["lonCell"][cell], arrays["latCell"][cell]),
        "face": (np.radians(lon[face]), np.radians(lat[face])),
        "corner": (arrays["lonVertex"][corner], arrays["latVertex"][corner]),
    }
    for where, place in places.items():
        x, y = np.degrees(place)
        again, found = made(write_sea(tmp_path / f"{where}.nc", [(x, y, 8.0)]))
        assert (again["lonCell"] == arrays["lonCell"]).all()
        total = hidden(again, found).sum(axis=0)
        # Pixels of up to 3 km, and what one coast hides of another across a face.
        assert total == pytest.approx(np.full(len(total), 16e3), rel=0.25), where
        assert total.mean() == pytest.approx(16e3, rel=0.15), where


def test_a_reef_along_a_meridian_stops_what_crosses_it_and_not_what_runs_along(tmp_path):
    arrays, found = made(
        write_sea(
            tmp_path / "wall.nc", [], land=lambda lon, lat: (np.abs(lon - 3) < 0.03) & (lat > 1) & (lat < 5)
        )
    )
    middle = np.degrees(arrays["latCell"][found.cells - 1]).mean(axis=1)
    inside = (middle > 2) & (middle < 4)
    eastward, northward = found.transparency[:, 18], found.transparency[:, 12]  # from 270° and 180°
    bearing = arrays["angleEdge"][found.edge[inside] - 1]
    across = np.abs(np.cos(bearing)) > 0.5
    assert eastward[inside].min() < 0.1 and eastward[inside][across].mean() < 0.5
    assert northward[inside].mean() > 0.9
    assert found.transparency[:, 6].mean() == pytest.approx(eastward.mean(), abs=0.03)  # the other way round


def test_the_coast_of_land_with_cells_of_its_own_counts_for_nothing(tmp_path):
    arrays, found = made(write_sea(tmp_path / "coast.nc", [(4.0, 3.0, 8.0)], land=lambda lon, lat: lon < 2.2))
    assert len(arrays["lonCell"]) > 50
    assert len(found.edge) and np.degrees(arrays["lonEdge"][found.edge - 1]).min() > 3.0


def test_the_command_writes_it_beside_the_mesh(tmp_path, capsys):
    sea = write_sea(tmp_path / "sea.nc", [(3.0, 3.0, 8.0)], step=2.0)
    command = [
        "make",
        str(sea),
        "--output",
        str(tmp_path / "mesh.nc"),
        "--region",
        "1,5,1,5",
        "--spacing",
        "50",
    ]
    assert mesh_cli.main([*command, "--obstruction"]) == 0
    assert "obstructed faces" in capsys.readouterr().out
    with (
        netCDF4.Dataset(tmp_path / "mesh.obstruction.nc") as file,
        netCDF4.Dataset(tmp_path / "mesh.nc") as mesh,
    ):
        assert file.mesh_cells == mesh.dimensions["nCells"].size and file.mesh_file_id == mesh.file_id
        pairs, through = file["cells"][:], file["transparency"][:]
        assert (mesh["cellsOnEdge"][:][file["edge"][:] - 1] == pairs).all()
        assert through.min() > 0.5 and through.max() <= 1 and len(pairs) >= 5
    flat = ["make", "--depth", "100", "--obstruction", "--region", "1,5,1,5", "--spacing", "50"]
    assert mesh_cli.main([*flat, "--output", str(tmp_path / "flat.nc")]) == 2
    assert "islands" in capsys.readouterr().err


def test_where_another_model_has_obstruction_there_is_some_here():
    """The grid of WAVEWATCH III, 0.5°, was made from coasts at full detail; here from elevations 9 km apart, banks of 10 m counted."""
    folder = os.environ.get("GROUNDSWELL_TEST_DATA")
    if not folder:
        pytest.skip("GROUNDSWELL_TEST_DATA names no folder")
    data = pathlib.Path(folder) / "bathymetry"
    tables = {
        "bathymetry": {"file": str(data / "etopo5_wnatl_260-320E_5-50N.nc")},
        "region": {"west": -85.0, "east": -55.0, "south": 10.0, "north": 28.0},
        "spacing": {"finest_km": 52},
        "mesh": {"obstruction": True, "reef_depth": 10.0, "iterations": 15},
    }
    arrays, _, found = make_obstructed(make_request("test", tables, pathlib.Path()))
    with gzip.open(data / "ww3_glo_30m.obst.gz", "rt") as text:
        theirs = 0.01 * np.array(text.read().split(), float).reshape(2, 311, 720)
    with gzip.open(data / "ww3_glo_30m.mask.gz", "rt") as text:
        wet = np.array(text.read().split(), float).reshape(311, 720) > 0
    rows, columns = slice(175, 211), slice(550, 610)  # 10…28°N, 85…55°W, in boxes of 2°
    row, column = (
        (np.degrees(arrays["latEdge"]) - 10) // 2,
        np.mod(np.degrees(arrays["lonEdge"]) + 85, 360) // 2,
    )
    inside, box = (row >= 0) & (row < 9) & (column >= 0) & (column < 15), (15 * row + column).astype(int)
    for axis, bearings in ((0, (6, 18)), (1, (0, 12))):
        opacity = np.zeros(len(box))
        opacity[found.edge - 1] = 1 - found.transparency[:, bearings].mean(axis=1) ** 2
        mine = np.bincount(box[inside], opacity[inside], 135) / np.maximum(
            np.bincount(box[inside], minlength=135), 1
        )
        boxes = [
            a[rows, columns].reshape(9, 4, 15, 4).sum(axis=(1, 3)).ravel()
            for a in (theirs[axis] * wet, wet * 1.0)
        ]
        other = boxes[0] / np.maximum(boxes[1], 1)
        assert np.corrcoef(mine, other)[0, 1] > 0.5
        assert 0.3 < mine.mean() / other.mean() < 2
