"""The case of `make demo-quake`, coarser, shorter and slower: on its own relief, and heard as its mechanism says."""

import re
import shlex
import shutil

import netCDF4
import numpy as np
import pytest
from launching import ROOT, groundswell, run

CASE = ROOT / "cases/quake/local-event"
FASTEST, SLOWEST = 6200.0, 3900.0  # of P waves, m/s


def replaced(text, **values):
    for old, new in values.items():
        key = old.replace("_", " ")
        assert text.count(f"\n{key} = ") == 1, key
        line = text[text.index(f"\n{key} = ") + 1 :].split("\n")[0]
        text = text.replace(line, f"{key} = {new}")
    return text


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    pytest.importorskip("gmsh", exc_type=ImportError)
    folder = tmp_path_factory.mktemp("local")
    for file in ("case.toml", "etopo5_hualien.nc"):
        shutil.copy(CASE / file, folder)
    request = (CASE / "mesh.toml").read_text(encoding="utf-8")
    (folder / "mesh.toml").write_text(replaced(request, frequency="0.45", order="4"), encoding="utf-8")
    made = groundswell("mesh", "make", folder / "mesh.toml", "--quiet")
    assert made.code == 0, made.stderr
    sets = ("solver.order=4", "time.end=8s", "source.point.0.rise_time=1.5", "source.point.0.onset=0.0")
    run(folder / "case.toml", *(word for one in sets for word in ("--set", one)), ranks=2, seconds=300)
    return folder / "output"


def test_receivers_stand_on_the_relief_of_etopo5(output):
    with (
        netCDF4.Dataset(output / "receivers.nc") as file,
        netCDF4.Dataset(CASE / "etopo5_hualien.nc") as relief,
    ):
        z = file["z"][:]
        names = [str(name).strip() for name in netCDF4.chartostring(file["station_name"][:])]
        nearest = [
            relief["elevation"][:][
                np.abs(relief["lat"][:] - latitude).argmin(), np.abs(relief["lon"][:] - longitude).argmin()
            ]
            for longitude, latitude in zip(file["longitude"][:], file["latitude"][:])
        ]
    height = dict(zip(names, z))
    assert height["mountains"] > 1000 and height["sea floor"] < -1500
    # Within the relief between neighbouring points of the file.
    assert np.abs(z - nearest).max() < 700


def test_first_motion_is_that_of_the_mechanism(output):
    """Nothing moves before the fastest wave; then the ground moves as P waves of this double couple push it.

    K. Aki & P. G. Richards 2002, equation 4.88 and box 4.4: M = M0 (d n + n d), in the far field along ray g by g M g.
    """
    strike, dip, rake = np.radians([25.0, 60.0, 55.0])  # as in the case
    along = np.array([np.sin(strike), np.cos(strike), 0.0])
    up_dip = np.array([-np.cos(strike) * np.cos(dip), np.sin(strike) * np.cos(dip), np.sin(dip)])
    slip = np.cos(rake) * along + np.sin(rake) * up_dip
    normal = np.cross(along, up_dip)  # into the hanging wall, which slips
    normal *= np.sign(normal[2])
    moment = np.outer(slip, normal) + np.outer(normal, slip)
    assert moment[2, 2] == pytest.approx(np.sin(2 * dip) * np.sin(rake))  # box 4.4
    with netCDF4.Dataset(output / "receivers.nc") as file:
        time = file["time"][:].filled()
        place = np.stack([file[name][:] for name in "xyz"], axis=1)
        velocity = np.stack([file[name][:] for name in ("vx", "vy", "vz")], axis=-1)
    ray = place - [2036.0, -3323.0, -9500.0]
    away = np.linalg.norm(ray, axis=1)
    ray /= away[:, None]
    pattern = np.einsum("si,ij,sj->s", ray, moment, ray)
    along_ray = np.einsum("tsi,si->ts", velocity, ray)
    peak = np.abs(velocity).max(axis=(0, 2))
    heard = 0
    for station in range(len(place)):
        before = time < 0.9 * away[station] / FASTEST
        assert np.abs(velocity[before, station]).max() < 0.03 * peak[station]
        first = (time > away[station] / FASTEST) & (time < away[station] / SLOWEST + 0.3)
        if abs(pattern[station]) > 0.3 and time[-1] > away[station] / SLOWEST + 0.3:
            heard += 1
            assert np.sign(along_ray[first, station].mean()) == np.sign(pattern[station])
    assert heard == 4


def test_the_surface_moves_as_receivers_do_and_its_peaks_are_those_of_all_records(output):
    with netCDF4.Dataset(output / "receivers.nc") as file, netCDF4.Dataset(output / "surface.nc") as surface:
        corner = np.stack([surface[f"mesh_node_{name}"][:] for name in "xyz"], axis=1)
        faces = surface["mesh_face_nodes"][:].filled().astype(int) - surface["mesh_face_nodes"].start_index
        centre = corner[faces].mean(axis=1)
        assert centre[:, 2].max() > 2500 and centre[:, 2].min() < -3000
        # The nearest triangle is less than an element away, of which there are some in the wavelength.
        seen = np.searchsorted(file["time"][:], surface["time"][:])
        place = np.stack([file[name][:] for name in "xyz"], axis=1)
        speed = np.hypot(surface["vx"][:], surface["vy"][:])
        for station in range(len(place)):
            near = np.linalg.norm(centre - place[station], axis=1).argmin()
            here = np.concatenate([file[name][:][seen, station] for name in ("vx", "vy", "vz")])
            there = np.concatenate([surface[name][:][:, near] for name in ("vx", "vy", "vz")])
            assert here @ there > 0.85 * np.sqrt((here @ here) * (there @ there))
        peak = surface["pgv"][:][-1]
        assert (peak >= (1 - 1e-6) * speed.max(axis=0)).all() and peak.mean() < 1.2 * speed.max(axis=0).mean()


@pytest.mark.long
def test_the_pictures_of_the_demo(output):
    """With the words of its script."""
    text = (ROOT / "scripts/demo-quake").read_text(encoding="utf-8")
    values = {"surface": output / "surface.nc", "receivers": output / "receivers.nc", "output": output}
    values["epicentre"] = re.search(r"epicentre=(\S+)", text)[1]
    drawn = [line for line in text.splitlines() if line.strip().startswith("./groundswell plot ")]
    assert len(drawn) == 4
    for line in drawn:
        words = shlex.split(re.sub(r"\$(\w+)", lambda found: str(values[found[1]]), line))
        answer = groundswell(*words[1:], "--quiet")
        assert answer.code == 0, answer.stderr
    for name in ("pgv.png", "intensity.png", "seismograms.png", "surface.gif"):
        assert (output / name).stat().st_size > 20_000
