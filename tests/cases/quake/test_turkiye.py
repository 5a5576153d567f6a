"""The case of Kahramanmaraş on a rougher mesh: its faults lie where they were traced, are loaded left-laterally, and rupture begins on
the splay; the same bits on any ranks."""

import json
import os
import re
import shutil
import subprocess

import netCDF4
import numpy as np
import pytest
from launching import ROOT, assert_same, groundswell, run

CASE = ROOT / "cases/quake/turkiye"
MAIN, SPLAY = 65, 66
HYPOCENTRE = (-21e3, 2e3, -10e3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pytest.importorskip("gmsh", exc_type=ImportError)
    folder = tmp_path_factory.mktemp("turkiye")
    for file in ("case.toml", "mesh.toml", "etopo5_turkiye.nc"):
        shutil.copy(CASE / file, folder)
    made = groundswell("mesh", "make", folder / "mesh.toml", "--size-factor", 3, "--quiet")
    assert made.code == 0, made.stderr
    return folder


def start(folder, output, ranks, *sets):
    settings = ("solver.order=2", "time.end=2s", "output.fault.0.every=2s", *sets)
    words = [word for one in settings for word in ("--set", one)]
    run(folder / "case.toml", "--output", folder / output, *words, ranks=ranks, seconds=300)
    return folder / output


@pytest.fixture(scope="module")
def output(folder):
    return start(folder, "alone", 1)


def test_rupture_begins_on_the_splay_beside_the_hypocentre(output):
    with netCDF4.Dataset(output / "fault.nc") as file:
        rate, tag = file["slip_rate"][-1], file["fault_tag"][:]
        place = np.stack([file[f"mesh_face_{axis}"][:] for axis in "xyz"], axis=-1)
        broken = ~np.ma.getmaskarray(file["rupture_time"][-1])
        longitude, latitude = file["mesh_face_lon"][:], file["mesh_face_lat"][:]
    away = np.linalg.norm(place - HYPOCENTRE, axis=1)
    assert broken.any() and (tag[broken] == SPLAY).all() and away[broken].max() < 12e3
    assert rate.max() > 0.5 and away[np.argmax(rate)] < 8e3
    # The ends of the traces, as they were published.
    for number, west, east in ((MAIN, (36.273, 36.369), (38.435, 38.056)), (SPLAY, (37.030, 37.170), None)):
        for end in filter(None, (west, east)):
            mine = tag == number
            nearest = np.hypot((longitude[mine] - end[0]) * 89e3, (latitude[mine] - end[1]) * 111e3).min()
            assert nearest < 2500.0
    rupture = json.loads((output / "run.json").read_text())["result"]["rupture"]
    assert rupture["tag_65"]["moment"] == 0 < rupture["tag_66"]["moment"]


def test_stress_pulls_all_of_the_faults_left_laterally_and_below_their_strength(output):
    with netCDF4.Dataset(output / "fault.nc") as file:
        strike, dip, strength = (file[name][0] for name in ("traction_strike", "traction_dip", "strength"))
        normal = file["normal_stress"][0]
    # The − side, to the south-east, is pulled against strike, which is to the south-west: to the north-east.
    assert (strike < 0).all() and (normal < 0).all()
    assert (np.hypot(strike, dip) < strength).all()
    assert np.abs(dip).max() < 0.05 * np.abs(strike).max()


FILES = ("fault.nc", "surface.nc", "receivers.nc", "rupture.nc", "energy.nc")


@pytest.mark.parametrize(
    "ranks, threads", [(3, 2), *(pytest.param(ranks, 1, marks=pytest.mark.long) for ranks in (2, 4))]
)
def test_bits_do_not_depend_on_ranks_and_threads(folder, output, ranks, threads):
    other = start(folder, f"on-{ranks}", ranks, f"run.threads={threads}")
    assert_same(output, other, FILES)


def test_bits_do_not_depend_on_a_restart(folder, output):
    """On other ranks, a second after the rupture began."""
    other = start(folder, "continued", 3, "time.end=1s", "output.restart.every=1s", "output.restart.keep=0")
    written = min(other.glob("restart_*.nc"))
    run(folder / "case.toml", "--output", other, "--restart", written, "--set", "solver.order=2", "--set", "time.end=2s",
        "--set", "output.fault.0.every=2s", ranks=2, seconds=300)  # fmt: skip
    assert_same(output, other, FILES)


@pytest.mark.long
def test_one_command_goes_from_traces_to_pictures(folder, tmp_path):
    """On a copy of the folder, whose mesh is there already, for two seconds."""
    case = tmp_path / "cases/quake/turkiye"
    case.mkdir(parents=True)
    for file in ("run", "case.toml", "mesh.toml", "etopo5_turkiye.nc"):
        shutil.copy(CASE / file, case)
    (case / "output").mkdir()
    shutil.copy(folder / "output/mesh.msh", case / "output")
    environment = {
        **os.environ,
        "PATH": f"{ROOT}/build/release/bin:{ROOT}/build/venv/bin:{os.environ['PATH']}",
    }
    for word, told in (
        ("time.end", "time.end: expected"),
        ("--rank=2", "--rank: expected"),
        ("--ranks=two", "--ranks = two"),
    ):
        refused = subprocess.run([case / "run", word], env=environment, capture_output=True, text=True)
        assert refused.returncode == 2 and f"command line: {told}" in refused.stderr
    answer = subprocess.run(
        [case / "run", "--ranks", "2", "solver.order=2", "time.end=4s"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert answer.returncode == 0, answer.stderr
    made = {file.name for file in (case / "output").iterdir()}
    named = re.findall(
        r"`([a-z_-]+\.(?:png|gif|nc|json))`", (CASE / "README.md").read_text().split("Step by step")[0]
    )
    assert len(named) == 15 and set(named) <= made


@pytest.mark.parametrize("script", ["full.slurm", "full.pbs"])
def test_job_scripts_start_the_full_run(tmp_path, script):
    """With a launcher that looks at its options and starts one rank, which reads the case and explains it."""
    launcher = tmp_path / ("srun" if script.endswith("slurm") else "mpirun")
    launcher.write_text(
        '#!/bin/bash\nwhile [ "$1" != "$GROUNDSWELL" ]; do printf "%s\\n" "$1" >> "$SEEN"; shift; done\nexec "$@"\n'
    )
    launcher.chmod(0o755)
    (tmp_path / "hosts").write_text("a\n" * 16 + "b\n" * 16)
    seen = tmp_path / "seen"
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "GROUNDSWELL": str(ROOT / "groundswell"),
        "SEEN": str(seen),
        "SLURM_CPUS_PER_TASK": "8",
        "PBS_O_WORKDIR": str(ROOT),
        "PBS_NODEFILE": str(tmp_path / "hosts"),
    }
    answer = subprocess.run(
        ["bash", CASE / script, "--explain"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
    for line in ('solver.precision = "double"', "run.threads = 8", 'output.restart.every = "20s"'):
        assert line in answer.stdout
    words = seen.read_text().split()
    assert "--cpus-per-task=8" in words if script.endswith("slurm") else words[:2] == ["-n", "32"]
