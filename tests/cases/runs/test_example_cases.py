"""The cases that the project ships, run as they are or shorter and coarser, held against what is known of their seas."""

import json
import pathlib

import netCDF4
import numpy as np
import pytest
from launching import ROOT, groundswell, run

FERRET = pathlib.Path("/usr/share/ferret-vis/data")
GRAVITY = 9.80665


@pytest.fixture
def run_case(tmp_path):
    """run_case(name, mesh arguments, --set values…) → folder of output; the mesh is made as the case's mesh.toml says."""

    def go(name, mesh_arguments=(), *sets, ranks=2):
        folder = ROOT / "cases" / name
        mesh = tmp_path / "mesh.nc"
        made = groundswell(
            "mesh",
            "make",
            *(mesh_arguments or ("--config", folder / "mesh.toml")),
            "--output",
            mesh,
            "--quiet",
        )
        assert made.code == 0, made.stderr
        values = [f'mesh.file="{mesh}"', *sets]
        run(
            folder / "case.toml",
            "--output",
            tmp_path / "output",
            *(w for v in values for w in ("--set", v)),
            ranks=ranks,
            seconds=300,
        )
        return tmp_path / "output"

    return go


def test_growth_lies_between_its_peers(run_case):
    """Duration-limited growth under 10 m/s, deep water, one point.

    Hs and Tp of two other models on the very same set-up (36 directions, 35 frequencies from 0.04177 Hz by 1.1): WAVEWATCH III
    7.14 with its source term package ST4, from calm, and FVWAM with the terms of WAM cycle 6, from a JONSWAP sea. From 3 h on
    the series stays between 0.93 times the lower and 1.07 times the higher of the two.
    """
    hours = [3, 6, 12, 24, 48, 72]
    wavewatch = {"hs": [0.903, 1.234, 1.610, 1.991, 2.371, 2.584], "tp": [3.85, 4.73, 5.70, 6.70, 7.63, 8.29]}
    fvwam = {"hs": [0.823, 1.145, 1.485, 1.852, 2.223, 2.415], "tp": [3.58, 4.60, 5.59, 6.51, 7.61, 8.21]}
    with netCDF4.Dataset(run_case("growth") / "series.nc") as data:
        for name in ("hs", "tp"):
            found = data[name][hours, 0]
            low, high = np.minimum(wavewatch[name], fvwam[name]), np.maximum(wavewatch[name], fvwam[name])
            assert (found > 0.93 * low).all() and (found < 1.07 * high).all(), (name, found)
        assert (
            np.abs((data["dir"][:, 0] - 270.0 + 180.0) % 360.0 - 180.0).max() < 0.5
        )  # comes from the west, as the wind does


def test_basin_keeps_its_action(run_case):
    """No coast lets anything pass: the action of each frequency, Σ area · N, is the same at all times, to rounding."""
    folder = run_case(
        "basin", (), "time.end=2000-01-02T00:00:00Z", 'output.restart.every="3h"', "output.restart.keep=0"
    )
    with netCDF4.Dataset(folder.parent / "mesh.nc") as mesh:
        area = mesh["areaCell"][:]
    sums, places = [], []
    for path in sorted(folder.glob("restart_*.nc")):
        with netCDF4.Dataset(path) as data:
            action = data["action"][:].astype(float)
            assert action.min() >= 0.0
            by_cell = (area[data["mesh_cell"][:] - 1, None, None] * action).sum(axis=2)
            sums.append(by_cell.sum(axis=0))
            places.append(by_cell[:, 5])
    sums = np.array(sums)
    assert len(sums) == 8
    assert np.abs(sums / sums[0] - 1.0).max() < 2e-6
    assert np.abs(places[-1] - places[0]).sum() > places[0].sum()  # it has moved all the same


def wave_number(frequency, depth):
    """k of the dispersion relation (2πf)² = g k tanh kd, by Newton's method."""
    omega = 2.0 * np.pi * frequency
    k = omega**2 / GRAVITY / np.sqrt(np.tanh(omega**2 * depth / GRAVITY))
    for _ in range(30):
        t = np.tanh(k * depth)
        k -= (GRAVITY * k * t - omega**2) / (GRAVITY * t + GRAVITY * k * depth * (1.0 - t**2))
    return k


def test_beach_shoals_and_refracts(run_case):
    """sin θ / c stays, and H/H₀ = √(cg₀/cg) √(cos θ₀/cos θ): Snell's law and the conservation of energy flux."""
    folder = run_case("beach", ("--config", ROOT / "cases/beach/mesh.toml", "--spacing", "0.2"))
    with netCDF4.Dataset(folder / "beach.nc") as data:
        lon, lat = data["mesh_face_lon"][:], data["mesh_face_lat"][:]
        hs, bearing, depth = data["hs"][-1], data["dir"][-1], data["depth"][-1]
    frequency, depth0, angle0 = 0.1, 20.0, np.radians(30.0)

    def phase_and_group_speed(depth):
        k = wave_number(frequency, depth)
        c = 2.0 * np.pi * frequency / k
        return c, c * (0.5 + k * depth / np.sinh(2.0 * k * depth))

    middle = (np.abs(lat) < 0.006) & (depth > 6.0) & (depth < 16.0)
    assert middle.sum() > 50
    c0, cg0 = phase_and_group_speed(np.array([depth0]))
    c, cg = phase_and_group_speed(depth[middle])
    angle = np.arcsin(np.sin(angle0) * c / c0)
    height = np.sqrt(cg0 / cg) * np.sqrt(np.cos(angle0) / np.cos(angle))
    found = np.radians(270.0 - bearing[middle])  # from the normal of the beach
    assert np.degrees(np.abs(found - angle).max()) < 2.0
    assert np.abs(hs[middle] / height - 1.0).max() < 0.05
    assert lon[middle].min() < lon[middle].max()


