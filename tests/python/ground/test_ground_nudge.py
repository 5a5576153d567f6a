"""Elements whose corners all lie on surfaces: their corners move within those, until none is flat."""

import numpy as np
import pytest
from ground_requests import PROJECTION, box, hill, made, request, write_relief

from groundswell.ground import geometry, mesher, nudge
from groundswell.ground.gmsh_session import session
from groundswell.ground.relief import NoRelief
from groundswell.ground.sizes import SizeGrid, SizeRule

THIN = {"layer": [{"bottom": 700.0}, {"bottom": 1500.0}, {}]}


def test_quality_of_known_elements():
    regular = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    corner = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    found = nudge.quality(np.stack([regular, regular[[0, 1, 3, 2]], corner]))
    # Of a cube's corner: r = 1 / (3 + √3), R = √3 / 2.
    assert np.abs(found) == pytest.approx([1, 1, 3 / (3 + np.sqrt(3)) / (np.sqrt(3) / 2)])
    assert found[0] == -found[1] and found[2] > 0
    flat = nudge.quality(np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]], float))
    assert flat == pytest.approx(0.0)


def test_flat_elements_between_thin_layers_are_mended():
    """HXT leaves them there; nodes of interfaces stay in these, and those of edges where they were."""
    wanted = request(**box(size=700.0, **THIN))
    grid = SizeGrid(SizeRule(wanted))
    with session() as gmsh:
        geometry.build(gmsh, wanted)
        gmsh.option.setNumber("Mesh.Algorithm3D", 10)
        gmsh.option.setNumber("Mesh.MeshSizeMax", 700.0)
        gmsh.model.mesh.generate(3)
        gmsh.model.mesh.optimize("")
        before = {
            tag: gmsh.model.mesh.getNodes(2, tag, True)[1].reshape(-1, 3)
            for _, tag in gmsh.model.getEntities(2)
        }
        bad = int((mesher.qualities(gmsh) < 0.1).sum())
        assert bad > 0
        assert nudge.nudge(gmsh, NoRelief(), 0.2) > 0
        assert mesher.qualities(gmsh).min() > 0.15
        for tag, places in before.items():
            now = gmsh.model.mesh.getNodes(2, tag, True)[1].reshape(-1, 3)
            normal = np.array(gmsh.model.getNormal(tag, [0.5, 0.5]))
            assert np.abs((now - places) @ normal).max() < 1e-9
            assert (np.abs(now - places).max(axis=1) > 0).sum() < 0.2 * len(now)
    assert grid.elements() > 0


@pytest.mark.parametrize("size", [900.0, 700.0, 500.0])
def test_no_element_is_bad_between_thin_layers_under_relief(tmp_path, size):
    write_relief(tmp_path / "relief.nc", hill)
    mesh = made(tmp_path, **box(size=size, projection=PROJECTION, relief={"file": "relief.nc"}, **THIN))
    assert mesh.result["quality"]["worst"] > 0.15
