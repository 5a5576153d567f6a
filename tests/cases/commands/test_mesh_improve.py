"""`groundswell mesh improve`: flat elements are mended, and nothing else of the mesh changes."""

import itertools

import netCDF4
import numpy as np
import pytest
from launching import groundswell, refused

FACES = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))  # as PUML counts them


@pytest.fixture(scope="module")
def flat(tmp_path_factory):
    """A box of rock in two groups, the upper half 1; corners pressed into the faces across from them, one of them in the plane
    between the groups, and one in the free surface.
    """
    path = tmp_path_factory.mktemp("flat") / "flat.h5"
    outcome = groundswell(
        "mesh", "make", "--box", "4,4,4", "--length", "4e3,4e3,4e3", "--origin=-2e3,-2e3,-4e3", "--output", path
    )  # fmt: skip
    assert outcome.code == 0, outcome.stderr
    with netCDF4.Dataset(path, "a") as file:
        places, cells = file["geometry"][:].data, file["connect"][:].data.astype(int)
        centre = places[cells].mean(axis=1)
        file["group"][:] = np.where(centre[:, 2] > -2e3, 1, 2)
        for at in ([0, 0, -1e3], [0, 0, -2e3], [-1e3, 0, 0]):
            corner = int(np.argmin(np.linalg.norm(places - at, axis=1)))
            near = np.nonzero(
                (np.abs(places[:, 2] - at[2]) < 1) & (np.linalg.norm(places - at, axis=1) < 1100)
            )[0]
            other = next(row for row in near if row != corner)
            places[corner] += 0.997 * (places[other] - places[corner])
        file["geometry"][:] = places
    return path


def parts(path):
    with netCDF4.Dataset(path) as file:
        return {name: file[name][:].data for name in ("geometry", "connect", "group", "boundary")}


def quality(places, cells):
    corner = places[cells.astype(int)]
    edges = [corner[:, i] - corner[:, 0] for i in (1, 2, 3)]
    volume = np.einsum("ij,ij->i", np.cross(edges[0], edges[1]), edges[2]) / 6
    area = sum(
        np.linalg.norm(np.cross(corner[:, b] - corner[:, a], corner[:, c] - corner[:, a]), axis=1) / 2
        for a, b, c in itertools.combinations(range(4), 3)
    )
    longest = max(
        np.linalg.norm(corner[:, a] - corner[:, b], axis=1).max()
        for a, b in itertools.combinations(range(4), 2)
    )
    return (3 * volume / area / longest), volume


def test_all_but_the_places_of_corners_stays(flat, tmp_path):
    outcome = groundswell(
        "mesh", "improve", flat, "--output", tmp_path / "good.h5", "--json", tmp_path / "said.json"
    )
    assert outcome.code == 0, outcome.stderr
    before, after = parts(flat), parts(tmp_path / "good.h5")
    for name in ("connect", "group", "boundary"):
        assert np.array_equal(before[name], after[name])
    assert (before["geometry"] != after["geometry"]).any()
    (bad, _), (good, volume) = (quality(p["geometry"], p["connect"]) for p in (before, after))
    assert bad.min() < 2e-3 and good.min() > 0.01
    assert volume.sum() == pytest.approx(4e3**3, rel=1e-12)  # so that the outer faces are where they were
    upper = volume[after["group"] == 1].sum()
    assert upper == pytest.approx(4e3 * 4e3 * 2e3, rel=1e-12)  # and the plane between the groups
    outcome = groundswell("mesh", "info", tmp_path / "good.h5")
    assert outcome.code == 0, outcome.stderr


def as_gmsh(path, target):
    """The mesh as MSH 2.2, which Gmsh and this program read."""
    mesh = parts(path)
    cells, tags = mesh["connect"].astype(int), mesh["boundary"]
    triangles = [
        (tag + 100, cells[cell][list(face)])
        for number, face in enumerate(FACES)
        for cell, tag in enumerate(tags >> 8 * number & 255)
        if tag
    ]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(mesh["geometry"]))]
    lines += [f"{i + 1} {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(mesh["geometry"].tolist())]
    lines += ["$EndNodes", "$Elements", str(len(triangles) + len(cells))]
    elements = [(2, tag, nodes) for tag, nodes in triangles]
    elements += [(4, group, nodes) for group, nodes in zip(mesh["group"], cells)]
    for number, (kind, tag, nodes) in enumerate(elements):
        lines.append(f"{number + 1} {kind} 2 {tag} {tag} " + " ".join(str(node + 1) for node in nodes))
    target.write_text("\n".join([*lines, "$EndElements", ""]))
    return target


def test_meshes_of_gmsh_are_mended_too(flat, tmp_path):
    pytest.importorskip("gmsh")
    mesh = as_gmsh(flat, tmp_path / "flat.msh")
    outcome = groundswell("mesh", "improve", mesh, "--output", tmp_path / "good.msh")
    assert outcome.code == 0, outcome.stderr
    assert "0 now" in outcome.stdout
    found = [groundswell("clusters", path).stdout for path in (mesh, tmp_path / "good.msh")]
    for line in ("cells of groups", "faces", "from, m", "to, m"):
        texts = [next(row for row in text.splitlines() if row.startswith(line)) for text in found]
        assert texts[0] == texts[1]


def test_what_cannot_be_mended_is_said_and_refused(flat, tmp_path):
    refused(groundswell("mesh", "improve", flat, "--output", flat), "--overwrite")
    refused(groundswell("mesh", "improve", flat, "--output", tmp_path / "a.msh"), "--output")
    refused(
        groundswell("mesh", "improve", flat, "--output", tmp_path / "a.h5", "--quality", 2), "--quality = 2"
    )
    refused(groundswell("mesh", "improve", __file__, "--output", tmp_path / "a.h5"), "a mesh of tetrahedra")
    # Of a single cube all corners are those of the box.
    outcome = groundswell(
        "mesh", "make", "--box", "1,1,1", "--length", "1e3,1e3,3", "--output", tmp_path / "thin.h5"
    )
    assert outcome.code == 0
    outcome = groundswell("mesh", "improve", tmp_path / "thin.h5", "--output", tmp_path / "b.h5")
    assert outcome.code == 0
    assert "still bad: cell" in outcome.stdout and "0 corners moved" in outcome.stdout