@pytest.mark.parametrize("divisions", [16, pytest.param(32, marks=pytest.mark.long)])
def test_great_circle_keeps_cos_latitude_sin_bearing(run_case, divisions):
    """On a great circle cos φ sin α is constant (α from north), so its mean over all energy is too; close by the pole as well.

    With the mean direction and the one-sided spread s of a cell, the mean of sin α over its spectrum is (1 − s²/2) sin α.
    """
    mesh = ("--depth", "4000", "--icosahedron", str(divisions))
    folder = run_case(
        "great-circle", mesh, 'output.map=[{file="swell.nc", every="12h", fields=["hs", "dir", "spread"]}]'
    )
    with netCDF4.Dataset(folder.parent / "mesh.nc") as data:
        area = data["areaCell"][:]
    with netCDF4.Dataset(folder / "swell.nc") as data:
        latitude, longitude = np.radians(data["mesh_face_lat"][:]), np.radians(data["mesh_face_lon"][:])
        energy = area[data["mesh_cell"][:] - 1] * data["hs"][:] ** 2
        alpha = np.radians(data["dir"][:] - 180.0)
        mean_sine = np.sin(alpha) * (1.0 - 0.5 * np.radians(data["spread"][:]) ** 2)
    energy = np.ma.filled(energy, 0.0)
    kept = (energy * np.cos(latitude) * np.ma.filled(mean_sine, 0.0)).sum(axis=1) / energy.sum(axis=1)
    assert kept[0] == pytest.approx(np.cos(np.radians(45.0)) * np.sin(np.radians(10.0)), rel=0.1)
    assert np.abs(kept / kept[0] - 1.0).max() < 0.05
    # The way: north from 45° N at 0°, past the pole, and south on the other side.
    place = np.stack(
        [np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)]
    )
    centre = (energy[:, None, :] * place).sum(axis=2)
    centre /= np.linalg.norm(centre, axis=1)[:, None]
    highest, end = np.degrees(np.arcsin(centre[:, 2])).max(), centre[-1]
    assert highest > 75.0 and end[0] < 0.0
    start, bearing = np.array([np.sqrt(0.5), 0.0, np.sqrt(0.5)]), np.radians(10.0)
    ahead = np.array([-np.sqrt(0.5) * np.cos(bearing), np.sin(bearing), np.sqrt(0.5) * np.cos(bearing)])
    off = np.degrees(np.arcsin(np.abs(centre @ np.cross(start, ahead))))
    assert off.max() < 3.0


def test_global_sea_of_a_coarse_sphere(run_case):
    """Six hours of the world: land is left out, nothing is calm or wild, the wind is that of its file."""
    bathymetry, wind = FERRET / "etopo20.cdf", FERRET / "monthly_navy_winds.cdf"
    if not (bathymetry.exists() and wind.exists()):
        pytest.skip(f"{FERRET} (Debian package ferret-datasets) is not there")
    folder = run_case("global", (bathymetry, "--icosahedron", "8"), "time.end=1985-01-20T06:00:00Z")
    with netCDF4.Dataset(folder / "global.nc") as data:
        assert 380 < len(data.dimensions["nFace"]) < 520  # of 642, the sea's share of the Earth
        hs, speed, lat = data["hs"][-1], np.hypot(data["u10"][-1], data["v10"][-1]), data["mesh_face_lat"][:]
        assert not np.ma.is_masked(hs) and 0.0 < hs.min() and 1.0 < hs.max() < 6.0
        assert 5.0 < speed.max() < 25.0
        windy = speed > np.median(speed)
        assert hs[windy].mean() > 1.3 * hs[~windy].mean()
        assert np.ptp(lat) > 150.0


def test_yagi_on_a_coarse_mesh(run_case):
    """Twelve hours of the typhoon at its strongest: the highest waves are near the eye, on the right of its track."""
    mesh = (
        "--config",
        ROOT / "cases/yagi/mesh.toml",
        "--spacing",
        "finest=30,coarsest=60,growth=0.08",
        "--iterations",
        "10",
    )
    folder = run_case(
        "yagi",
        mesh,
        "time.start=2024-09-05T00:00:00Z",
        "time.end=2024-09-05T12:00:00Z",
        'output.restart.every="6h"',
    )
    rows = [
        line.split(",")
        for line in (ROOT / "cases/yagi/yagi.csv").read_text().splitlines()
        if line[:2] == "20"
    ]
    fixes = {row[0]: (float(row[2]), float(row[1])) for row in rows}
    eye, before = fixes["2024-09-05T12:00:00Z"], fixes["2024-09-05T06:00:00Z"]
    with netCDF4.Dataset(folder / "yagi.nc") as data:
        hs = data["hs"][-1]
        highest = int(hs.argmax())
        lon, lat = data["mesh_face_lon"][highest], data["mesh_face_lat"][highest]
        assert 6.0 < hs[highest] < 20.0
        assert 30.0 < np.hypot(data["u10"][-1], data["v10"][-1]).max() < 70.0
    assert np.hypot((lon - eye[0]) * np.cos(np.radians(lat)), lat - eye[1]) < 2.0
    motion, offset = np.subtract(eye, before), (lon - eye[0], lat - eye[1])
    assert motion[0] * offset[1] - motion[1] * offset[0] < 0.2  # right of the way it goes, or on it
    assert json.loads((folder / "run.json").read_text())["result"]["simulated_seconds"] == 43200.0
    assert sorted(path.name for path in folder.glob("restart_*")) == [
        "restart_20240905T060000.nc",
        "restart_20240905T120000.nc",
    ]
