"""Triangle meshes of other models: every form gives the same Voronoi cells, with the nodes in their middles."""

import gzip
import os
import pathlib

import netCDF4
import numpy as np
import pytest

from groundswell import mesh_cli
from groundswell.mesh import sphere
from groundswell.mesh.mpas_file import read_mesh


def lattice(columns=12, rows=10, holes=()):
    """lon, lat, triangles (from 0) of equilateral triangles 0.1° wide about (120, 20), each row shifted by half."""
    j, i = np.divmod(np.arange(columns * rows), columns)
    lon = 120 + (0.1 * (i + 0.5 * (j % 2))) / np.cos(np.radians(20))
    lat = 20 + 0.1 * np.sqrt(0.75) * j
    triangles = []
    for row in range(rows - 1):
        for k in range(columns - 1):
            a, b, c, d = (
                row * columns + k,
                row * columns + k + 1,
                (row + 1) * columns + k,
                (row + 1) * columns + k + 1,
            )
            triangles += [(a, b, d), (a, d, c)] if row % 2 else [(a, b, c), (b, d, c)]
    return lon, lat, np.array([t for n, t in enumerate(triangles) if n not in holes])


def depth_of(lon, lat):
    return 50.0 + 10.0 * (lon - 120) + 5.0 * (lat - 20)


def fort14(lon, lat, z, triangles):
    nodes = [f"{n} {x:.9f} {y:.9f} {d:.6f}" for n, (x, y, d) in enumerate(zip(lon, lat, z), 1)]
    elements = [f"{n} 3 {a} {b} {c}" for n, (a, b, c) in enumerate(triangles + 1, 1)]
    return "\n".join(["a grid", f"{len(elements)} {len(nodes)}", *nodes, *elements, "0 = boundaries"]) + "\n"


def two_dm(lon, lat, z, triangles):
    elements = [f"E3T {n} {a} {b} {c} 1" for n, (a, b, c) in enumerate(triangles + 1, 1)]
    nodes = [f"ND {n} {x:.9e} {y:.9e} {d:.6e}" for n, (x, y, d) in enumerate(zip(lon, lat, z), 1)]
    return "\n".join(["MESH2D", *elements, *nodes]) + "\n"


def gmsh2(lon, lat, z, triangles):
    nodes = [f"{n} {x:.9f} {y:.9f} {d:.6f}" for n, (x, y, d) in enumerate(zip(lon, lat, z), 1)]
    elements = [
        "1 15 2 0 0 1",
        *(f"{n} 2 3 0 {n} 0 {a} {b} {c}" for n, (a, b, c) in enumerate(triangles + 1, 2)),
    ]
    head = ["$MeshFormat", "2 0 8", "$EndMeshFormat"]
    return "\n".join(
        [
            *head,
            "$Nodes",
            str(len(nodes)),
            *nodes,
            "$EndNodes",
            "$Elements",
            str(len(elements)),
            *elements,
            "$EndElements",
        ]
    )


def gmsh4(lon, lat, z, triangles):
    count, size = len(lon), len(triangles)
    nodes = [f"1 {count} 1 {count}", f"2 1 0 {count}", *map(str, range(1, count + 1))]
    nodes += [f"{x:.9f} {y:.9f} {d:.6f}" for x, y, d in zip(lon, lat, z)]
    elements = [f"2 {size + 1} 1 {size + 1}", "0 1 15 1", "1 1", f"2 1 2 {size}"]
    elements += [f"{n} {a} {b} {c}" for n, (a, b, c) in enumerate(triangles + 1, 2)]
    head = ["$MeshFormat", "4.1 0 8", "$EndMeshFormat"]
    return "\n".join([*head, "$Nodes", *nodes, "$EndNodes", "$Elements", *elements, "$EndElements"])


def write_ugrid(path, lon, lat, z, triangles):
    with netCDF4.Dataset(path, "w") as data:
        data.createDimension("node", len(lon))
        data.createDimension("face", len(triangles))
        data.createDimension("three", 3)
        mesh = data.createVariable("mesh", "i4")
        mesh.setncatts({"cf_role": "mesh_topology", "topology_dimension": 2, "node_coordinates": "x y"})
        mesh.face_node_connectivity = "nodes"
        for name, values in (("x", lon), ("y", lat), ("depth", z)):
            data.createVariable(name, "f8", ("node",))[:] = values
        nodes = data.createVariable("nodes", "i4", ("face", "three"))
        nodes.start_index = 1
        nodes[:] = triangles + 1
    return path


