"""`groundswell volume`: what parts would receive, by which method, on which mesh; what it refuses."""

import json
import time

import netCDF4
import numpy as np
import pytest
from launching import IS_OPEN_MPI, ROOT, groundswell, refused

MIB = 1024**2
KEYS = {
    "parts",
    "method",
    "imbalance",
    "edge_cut",
    "disconnected_parts",
    "received_bytes",
    "received_mib",
    "neighbours",
    "messages",
    "imbalance_in_step",
    "off_host_share",
    "links",
    "busiest_host_links",
    "seconds",
    "peak_memory_bytes",
}


def measure(folder, *arguments, seconds=120):
    """The result, which must be had; `by` finds a partition by its parts and method."""
    path = folder / "volume.json"
    outcome = groundswell("volume", *arguments, "--json", path, seconds=seconds)
    assert outcome.code == 0, outcome.stderr
    report = json.loads(path.read_text())
    assert report["schema"] == 1 and report["command"] == "volume" and report["machine"]["ranks"] == 1
    result = report["result"]
    result["by"] = {(one["parts"], one["method"]): one for one in result["partitions"]}
    result["table"] = outcome.stdout
    return result


def test_report_of_volume(tmp_path):
    methods = "plain,two-level,scattered,mapped"
    result = measure(tmp_path, "--icosahedron", 30, "--parts", "8,90", "--per-host", 9, "--method", methods)
    head = {
        "cells": 9002,
        "layers": 2,
        "directions": 36,
        "frequencies": 35,
        "bytes_per_value": 4,
        "steps": 60,
        "per_host": 9,
    }
    assert {key: result[key] for key in head} == head
    assert list(result["by"]) == [(parts, name) for parts in (8, 90) for name in methods.split(",")]
    for one in result["partitions"]:
        assert set(one) == KEYS
        for name in ("received_bytes", "received_mib", "neighbours"):
            assert 0 < one[name]["min"] <= one[name]["mean"] <= one[name]["max"]
        for name in ("min", "mean", "max"):
            assert one["received_mib"][name] * MIB == pytest.approx(one["received_bytes"][name])
        # Whole cells: equation 2 of the paper, taken backwards.
        assert one["received_bytes"]["max"] % (36 * 35 * 4 * 60) == 0
        assert one["imbalance"] < 0.05 and one["disconnected_parts"] == 0
        assert one["seconds"] > 0 and one["peak_memory_bytes"] > 1e6
        assert f"{one['parts']} {one['method']}" in " ".join(result["table"].split())
    # Eight parts sit on one host.
    assert all(result["by"][8, name]["off_host_share"] == 0 for name in methods.split(","))
    share = {name: result["by"][90, name]["off_host_share"] for name in methods.split(",")}
    assert 0 < share["two-level"] < share["plain"] < share["scattered"] < 1
    assert share["mapped"] < share["plain"]
    plain, scattered = result["by"][90, "plain"], result["by"][90, "scattered"]
    assert plain["received_bytes"] == scattered["received_bytes"] and plain["links"] < scattered["links"]


def test_the_matrix_holds_what_the_report_sums_up(tmp_path):
    table = tmp_path / "matrix.csv"
    asked = ("--icosahedron", 20, "--parts", "6,30", "--per-host", 5, "--method", "plain,two-level")
    result = measure(tmp_path, *asked, "--steps", 1, "--matrix", table)
    assert table.read_text().splitlines()[0] == "partition,receiver,sender,cluster,times,count"
    rows = np.loadtxt(table, delimiter=",", skiprows=1, dtype=np.int64)
    for i, one in enumerate(result["partitions"]):
        mine = rows[rows[:, 0] == i]
        own = mine[:, 1] == mine[:, 2]
        assert mine[own, 5].sum() == result["cells"] and own.sum() == one["parts"]
        received = np.bincount(mine[~own, 1], mine[~own, 5], one["parts"]) * 36 * 35 * 4
        assert received.max() == one["received_bytes"]["max"]
        assert received.mean() == pytest.approx(one["received_bytes"]["mean"])
        off = mine[:, 1] // 5 != mine[:, 2] // 5
        assert mine[off, 5].sum() / mine[~own, 5].sum() == pytest.approx(one["off_host_share"])
        # Halos are mutual.
        pairs = {tuple(pair) for pair in mine[~own, 1:3]}
        assert all((sender, receiver) in pairs for receiver, sender in pairs)
    refused(groundswell("volume", *asked, "--matrix", tmp_path / "no" / "matrix.csv"), "matrix.csv")
    refused(groundswell("volume", *asked, "--json", table, "--matrix", table), "--matrix")


