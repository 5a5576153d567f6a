"""Slip that is given: it comes out as it went in, with its moment; far away its waves are those of points; the same bits on any ranks."""

import json

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, refused, run, write_case
from profiling import ground_mesh

REQUEST = """
model = "quake"
region = { x = [-5e3, 5e3], y = [-5e3, 5e3], depth = 8e3 }
size = { coarsest = 1500.0 }
[[layer]]
[[fault]]
trace = [[-500.0, 0.0], [500.0, 0.0]]
top = 3e3
bottom = 4e3
size = 500.0
"""
ROCK = {"density": 2700, "vp": 6000, "vs": 3464}
MU = 2700 * 3464.0**2
AREA = 1e6  # m²
ORIGIN = (12.0, 42.0)


@pytest.fixture(scope="module")
def mesh(tmp_path_factory):
    return ground_mesh(tmp_path_factory.mktemp("slip"), REQUEST)


def case_of(mesh, law, entry=None, end="1.2s", **fault):
    table = {
        "model": "quake",
        "time": {"end": end},
        "mesh": {"file": str(mesh)},
        "projection": {"longitude": ORIGIN[0], "latitude": ORIGIN[1]},
        "solver": {"order": 3},
        "material": {"rock": [ROCK]},
        "fault": {"law": law, "plus_side": [0, -1e5, 0], **fault},
        "output": {
            "fault_receivers": [
                {
                    "file": "places.nc",
                    "every": "10ms",
                    "at": [[0, 0, -3500], [300, 0, -3700]],
                    "fields": ["slip_rate_strike", "slip_rate_dip", "slip_strike", "slip_dip", "slip"],
                }
            ],
            "rupture": {"file": "rupture.nc", "every": "100ms"},
        },
    }
    if entry:
        table["fault"]["set"] = [entry]
    return table


def yoffe(time, rise, half):
    """Yoffe's function under a triangle, by Simpson's rule: within the triangle with t = T sin²θ, where it is smooth."""
    theta = np.linspace(0, np.pi / 2, 4001)
    weight = np.ones(4001)
    weight[1:-1:2], weight[2:-1:2] = 4, 2
    at = rise * np.sin(theta) ** 2
    # f dt = (2/πT) √((T − t)/t) dt = (4/π) cos²θ dθ
    share = 4 / np.pi * np.cos(theta) ** 2 * weight * (theta[1] / 3)
    triangle = np.maximum(0, 1 - np.abs((time[:, None] - at) - half) / half) / half
    return triangle @ share


def test_slip_and_its_moment_are_those_of_the_case(mesh, tmp_path):
    entry = {
        "slip_along_strike": 1.5,
        "slip_along_dip": -0.5,
        "slip_onset": 0.1,
        "rise_time": 0.7,
        "acceleration_time": 0.12,
    }
    entry["stress"] = {"yy": -50e6, "xy": 20e6}
    run(write_case(tmp_path / "case.toml", case_of(mesh, "imposed-yoffe", entry)))
    with netCDF4.Dataset(tmp_path / "output/places.nc") as file:
        time = file["time"][:].filled()
        found = {
            name: file[name][:].filled()
            for name in ("slip_rate_strike", "slip_rate_dip", "slip_strike", "slip_dip")
        }
    rate = yoffe(time - 0.1, 0.7, 0.12)
    assert rate.max() > 2
    for place in (0, 1):
        np.testing.assert_allclose(found["slip_rate_strike"][:, place], 1.5 * rate, atol=2e-3 * rate.max())
        np.testing.assert_allclose(found["slip_rate_dip"][:, place], -0.5 * rate, atol=2e-3 * rate.max())
        np.testing.assert_allclose(found["slip_strike"][-1, place], 1.5, rtol=1e-6)
        np.testing.assert_allclose(found["slip_dip"][-1, place], -0.5, rtol=1e-6)
    told = json.loads((tmp_path / "output/run.json").read_text())["result"]["rupture"]
    assert told["moment"] == pytest.approx(MU * AREA * np.hypot(1.5, 0.5), rel=1e-9)
    assert told["mean_slip"] == pytest.approx(np.hypot(1.5, 0.5), rel=1e-9)


