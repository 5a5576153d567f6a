"""Faults in meshes of the ground: their triangles cover them, they dip to the right of their trace, branch and cross."""

import numpy as np
import pytest
from ground_requests import PROJECTION, box, hill, made, request, write_relief

from groundswell.ground import faults

STRAIGHT = {"name": "main", "trace": [[-1500.0, 0.0], [1500.0, 0.0]], "dip": 60.0, "bottom": 2000.0}


def area_of(mesh):
    return {face["name"]: face["area"] for face in mesh.result["faces"]}


def test_a_fault_goes_down_to_the_right_of_its_trace(tmp_path):
    mesh = made(tmp_path, **box(fault=[STRAIGHT]))
    assert area_of(mesh)["main"] == pytest.approx(3000 * 2000 / np.sin(np.radians(60)), rel=1e-9)
    corner = mesh.found.places[mesh.found.faults[0]]
    # Eastwards along x, so that the fault goes down southwards: y = z / tan 60°.
    assert np.abs(corner[..., 1] - corner[..., 2] / np.tan(np.radians(60))).max() < 1e-6
    assert corner[..., 2].min() == pytest.approx(-2000.0) and corner[..., 2].max() == 0.0
    # It does not reach the sides: the mesh goes on around it.
    assert mesh.result["layers"][0]["volume"] == pytest.approx(6e3 * 5e3 * 4e3, rel=1e-9)


def test_pieces_of_a_bent_trace_keep_the_dip_and_meet():
    pieces = faults.below_trace([[0, 0], [1000, 0], [1800, 600], [1800, 2000]], 40.0, 200.0, 900.0)
    for before, after in zip(pieces, pieces[1:]):
        assert before[1] == pytest.approx(after[0]) and before[2] == pytest.approx(after[3])
    for piece in pieces:
        normal = np.cross(piece[1] - piece[0], piece[3] - piece[0])
        assert np.degrees(np.arccos(abs(normal[2]) / np.linalg.norm(normal))) == pytest.approx(40.0)
        assert (piece[2] - piece[0]) @ normal == pytest.approx(0.0, abs=1e-3)
        assert piece[:2, 2] == pytest.approx(-200.0) and piece[2:, 2] == pytest.approx(-900.0)


def test_faults_branch_and_cross(tmp_path):
    branch = {"name": "branch", "trace": [[200.0, 0.0], [1200.0, 1700.0]], "bottom": 1500.0}
    across = {
        "name": "across",
        "trace": [[-800.0, -1200.0], [-800.0, 1000.0]],
        "bottom": 1200.0,
        "size": 250.0,
    }
    mesh = made(tmp_path, **box(fault=[STRAIGHT, branch, across], layer=[{"bottom": 1000.0}, {}]))
    found = area_of(mesh)
    assert found["main"] == pytest.approx(3000 * 2000 / np.sin(np.radians(60)), rel=1e-9)
    assert found["branch"] == pytest.approx(np.hypot(1000, 1700) * 1500, rel=1e-9)
    assert found["across"] == pytest.approx(2200 * 1200, rel=1e-9)
    assert [face["tag"] for face in mesh.result["faces"][2:]] == [65, 66, 67]
    of = [set(np.unique(triangles)) for triangles in mesh.found.faults]
    assert len(of[0] & of[2]) >= 3 and len(of[0] & of[1]) >= 1  # they share nodes where they meet
    # Elements at the fault that asks for them are that small.
    longest = mesh.found.edges().max(axis=1)
    at_fault = np.isin(mesh.found.cells, list(of[2])).sum(axis=1) >= 3
    assert np.median(longest[at_fault]) < 1.6 * 250 < np.median(longest[~at_fault])


def test_a_fault_by_its_corners_and_under_relief(tmp_path):
    write_relief(tmp_path / "relief.nc", hill)
    corners = [[-1000.0, 100.0, -500.0], [900.0, 200.0, -500.0], [0.0, 800.0, -1700.0]]
    tables = box(fault=[{"corners": corners, "tag": 70}])
    level = made(tmp_path, **tables)
    assert level.result["faces"][2] == {
        "name": "fault 1", "tag": 70, "triangles": len(level.found.faults[0]),
        "area": pytest.approx(faults.area(np.array(corners)), rel=1e-9),
    }  # fmt: skip
    deep = made(tmp_path, **tables, projection=PROJECTION, relief={"file": "relief.nc"})
    moved = deep.found.places[np.unique(deep.found.faults[0])]
    # It moved with the ground around it, which has 600 m of relief at most, and at its depth less.
    normal = np.cross(np.subtract(corners[1], corners[0]), np.subtract(corners[2], corners[0]))
    off = np.abs((moved - corners[0]) @ normal) / np.linalg.norm(normal)
    assert 10 < off.max() < 600


@pytest.mark.parametrize("up", [1, -1])
def test_a_curved_fault_of_triangles(tmp_path, up):
    """A surface that bends, whose triangles become those of elements; its depths may be given as such."""
    lines = [] if up > 0 else ["ZPOSITIVE Depth"]
    for number in range(12):
        i, j = divmod(number, 4)
        x, y, z = -1200 + 800 * j, 150 * j * j - 400 * i - 300, -800.0 * i - 200
        lines.append(f"VRTX {number + 1} {x} {y} {up * z}")
    for i, j in np.ndindex(2, 3):
        a = 4 * i + j + 1
        lines += [f"TRGL {a} {a + 1} {a + 5}", f"TRGL {a} {a + 5} {a + 4}"]
    (tmp_path / "bent.ts").write_text("GOCAD TSurf 1\n" + "\n".join(lines) + "\nEND\n")
    mesh = made(tmp_path, **box(size=500.0, fault=[{"triangles": "bent.ts"}], layer=[{"bottom": 1400.0}, {}]))
    pieces = mesh.request.faults[0].pieces
    assert len(pieces) == 12 and min(piece[:, 2].min() for piece in pieces) == -1800
    assert area_of(mesh)["fault 1"] == pytest.approx(sum(map(faults.area, pieces)), rel=1e-9)


def test_distance_to_a_triangle():
    """To its plane, its edges and its corners, against the least of many points on it."""
    triangle = np.array([[0.0, 0.0, 0.0], [3.0, 0.5, 0.0], [1.0, 2.0, 1.0]])
    points = np.random.default_rng(2).uniform(-4, 5, (60, 3))
    share = np.stack(np.meshgrid(np.linspace(0, 1, 400), np.linspace(0, 1, 400)), axis=-1).reshape(-1, 2)
    share = share[share.sum(axis=1) <= 1]
    on_it = triangle[0] + share @ (triangle[1:] - triangle[0])
    brute = [np.linalg.norm(on_it - point, axis=1).min() for point in points]
    assert faults.distance(points, triangle) == pytest.approx(brute, abs=0.01)


def test_a_fault_may_reach_the_bottom_and_the_sides():
    whole = {"trace": [[-3000.0, 0.0], [3000.0, 0.0]], "bottom": 4000.0}
    assert len(request(**box(fault=[whole])).faults[0].pieces) == 1


def test_a_fault_through_the_whole_box_cuts_it_in_two(tmp_path):
    mesh = made(tmp_path, **box(fault=[{"trace": [[-3000.0, 0.0], [3000.0, 0.0]], "bottom": 4000.0}]))
    assert area_of(mesh)["fault 1"] == pytest.approx(6e3 * 4e3, rel=1e-9)
