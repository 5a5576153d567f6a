"""A mesh file that cannot be right is refused with file, variable, value and what was expected; exit code 2, one message."""

import netCDF4
import numpy as np
import pytest
from launching import groundswell, refused, swell_case, write_case


def copy_without(source, target, dropped=(), shorter=None):
    """Copies a mesh file but for some variables; `shorter` is one that loses its last row."""
    with netCDF4.Dataset(source) as old, netCDF4.Dataset(target, "w", format="NETCDF3_64BIT_DATA") as new:
        new.setncatts({name: old.getncattr(name) for name in old.ncattrs()})
        for name, dimension in old.dimensions.items():
            new.createDimension(name, len(dimension))
        for name, variable in old.variables.items():
            if name in dropped:
                continue
            dimensions, values = variable.dimensions, variable[:]
            if name == shorter:
                values = values[:-1]
                new.createDimension("fewer", len(values))
                dimensions = ("fewer", *dimensions[1:])
            new.createVariable(name, variable.dtype, dimensions)[:] = values


def put(name, place, value):
    def spoil(path):
        with netCDF4.Dataset(path, "a") as mesh:
            mesh[name].set_auto_mask(False)
            mesh[name][place] = value

    return spoil


def scale(name, factor):
    def spoil(path):
        with netCDF4.Dataset(path, "a") as mesh:
            mesh[name][:] = mesh[name][:] * factor

    return spoil


# How a sound file is spoilt, and what the message must say.
SPOILED = {
    "index out of range": (put("cellsOnCell", (6, 2), 643), ["cellsOnCell(7, 3)", "643", "0 to 642"]),
    "negative index": (put("edgesOnCell", (4, 0), -1), ["edgesOnCell(5, 1)", "-1", "1 to 1920"]),
    "too many edges": (put("nEdgesOnCell", 9, 99), ["nEdgesOnCell(10)", "99", "maxEdges"]),
    "depth is NaN": (put("bottomDepth", 17, np.nan), ["bottomDepth(18)", "nan", "metres"]),
    "depth in another unit": (scale("bottomDepth", 100.0), ["bottomDepth(1)", "400000", "metres"]),
    "degrees, not radians": (scale("lonCell", 57.29578), ["lonCell", "radians"]),
    "area is 0": (put("areaCell", 3, 0.0), ["areaCell(4)", "positive area"]),
    "one area in another unit": (put("areaCell", 3, 6.0e8), ["areaCell(4) = 600000000", "by its corners"]),
    "one area beyond all": (put("areaCell", 3, 1e300), ["areaCell(4) = 1e+300", "by its corners"]),
    "lengths in km": (scale("dvEdge", 0.001), ["dvEdge(", "sphere_radius"]),
    "one-sided neighbours": (put("cellsOnCell", (20, 1), 0), ["cellsOnEdge", "cellsOnCell", "edgesOnCell"]),
    "angle turned round": (scale("angleEdge", -1.0), ["angleEdge", "anticlockwise from east"]),
}


def refuse_mesh(folder, mesh, ranks=0):
    case = write_case(folder / "case.toml", swell_case(mesh))
    outcome = groundswell("run", case, "--output", folder / "output", ranks=ranks)
    message = refused(outcome, mesh.name)
    assert not (folder / "output").exists()
    return message


@pytest.mark.parametrize("name", SPOILED)
def test_spoiled_values(sphere_mesh, tmp_path, name):
    spoil, words = SPOILED[name]
    mesh = tmp_path / "spoiled.nc"
    mesh.write_bytes(sphere_mesh.read_bytes())
    spoil(mesh)
    message = refuse_mesh(tmp_path, mesh, ranks=2 if name == "depth is NaN" else 0)
    assert words[0] in message or name == "one-sided neighbours" and any(word in message for word in words), (
        message
    )
    assert all(word in message for word in words) or name == "one-sided neighbours", message


def test_an_angle_at_the_rim_that_is_no_number(coast_mesh, tmp_path):
    """Between two cells it is checked against their places; at the rim there is only one."""
    mesh = tmp_path / "spoiled.nc"
    mesh.write_bytes(coast_mesh.read_bytes())
    with netCDF4.Dataset(mesh) as data:
        rim = int(np.flatnonzero((data["cellsOnEdge"][:] == 0).any(axis=1))[0])
    put("angleEdge", rim, np.nan)(mesh)
    assert f"angleEdge({rim + 1}) = nan: expected an angle in radians" in refuse_mesh(tmp_path, mesh)


def test_without_cells_on_cell(sphere_mesh, tmp_path):
    mesh = tmp_path / "poor.nc"
    copy_without(sphere_mesh, mesh, dropped=["cellsOnCell"])
    assert "cellsOnCell" in refuse_mesh(tmp_path, mesh, ranks=2) and "cellsOnCell" in refuse_mesh(
        tmp_path, mesh
    )


def test_without_depth(sphere_mesh, tmp_path):
    mesh = tmp_path / "bare.nc"
    copy_without(sphere_mesh, mesh, dropped=["bottomDepth"])
    message = refuse_mesh(tmp_path, mesh)
    assert "bottomDepth" in message and "uniform_depth" in message


def test_of_wrong_size(sphere_mesh, tmp_path):
    mesh = tmp_path / "short.nc"
    copy_without(sphere_mesh, mesh, shorter="dcEdge")
    message = refuse_mesh(tmp_path, mesh)
    assert "dcEdge" in message and "1919" in message and "1920" in message


def test_cut_short_on_its_way(sphere_mesh, tmp_path):
    """Half a download."""
    mesh = tmp_path / "half.nc"
    whole = sphere_mesh.read_bytes()
    mesh.write_bytes(whole[: len(whole) // 2])
    refuse_mesh(tmp_path, mesh, ranks=2)


def test_what_is_no_mesh(wind_file, tmp_path):
    """Another NetCDF file, and a file of another kind."""
    assert "sphere_radius" in refuse_mesh(tmp_path, wind_file)
    text = tmp_path / "mesh.nc"
    text.write_text("not a mesh")
    assert "NetCDF" in refuse_mesh(tmp_path, text)


def test_all_land(sphere_mesh, tmp_path):
    mesh = tmp_path / "land.nc"
    mesh.write_bytes(sphere_mesh.read_bytes())
    put("bottomDepth", slice(None), -10.0)(mesh)
    assert "bottomDepth" in refuse_mesh(tmp_path, mesh)
