"""One program on processors of several kinds: AVX2 and AVX-512 make the same bits of an earthquake, older ones the same waves."""

import copy
import subprocess

import netCDF4
import numpy as np
import pytest
from launching import (
    LAUNCHER,
    PROGRAM,
    assert_same,
    build_setting,
    environment,
    groundswell,
    run,
    write_case,
)
from test_quake_attenuation import plane_wave
from test_quake_faults import FILES, ageing_law, mesh, small_fault  # noqa: F401
from test_quake_plasticity import shear_wave


def broken(mesh):  # noqa: F811
    table = small_fault(mesh)
    table["time"]["end"] = "0.3s"
    return table, [name for name in FILES if name != "rupture.nc"]


def attenuating(_):
    table = plane_wave("S", 20, [0.1, 10.0])
    table["time"]["end"] = "0.3s"
    return table, ["receivers.nc"]


def plastic(_):
    table = shear_wave(4e6, 0.01)
    table["time"]["end"] = "0.2s"
    return table, ["volume.nc", "map.nc", "energy.nc"]


def rate_and_state(mesh):  # noqa: F811
    table = small_fault(mesh)
    table["time"]["end"] = "0.2s"
    table["fault"] = ageing_law(76e6)
    for entry in (*table["output"]["fault"], *table["output"]["fault_receivers"]):
        entry["fields"].remove("weakening_time")  # which has no end under this law
    return table, ["fault.nc", "places.nc", "receivers.nc"]


@pytest.fixture(scope="module", autouse=True)
def levels():
    """Those that this processor has and the program holds kernels for."""
    if build_setting("GROUNDSWELL_ARCH", "portable") != "portable":
        pytest.skip("the program was built for one kind of processor")
    return [
        level
        for level in ("v2", "v3", "v4")
        if groundswell("--version", env={"GROUNDSWELL_ISA": level}).code == 0
    ]


def on(level, case, folder):
    run(case, "--output", folder, env={"GROUNDSWELL_ISA": level})
    return folder


@pytest.mark.parametrize("precision", ["float", "double"])
@pytest.mark.parametrize("make", [broken, rate_and_state, attenuating, plastic])
def test_avx2_and_avx512_make_the_same_bits(mesh, tmp_path, levels, make, precision):  # noqa: F811
    if "v4" not in levels:
        pytest.skip(f"this processor has {', '.join(levels)}: no x86-64-v4 (AVX-512)")
    table, files = make(mesh)
    table["solver"]["precision"] = precision
    case = write_case(tmp_path / "case.toml", table)
    assert_same(on("v4", case, tmp_path / "v4"), on("v3", case, tmp_path / "v3"), files)


@pytest.mark.parametrize(("precision", "within"), [("float", 1e-4), ("double", 1e-11)])
def test_older_processors_make_the_same_waves(mesh, tmp_path, levels, precision, within):  # noqa: F811
    """They round twice where others multiply and add with one rounding."""
    if "v3" not in levels:
        pytest.skip(f"this processor has {', '.join(levels)}: nothing to hold it against")
    table, _ = broken(mesh)
    table["solver"] = copy.deepcopy(table["solver"]) | {"precision": precision}
    case = write_case(tmp_path / "case.toml", table)
    seen = []
    for level in ("v2", "v3"):
        with netCDF4.Dataset(on(level, case, tmp_path / level) / "receivers.nc") as file:
            seen.append(np.stack([file[name][:].filled() for name in ("vx", "vy", "vz")]))
    assert np.abs(seen[0]).max() > 0
    assert np.abs(seen[0] - seen[1]).max() <= within * np.abs(seen[1]).max()


def test_ranks_on_processors_of_two_kinds_are_told_what_to_do(mesh, tmp_path, levels):  # noqa: F811
    if len(levels) < 2:
        pytest.skip(f"this processor has {levels} alone")
    case = write_case(tmp_path / "case.toml", broken(mesh)[0])
    command = ["-n", "1", "env", "GROUNDSWELL_ISA={}", PROGRAM, "run", case, "--quiet"]
    one, other = ([str(word).format(level) for word in command] for level in levels[-2:])
    outcome = subprocess.run(
        [LAUNCHER, *one, ":", *other], env=environment(), capture_output=True, text=True, timeout=120
    )
    assert outcome.returncode == 2, outcome.stderr
    assert outcome.stderr.count("GROUNDSWELL_ISA = ") == 1, outcome.stderr
