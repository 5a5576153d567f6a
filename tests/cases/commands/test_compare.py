"""`groundswell compare`: whether two files, or those of two folders, hold the same, and where they differ most."""

import json
import shutil

import netCDF4
import pytest
from launching import groundswell, refused, run, storm_case, write_case


@pytest.fixture(scope="module")
def storm(tmp_path_factory, coast_mesh, wind_file):
    folder = tmp_path_factory.mktemp("compare")
    table = storm_case(coast_mesh, wind_file, hours=1)
    run(write_case(folder / "case.toml", table), "--output", folder / "output")
    return folder / "output"


@pytest.fixture
def folders(storm, tmp_path):
    """Two copies of the files of one run."""
    return [shutil.copytree(storm, tmp_path / name) for name in ("a", "b")]


def test_report_of_two_files(folders):
    """Exit code 0 for the same, 1 for a difference; the report names the worst place."""
    tmp_path = folders[0].parent
    a, b = (folder / "hourly.nc" for folder in folders)
    assert groundswell("compare", a, b).code == 0
    with netCDF4.Dataset(b, "a") as data:
        data["hs"][1, 77] += 0.5
        place = float(data["mesh_face_lon"][77]), float(data["mesh_face_lat"][77])
    outcome = groundswell("compare", a, b, "--json", tmp_path / "c.json")
    assert outcome.code == 1 and "hs" in outcome.stdout
    report = json.loads((tmp_path / "c.json").read_text())
    assert report["command"] == "compare"
    result = report["result"]
    assert result["identical"] is False and result["only_in_a"] == result["only_in_b"] == []
    assert [entry["name"] for entry in result["variables"] if not entry["equal"]] == ["hs"]
    worst = next(entry for entry in result["variables"] if entry["name"] == "hs")
    assert worst["max_abs"] == pytest.approx(0.5, rel=1e-5) and worst["max_rel"] > 0
    assert worst["worst"]["index"] == [77] and worst["worst"]["time"] == "2024-09-06T04:00:00Z"
    assert (worst["worst"]["lon"], worst["worst"]["lat"]) == pytest.approx(place)
    assert groundswell("compare", a, b, "--atol", "0.6").code == 0
    refused(groundswell("compare", a, tmp_path / "none.nc"), "none.nc")
    assert groundswell("compare", a, tmp_path / "a/spectra.nc").code == 1
    # What a cut file lacks is not made up, not even where it is compared with itself.
    cut = tmp_path / "cut.nc"
    cut.write_bytes(a.read_bytes()[:-8])
    for first, second in ((a, cut), (cut, a), (cut, cut)):
        refused(groundswell("compare", first, second), f"{cut}: ", "cut short at byte")


def test_report_of_two_folders(folders):
    """Files of the same name, or those that are named; one that only one folder has is a difference."""
    a, b = folders
    names = sorted(path.name for path in a.glob("*.nc"))
    report = a.parent / "c.json"

    def compare(code, *arguments):
        outcome = groundswell("compare", a, b, "--json", report, *arguments)
        assert outcome.code == code, outcome.stdout + outcome.stderr
        return outcome.stdout, json.loads(report.read_text())["result"]

    said, result = compare(0)
    assert [each["name"] for each in result["files"]] == names and result["identical"]
    assert said.endswith("the folders hold the same\n") and all(f"{name}:\n" in said for name in names)
    with netCDF4.Dataset(b / "hourly.nc", "a") as data:
        data["hs"][1, 77] += 0.5
    (b / "spectra.nc").rename(b / "other.nc")
    said, result = compare(1)
    assert "only in A: spectra.nc" in said and "only in B: other.nc" in said and "differ\n" in said
    assert (result["only_in_a"], result["only_in_b"]) == (["spectra.nc"], ["other.nc"])
    assert [each["name"] for each in result["files"] if not each["identical"]] == ["hourly.nc"]
    compare(1, "--file", "hourly.nc")
    compare(0, "--file", "hourly.nc", "--atol", "0.6", "--file", "wind.nc")


def test_folders_that_are_refused(folders):
    one, empty = folders
    for path in empty.glob("*.nc"):
        path.unlink()
    (empty / "other.nc").write_bytes((one / "hourly.nc").read_bytes())
    refused(groundswell("compare", one, empty), f"{empty}: expected a folder with a NetCDF file", str(one))
    refused(groundswell("compare", one, empty / "other.nc"), "other.nc: expected a folder")
    refused(groundswell("compare", empty / "other.nc", one), f"{one}: expected a file")
    refused(groundswell("compare", one, empty, "--file", "hourly.nc"), "b/hourly.nc")
    for folder in (one, empty):
        same = ("compare", folder, folder, "--file", f"{'hourly' if folder == one else 'other'}.nc")
        before = {path: path.read_bytes() for path in folder.glob("*.nc")}
        refused(groundswell(*same, "--json", next(iter(folder.glob(same[-1])))), "another name")
        assert before == {path: path.read_bytes() for path in folder.glob("*.nc")}
    refused(
        groundswell("compare", one / "hourly.nc", one / "hourly.nc", "--file", "hourly.nc"),
        "folder",
        "--file",
    )
    cut = one / "wind.nc"
    cut.write_bytes(cut.read_bytes()[:-8])
    refused(groundswell("compare", one, one), f"{cut}: ", "cut short at byte")