def test_bytes_follow_equation_2(tmp_path):
    mesh = ("--icosahedron", 12, "--parts", 10, "--method", "plain", "--layers", 1)
    one = measure(
        tmp_path,
        *mesh,
        *("--steps", 1, "--directions", 1, "--frequencies", 1, "--bytes-per-value", 1),
    )
    many = measure(
        tmp_path,
        *mesh,
        *("--steps", 7, "--directions", 24, "--frequencies", 25, "--bytes-per-value", 8),
    )
    for name in ("min", "mean", "max"):
        cells = one["partitions"][0]["received_bytes"][name]
        assert many["partitions"][0]["received_bytes"][name] == pytest.approx(cells * 24 * 25 * 8 * 7)


@pytest.mark.parametrize("method", ["plain", "two-level", "scattered", "mapped"])
def test_parts_receive_what_ranks_exchange(tmp_path, coast_mesh, method):
    """The same mesh, parts and hosts under MPI: the bytes of the ranks' own plans."""
    partition = "plain" if method == "mapped" else method
    mapping = "auto" if method == "mapped" else "none"
    # Blocks of two: ranks 0 and 1, 2 and 3.
    outcome = groundswell(
        "halo",
        coast_mesh,
        *("--partition", partition, "--mapping", mapping, "--transport", "posted", "--repeats", 2, "--quiet"),
        *("--json", tmp_path / "halo.json"),
        ranks=4,
        env={"GROUNDSWELL_TEST_HOSTS": "2"},
    )
    assert outcome.code == 0, outcome.stderr
    exchanged = json.loads((tmp_path / "halo.json").read_text())["result"]
    result = measure(tmp_path, coast_mesh, "--parts", 4, "--per-host", 2, "--steps", 1, "--method", method)
    volume = result["partitions"][0]
    assert result["cells"] == exchanged["cells"]
    assert volume["received_bytes"] == pytest.approx(exchanged["received_bytes"])
    assert volume["off_host_share"] == pytest.approx(exchanged["off_host_share"])
    matrix = exchanged["matrix_bytes"]
    assert volume["neighbours"]["mean"] == sum(number > 0 for row in matrix for number in row) / 4


def write_grid(path, variable="elevation", fill=None, units="degrees_north", **attributes):
    """A globe with land over all eastern longitudes, as elevation; every 5 degrees."""
    lon, lat = np.arange(-180.0, 180.0, 5.0), np.arange(-90.0, 91.0, 5.0)
    with netCDF4.Dataset(path, "w") as data:
        for name, values, unit in (("lat", lat, units), ("lon", lon, "degrees_east")):
            data.createDimension(name, len(values))
            data.createVariable(name, "f8", (name,))[:] = values
            data[name].units = unit
        field = data.createVariable(variable, "f4", ("lat", "lon"), fill_value=fill)
        down = -1.0 if attributes.get("positive") == "down" else 1.0
        east = (lon > 0) & (lon < 179)
        values = np.where(east, 500.0 if fill is None else np.nan, -3000.0) * down
        field[:] = np.ma.masked_invalid(np.broadcast_to(values, (len(lat), len(lon))))
        field.setncatts(attributes)
    return path