@pytest.mark.parametrize(
    "law, numbers",
    [
        pytest.param("imposed-gaussian", {"rise_time": 0.4}, marks=pytest.mark.long),
        ("imposed-delta", {}),
    ],
)
def test_all_of_the_slip_is_done_whatever_the_steps(mesh, tmp_path, law, numbers):
    entry = {"slip_along_strike": 2.0, "slip_onset": 0.123, **numbers}
    case = write_case(tmp_path / "case.toml", case_of(mesh, law, entry, "0.6s"))
    for order in (2, 5):
        folder = tmp_path / str(order)
        run(case, "--set", f"solver.order={order}", "--set", "solver.precision=float", "--output", folder)
        told = json.loads((folder / "run.json").read_text())["result"]["rupture"]
        assert told["moment"] == pytest.approx(MU * AREA * 2, rel=1e-9)
        with netCDF4.Dataset(folder / "places.nc") as file:
            slip = file["slip"][:].filled()
        assert np.abs(slip[:12]).max() < 1e-9 and slip[-1] == pytest.approx([2, 2], rel=1e-6)


def write_rupture(path):
    """Four parts of 500 m × 500 m on the fault, each with slip along its rake and across it; slip rates in cm/s, 0.1 s apart."""
    import pyproj

    back = pyproj.Proj(f"+proj=tmerc +lon_0={ORIGIN[0]} +lat_0={ORIGIN[1]} +k=1 +ellps=WGS84")
    shape = np.sin(np.linspace(0, np.pi, 13)) ** 2
    lines = ["1.0", "POINTS 4"]
    for i, (x, depth) in enumerate([(-250, 3.25), (250, 3.25), (-250, 3.75), (250, 3.75)]):
        longitude, latitude = back(x, 0.0, inverse=True)
        first, second = (100 + 20 * i) * shape, 40 * shape
        slips = [10 * one.sum() / 100 * 1 for one in (first, second)]
        lines.append(f"{longitude:.10f} {latitude:.10f} {depth} 90 90 2.5e9 {0.05 * i} 0.1")
        lines.append(f"180 {slips[0]} {len(shape)} {slips[1]} {len(shape)} 0 0")
        lines += [" ".join(f"{rate:.10e}" for rate in one) for one in (first, second)]
    path.write_text("\n".join(lines) + "\n")
    parts = [0.01 * 0.1 * shape.sum() * np.hypot(100 + 20 * i, 40) for i in range(4)]
    return MU * 2.5e5 * sum(parts)


RECEIVERS = [
    {"file": "far.nc", "every": "20ms", "at": [[2500, 3500, 0], [-3800, -1000, 0], [500, -4000, -4000]]}
]


def seismograms(path):
    with netCDF4.Dataset(path) as file:
        return np.array([file[name][:] for name in ("vx", "vy", "vz")])


