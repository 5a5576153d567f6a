"""A ground mesh whose tables hold something else than numbers is refused by every command that reads one."""

import netCDF4
import numpy as np
import pytest
from launching import groundswell, refused, write_case


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    path = tmp_path_factory.mktemp("ground") / "box.h5"
    made = groundswell("mesh", "make", "--box", "2,2,2", "--length", "1e3,1e3,1e3", "--output", path)
    assert made.code == 0, made.stderr
    return path


def with_other_values(ground, path, changed, kind, value):
    """The same mesh, but for one table, of this type."""
    with netCDF4.Dataset(ground) as old, netCDF4.Dataset(path, "w") as new:
        for name, dimension in old.dimensions.items():
            new.createDimension(name, len(dimension))
        for name, variable in old.variables.items():
            made = new.createVariable(name, kind if name == changed else variable.dtype, variable.dimensions)
            if name == changed and value is not None:
                made[:] = np.full(variable.shape, value, dtype=object if kind is str else made.dtype)
            elif name != changed:
                made[:] = variable[:]
            made.setncatts({key: variable.getncattr(key) for key in variable.ncattrs()})
        new.setncatts({key: old.getncattr(key) for key in old.ncattrs()})
    return path


TEXT = [("S1", b"a", ["text", "expected numbers"]), (str, "5", ["strings", "expected numbers"])]
NOT_WHOLE = [("f8", np.nan, ["nan", "whole numbers"]), ("f8", 0.5, ["0.5", "whole numbers"])]


@pytest.mark.parametrize(
    "table, kind, value, words",
    [
        *(("geometry", *each) for each in TEXT),
        *((table, *each) for table in ("group", "boundary", "connect") for each in TEXT + NOT_WHOLE),
    ],
)
def test_other_types_are_refused(ground, tmp_path, table, kind, value, words):
    mesh = with_other_values(ground, tmp_path / "other.h5", table, kind, value)
    case = write_case(
        tmp_path / "case.toml",
        {
            "model": "quake",
            "time": {"end": "1s"},
            "mesh": {"file": str(mesh)},
            "material": {"rock": [{"density": 2700, "vp": 6000, "vs": 3464}]},
        },
    )
    improve = ["mesh", "improve", mesh, "--output", tmp_path / "mended.h5"]
    for command in (["run", case, "--check"], ["mesh", "info", mesh], ["clusters", mesh], improve):
        refused(groundswell(*command), table, *words)


@pytest.mark.parametrize(
    "suffix, beginning",
    [
        ("vtu", '<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="0.1">'),
        ("vtk", "# vtk DataFile Version 5.1\nwritten by meshio\nBINARY\n"),
        ("xdmf", '<Xdmf Version="3.0"><Domain><Grid Name="Grid">'),
    ],
)
def test_meshes_of_vtk_and_xdmf_are_refused_with_what_converts_them(tmp_path, suffix, beginning):
    mesh = tmp_path / f"a.b.{suffix}"
    mesh.write_text(beginning + "\n" * 3)
    converted = f"meshio convert {mesh} {tmp_path}/a.b.msh --output-format gmsh22"
    said = refused(groundswell("clusters", mesh), "a mesh of tetrahedra", converted)
    assert ("PUML mesh" in said) == (suffix == "xdmf")


def test_other_text_is_refused_without_a_command(tmp_path):
    mesh = tmp_path / "a.xml"
    mesh.write_text('<?xml version="1.0"?>\n<kml/>\n')
    assert "meshio" not in refused(groundswell("clusters", mesh), "a mesh of tetrahedra")