def imported(folder, path, *arguments):
    code = mesh_cli.main(
        ["import", str(path), "--output", str(folder / "mesh.nc"), "--overwrite", "--quiet", *arguments]
    )
    return read_mesh(folder / "mesh.nc")[0] if code == 0 else code


FORMS = {"fort.14": fort14, "grid.gr3": fort14, "grid.2dm": two_dm, "two.msh": gmsh2, "four.msh": gmsh4}


@pytest.mark.parametrize("name", [*FORMS, "ugrid.nc", "packed.2dm.gz"])
def test_nodes_become_the_middles_of_voronoi_cells(tmp_path, name):
    lon, lat, triangles = lattice()
    z, path = depth_of(lon, lat), tmp_path / name
    if name == "ugrid.nc":
        write_ugrid(path, lon, lat, z, triangles)
    elif name.endswith(".gz"):
        path.write_bytes(gzip.compress(two_dm(lon, lat, z, triangles).encode()))
    else:
        path.write_text(FORMS[name](lon, lat, z, triangles))
    mesh = imported(tmp_path, path)
    inner = (np.arange(120) % 12 % 11 > 0) & (np.arange(120) // 12 % 9 > 0)
    assert len(mesh["areaCell"]) == inner.sum() == 80
    assert np.allclose(np.degrees(mesh["lonCell"]), lon[inner], atol=1e-7)
    assert np.allclose(np.degrees(mesh["latCell"]), lat[inner], atol=1e-7)
    assert np.allclose(mesh["bottomDepth"], z[inner], atol=1e-5)
    assert (mesh["nEdgesOnCell"] == 6).all()
    # A hexagon's area is √3/2 times the square of the distance of its neighbours.
    expected = np.sqrt(0.75) * (np.radians(0.1) * sphere.EARTH_RADIUS) ** 2
    assert np.allclose(mesh["areaCell"], expected, rtol=0.02)


def test_triangles_that_are_not_delaunay_give_the_same_cells(tmp_path):
    """The other diagonal of some squares: the nodes alone decide."""
    lon, lat, triangles = lattice()
    turned = triangles.copy()
    for n in range(40, 60, 2):  # pairs (a, b, c), (b, d, c) or (a, b, d), (a, d, c)
        first, second = set(triangles[n]), set(triangles[n + 1])
        (p,), (q,) = first - second, second - first
        r, s = sorted(first & second)
        turned[n], turned[n + 1] = (p, r, q), (p, q, s)
    meshes = []
    for which in (triangles, turned):
        (tmp_path / "fort.14").write_text(fort14(lon, lat, depth_of(lon, lat), which))
        meshes.append(imported(tmp_path, tmp_path / "fort.14"))
    for name in ("areaCell", "cellsOnCell", "dvEdge"):
        assert np.array_equal(meshes[0][name], meshes[1][name])


def test_what_cannot_be_used_is_refused(tmp_path, capsys):
    lon, lat, triangles = lattice()
    path = tmp_path / "fort.14"

    def refusal(text, *arguments):
        path.write_text(text)
        assert imported(tmp_path, path, *arguments) == 2
        return capsys.readouterr().err

    assert "projected metres" in refusal(fort14(lon * 1000, lat * 1000, depth_of(lon, lat), triangles))
    assert "triangles alone" in refusal(
        fort14(lon, lat, depth_of(lon, lat), triangles).replace("\n9 3 ", "\n9 4 1 ")
    )
    assert "--depth" in refusal(fort14(lon, lat, 0 * lon, triangles))
    assert "of 198 elements" in refusal(fort14(lon, lat, depth_of(lon, lat), triangles)[:-900])
    mixed = depth_of(lon, lat) - 58.0
    path = tmp_path / "grid.2dm"
    assert "--positive up or down" in refusal(two_dm(lon, lat, mixed, triangles))
    up, down = (imported(tmp_path, path, "--positive", way, "--smallest-sea", "2") for way in ("up", "down"))
    assert len(up["areaCell"]) + len(down["areaCell"]) == 80


def test_the_bohai_and_yellow_seas_load(tmp_path):
    folder = os.environ.get("GROUNDSWELL_TEST_DATA")
    if not folder:
        pytest.skip("GROUNDSWELL_TEST_DATA is not set: no data from outside the tree")
    mesh = imported(tmp_path, pathlib.Path(folder) / "mesh/bys_20814.2dm.gz")
    assert (
        len(mesh["areaCell"]) == 18221
    )  # of 20814 nodes, 2438 of them on the outline; the others are at depth 0
    assert mesh["bottomDepth"].max() == pytest.approx(84.399, abs=1e-3)
