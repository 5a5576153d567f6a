"""Several faults in a mesh: what acts on each is said by its number, and each is told of."""

import json

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, refused, run, write_case
from profiling import ground_mesh
from test_quake_faults import small_fault

REQUEST = """
model = "quake"
region = { x = [-3e3, 3e3], y = [-2e3, 4e3], depth = 4e3 }
size = { coarsest = 2000.0 }
[[layer]]
[[fault]]
trace = [[-1500.0, 0.0], [1500.0, 0.0]]
bottom = 2.5e3
size = 900.0
[[fault]]
trace = [[-1500.0, 2000.0], [1500.0, 2000.0]]
bottom = 2.5e3
size = 900.0
tag = 71
"""


@pytest.fixture(scope="module")
def mesh(tmp_path_factory):
    return ground_mesh(tmp_path_factory.mktemp("two_faults"), REQUEST)


def two_faults(mesh, **second):
    """The second fault breaks at once; the entry that stresses it holds where `second` says."""
    case = small_fault(mesh)
    case["time"]["end"] = "0.3s"
    case["fault"]["set"][1] = {"stress": {"xy": 82e6}, **second}
    case["output"] = {
        "fault": [{"file": "fault.nc", "every": "0.1s", "fields": ["slip"]}],
        "receivers": [{"file": "receivers.nc", "every": "10ms", "at": [[0, 1000, 0]]}],
    }
    return case


def test_a_fault_is_chosen_by_its_number(mesh, tmp_path):
    folders = {}
    for name, where in (("box", {"box": {"y": [1000, 3000]}}), ("tags", {"tags": [71]})):
        case = write_case(tmp_path / f"{name}.toml", two_faults(mesh, **where))
        folders[name] = tmp_path / name
        run(case, "--output", folders[name], ranks=1 if name == "box" else 3)
    assert_same(folders["box"], folders["tags"], ("fault.nc", "receivers.nc"))
    with netCDF4.Dataset(folders["tags"] / "fault.nc") as file:
        slip, tag, y = file["slip"][-1], file["fault_tag"][:], file["mesh_face_y"][:]
    assert set(tag) == {65, 71}
    np.testing.assert_allclose(y, np.where(tag == 71, 2000.0, 0.0), atol=1e-6)
    assert (slip[tag == 71] > 0).all() and (slip[tag == 65] == 0).all()
    result = json.loads((folders["tags"] / "run.json").read_text())["result"]
    rupture = result["rupture"]
    assert sum(cluster["fault_faces"] for cluster in result["clusters"]) == rupture["faces"] == len(tag)
    assert sum(cluster["elements"] for cluster in result["clusters"]) == result["elements"]
    assert (result["seismic_moment"], result["magnitude"]) == (rupture["moment"], rupture["magnitude"])
    assert rupture["tag_65"]["moment"] == 0 and "magnitude" not in rupture["tag_65"]
    for key in ("moment", "area", "friction_work", "magnitude"):
        assert rupture["tag_71"][key] == rupture[key] > 0


@pytest.mark.parametrize("tags, words", [([66], ["fault.set = 2", "these tags"]), ([5], ["tags", "65 to"])])
def test_numbers_of_no_fault_are_refused(mesh, tmp_path, tags, words):
    case = write_case(tmp_path / "case.toml", two_faults(mesh, tags=tags))
    refused(groundswell("run", case, "--quiet"), *words)


def test_rock_that_yields_asks_for_stress_of_its_own_beside_faults_of_different_stress(mesh, tmp_path):
    case = two_faults(mesh, tags=[71])
    case["plasticity"] = {"cohesion": 1e9, "bulk_friction": 0.5, "relaxation_time": 0.03}
    refused(groundswell("run", write_case(tmp_path / "case.toml", case), "--quiet"), "tags", "[plasticity]")