@pytest.mark.long
def test_a_kinematic_rupture_as_a_fault_sends_the_waves_of_its_points(mesh, tmp_path):
    """Far away: 1.2 s of slip make waves of some 4 km, four times the fault. And the bits of ranks, threads and a restart."""
    moment = write_rupture(tmp_path / "rupture.srf")
    table = case_of(mesh, "imposed-series", end="2.4s", rupture="rupture.srf")
    table["output"] |= {"receivers": RECEIVERS, "restart": {"every": "1s"}}
    case = write_case(tmp_path / "fault.toml", table)
    run(case, "--output", tmp_path / "fault")
    told = json.loads((tmp_path / "fault/run.json").read_text())["result"]["rupture"]
    # Faces lie across the borders of parts.
    assert told["moment"] == pytest.approx(moment, rel=5e-3)
    points = {key: value for key, value in table.items() if key != "fault"}
    points["source"] = {"rupture": [{"file": "rupture.srf"}]}
    points["output"] = {"receivers": RECEIVERS}
    run(write_case(tmp_path / "points.toml", points), "--output", tmp_path / "points")
    fault, expected = seismograms(tmp_path / "fault/far.nc"), seismograms(tmp_path / "points/far.nc")
    difference = np.sqrt(((fault - expected) ** 2).sum() / (expected**2).sum())
    assert np.abs(expected).max() > 1e-3 and difference < 0.05, difference
    files = ("far.nc", "places.nc", "rupture.nc")
    first = sorted(path.name for path in (tmp_path / "fault").glob("restart_*.nc"))[0]
    run(case, "--output", tmp_path / "again", "--set", "time.end=1.2s", "--set", "run.threads=2")
    run(case, "--output", tmp_path / "again", "--restart", tmp_path / "again" / first, ranks=3)
    assert_same(tmp_path / "again", tmp_path / "fault", files)


def test_series_of_files_are_chosen_by_place(mesh, tmp_path):
    (tmp_path / "slow.txt").write_text("0 0\n0.2 1\n0.4 0\n")
    (tmp_path / "late.txt").write_text("0.3 0\n0.4 7\n0.5 0\n")
    table = case_of(mesh, "imposed-series", {"slip_along_strike": 1.0, "slip_onset": 0.05}, "0.7s")
    table["fault"]["slip_rates"] = ["slow.txt", "late.txt"]
    table["fault"]["set"].append({"box": {"x": [0, 500]}, "series": 1})
    table["output"]["fault_receivers"][0]["at"] = [[-300, 0, -3500], [300, 0, -3500]]
    run(write_case(tmp_path / "case.toml", table))
    with netCDF4.Dataset(tmp_path / "output/places.nc") as file:
        time, rate = file["time"][:].filled() - 0.05, file["slip_rate_strike"][:].filled()
    np.testing.assert_allclose(rate[:, 0], np.interp(time, [0, 0.2, 0.4], [0, 5, 0]), atol=0.05)
    np.testing.assert_allclose(rate[:, 1], np.interp(time, [0.3, 0.4, 0.5], [0, 10, 0]), atol=0.1)


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda c: c["fault"].pop("slip_rates"), ["fault.slip_rates", "one of slip_rates and rupture"]),
        (lambda c: c["fault"]["set"][0].update(series=2), ["fault.set.series = 2", "from 0 to 0"]),
        (lambda c: c["fault"]["set"][0].update(series=0.5), ["fault.set.series = 0.5", "whole number"]),
        (lambda c: c["fault"]["set"][0].pop("slip_along_strike"), ["no slip anywhere"]),
        (lambda c: c["fault"].update(slip_rates=["back.txt"]), ["back.txt", "above 0"]),
        (lambda c: c["fault"].update(law="imposed-delta"), ["fault.slip_rates", "a known key"]),
        (
            lambda c: c["fault"].pop("slip_rates") and c["fault"].update(rupture="dip.srf"),
            ["within 45 degrees"],
        ),
    ],
)
def test_what_is_refused(mesh, tmp_path, change, words):
    (tmp_path / "rate.txt").write_text("0 0\n0.2 1\n0.4 0\n")
    (tmp_path / "back.txt").write_text("0 0\n0.2 -1\n0.4 0\n")
    write_rupture(tmp_path / "dip.srf")
    (tmp_path / "dip.srf").write_text((tmp_path / "dip.srf").read_text().replace(" 90 90 ", " 90 10 "))
    table = case_of(mesh, "imposed-series", {"slip_along_strike": 1.0}, slip_rates=["rate.txt"])
    change(table)
    refused(groundswell("run", write_case(tmp_path / "case.toml", table), "--quiet"), *words)