@pytest.mark.parametrize("kind", ["elevation", "depth", "missing"])
def test_cells_on_land_are_left_out(tmp_path, kind):
    options = {
        "elevation": {},
        "depth": {"variable": "depth", "positive": "down"},
        "missing": {"fill": -9999.0},
    }[kind]
    grid = write_grid(tmp_path / "grid.nc", **options)
    result = measure(tmp_path, "--icosahedron", 20, "--bathymetry", grid, "--parts", "4")
    assert 0.45 < result["cells"] / 4002 < 0.55


def test_cells_of_a_genuine_bathymetry(tmp_path):
    """The sea of a region, less its enclosed waters; all cells outside the grid are land."""
    grid = ROOT / "cases/yagi/etopo5_yagi.nc"
    with netCDF4.Dataset(grid) as data:
        lon, lat = data["lon"][:], data["lat"][:]
        field = next(v for v in data.variables.values() if v.ndim == 2)
        weight = np.cos(np.radians(lat))[:, None] * (field[:] < 0)
        cell = np.radians(lon[1] - lon[0]) * np.radians(lat[1] - lat[0]) / (4 * np.pi)
        expected = weight.sum() * cell
    result = measure(tmp_path, "--icosahedron", 100, "--bathymetry", grid, "--parts", "4")
    assert result["cells"] / 100_002 == pytest.approx(expected, rel=0.1)


def test_volume_refuses(tmp_path):
    refused(groundswell("volume"), "volume", "--icosahedron")
    refused(groundswell("volume", "mesh.nc", "--icosahedron", 4), "mesh.nc", "in its place")
    refused(groundswell("volume", tmp_path / "none.nc"), "none.nc")
    refused(groundswell("volume", "mesh.nc", "--bathymetry", "b.nc"), "--bathymetry", "--icosahedron")
    refused(groundswell("volume", "--icosahedron", 4, "--bathymetry", tmp_path / "none.nc"), "none.nc")
    refused(groundswell("volume", "--icosahedron", 4, "--method", "best"), "best")
    refused(groundswell("volume", "--icosahedron", 4, "--parts", "8,0"), "0")
    grid = write_grid(tmp_path / "grid.nc", units="m")
    refused(groundswell("volume", "--icosahedron", 4, "--bathymetry", grid), "grid.nc", "degrees_north")
    with netCDF4.Dataset(write_grid(tmp_path / "two.nc"), "a") as data:
        data.createVariable("slope", "f4", ("lat", "lon"))
    message = refused(
        groundswell("volume", "--icosahedron", 4, "--bathymetry", tmp_path / "two.nc"), "two.nc"
    )
    assert "elevation, slope" in message


@pytest.mark.long
@pytest.mark.parametrize("per_host", [28, 56])
def test_the_globe_in_32768_parts(tmp_path, per_host):
    """6.2 million cells, by all methods, within 30 minutes and 16 GB."""
    begin = time.monotonic()
    parts = ("--parts", 32768, "--per-host", per_host)
    result = measure(tmp_path, "--icosahedron", 785, *parts, seconds=1800)
    assert time.monotonic() - begin < 1800
    assert result["cells"] == 6_162_252
    assert max(one["peak_memory_bytes"] for one in result["partitions"]) < 16e9
    assert all(one["disconnected_parts"] == 0 and one["imbalance"] < 0.03 for one in result["partitions"])
    by = {method: result["by"][32768, method] for method in ("plain", "two-level", "scattered")}
    assert by["two-level"]["off_host_share"] < 0.75 * by["plain"]["off_host_share"]
    assert by["scattered"]["off_host_share"] > 0.9


def test_volume_starts_no_mpi_library(tmp_path):
    """The library is told to look for its parts where there are none, and would end the program."""
    env = {"OMPI_MCA_mca_base_component_path": str(tmp_path)}
    outcome = groundswell("volume", "--icosahedron", 4, "--parts", 2, env=env)
    assert outcome.code == 0, outcome.stderr
    if IS_OPEN_MPI:
        assert "MPI" not in groundswell("doctor", "--no-speed", env=env).stdout
