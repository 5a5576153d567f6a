"""netCDF-4 files hold what CDF-5 files hold, in every mode; what cannot be is refused before the start."""

import json
import os
import random
import signal
import subprocess
import time
import zlib

import netCDF4
import numpy as np
import pytest
import xarray as xr
from faults import sets
from launching import (
    STORM_FILES,
    assert_same,
    assert_whole_records,
    finish,
    groundswell,
    rank_processes,
    refused,
    run,
    start,
    storm_case,
    wait_for_records,
    write_case,
)

HALF = "restart_20240906T050000.nc"
NETCDF4 = sets(format="netcdf4")
SMALL = sets(format="netcdf4", compression=4)


@pytest.fixture(scope="module")
def storm(tmp_path_factory, coast_mesh, wind_file):
    """A case with restarts in half an hour, and the folder of its CDF-5 files."""
    folder = tmp_path_factory.mktemp("formats")
    table = storm_case(coast_mesh, wind_file)
    table["output"]["restart"] = {"every": "2h"}
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder / "classic")
    return case, folder / "classic"


def is_hdf5(path):
    return path.read_bytes()[:8] == b"\x89HDF\r\n\x1a\n"


# Mode, servers, ranks and the storage: each mode, each number of servers, compressed and not, once.
@pytest.mark.parametrize(
    "mode, ranks, storage",
    [
        ("serial", 0, NETCDF4),
        ("direct", 3, SMALL),
        ("direct", 2, NETCDF4),
        ("thread", 2, SMALL),
        ("servers=1", 2, SMALL),
        ("servers=2", 4, NETCDF4),
        ("servers=3", 4, SMALL),
    ],
    ids=str,
)
def test_files_of_every_mode_hold_what_cdf5_files_hold(storm, tmp_path, mode, ranks, storage):
    case, classic = storm
    name, _, servers = mode.partition("=")
    words = sets(mode=name) + (sets(servers=servers) if servers else [])
    run(case, "--output", tmp_path, *storage, *words, ranks=ranks)
    assert_same(tmp_path, classic, STORM_FILES)
    assert all(is_hdf5(tmp_path / name) for name in STORM_FILES)
    assert not is_hdf5(tmp_path / HALF)  # restart files stay CDF-5
    assert_same(tmp_path, classic, [HALF])
    outcome = groundswell("verify", *(tmp_path / name for name in STORM_FILES))
    assert outcome.code == 0, outcome.stdout


def test_the_files_open_where_users_work(storm, tmp_path):
    case, classic = storm
    run(case, "--output", tmp_path, *SMALL, ranks=2)
    for name in STORM_FILES:
        dump = subprocess.run(["ncdump", "-hs", tmp_path / name], capture_output=True, text=True)
        assert dump.returncode == 0 and '_Format = "netCDF-4"' in dump.stdout, dump.stderr
        with xr.open_dataset(tmp_path / name) as new, xr.open_dataset(classic / name) as old:
            assert new.sizes == old.sizes
            assert list(new.variables) == list(old.variables)
            for variable in old.variables:
                assert np.array_equal(new[variable].values, old[variable].values) or np.allclose(
                    new[variable].values, old[variable].values, rtol=0, atol=0, equal_nan=True
                )
    with netCDF4.Dataset(tmp_path / "hourly.nc") as data:
        filters = data["hs"].filters()
        assert (filters["zlib"], filters["complevel"], filters["shuffle"]) == (True, 4, True)
        assert data.dimensions["time"].isunlimited()


def test_compare_finds_a_difference_between_the_formats(storm, tmp_path):
    case, classic = storm
    run(case, "--output", tmp_path, *NETCDF4)
    changed = tmp_path / "changed.nc"
    changed.write_bytes((classic / "hourly.nc").read_bytes())
    with netCDF4.Dataset(changed, "a") as data:
        data["hs"][2, 5] += 0.25
    report = tmp_path / "report.json"
    outcome = groundswell("compare", tmp_path / "hourly.nc", changed, "--json", report)
    assert outcome.code == 1
    variables = json.loads(report.read_text())["result"]["variables"]
    found = {each["name"]: each for each in variables}
    assert [name for name, each in found.items() if not each["equal"]] == ["hs"]
    assert found["hs"]["worst"]["index"] == [5]


@pytest.mark.parametrize("storage", [NETCDF4, SMALL], ids=["plain", "compressed"])
def test_a_run_is_continued_in_its_format(storm, tmp_path, storage):
    case, classic = storm
    run(case, "--output", tmp_path, *storage, ranks=2)
    run(case, "--output", tmp_path, *storage, "--restart", tmp_path / HALF, ranks=3)
    assert_same(tmp_path, classic, STORM_FILES)
    assert groundswell("verify", *(tmp_path / name for name in STORM_FILES)).code == 0
    outcome = groundswell("run", case, "--output", tmp_path, "--restart", tmp_path / HALF)
    refused(outcome, "hourly.nc: format = netcdf4: expected cdf5, to be continued after a restart")


def stored(values, level):
    """Bytes of a chunk as HDF5's filters shuffle and deflate leave them."""
    raw = values.astype("<f4").tobytes()
    if level == 0:
        return raw
    return zlib.compress(np.frombuffer(raw, "u1").reshape(-1, 4).T.tobytes(), level)


@pytest.mark.parametrize("level", [0, 4])
@pytest.mark.parametrize("checksums", ["true", "false"])
def test_verify_finds_a_changed_value_and_a_cut_file(storm, tmp_path, level, checksums):
    case, _ = storm
    words = sets(format="netcdf4", compression=level, checksums=checksums)
    run(case, "--output", tmp_path, *words, "--set", "output.restart.every=never", ranks=2)
    path = tmp_path / "wind.nc"
    assert groundswell("verify", path).code == 0
    with netCDF4.Dataset(path) as data:
        data.set_auto_mask(False)
        chunk = stored(data["u10"][3], level)
    content = path.read_bytes()
    assert content.count(chunk) == 1
    at = content.index(chunk) + len(chunk) // 2
    path.write_bytes(content[:at] + bytes([content[at] ^ 16]) + content[at + 1 :])
    outcome = groundswell("verify", path)
    # Without a checksum a value may be any; a compressed chunk has zlib's own.
    assert outcome.code == (1 if level > 0 or checksums == "true" else 0), outcome.stdout
    assert outcome.code == 0 or "record 3: variable u10" in outcome.stdout
    path.write_bytes(content[: 2 * len(content) // 3])
    assert groundswell("verify", path).code == 1


@pytest.mark.parametrize(
    "words, expected",
    [
        (sets(compression=4), 'output.compression = 4: expected 0, or output.format = "netcdf4" with it'),
        (sets(format="netcdf4", compression=10), "output.compression = 10: expected"),
        (sets(format="netcdf"), 'output.format = "netcdf": expected'),
    ],
    ids=["of-cdf5", "level", "format"],
)
def test_what_cannot_be_is_refused_before_the_start(storm, tmp_path, words, expected):
    case, _ = storm
    refused(groundswell("run", case, "--output", tmp_path / "new", *words), expected)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("rounds", [2, pytest.param(25, marks=pytest.mark.long)])
def test_a_kill_at_any_moment_leaves_whole_records(storm, tmp_path, rounds):
    """The disk is slow, so that most moments fall between two writes of a record or of its header."""
    case, classic = storm
    moments = random.Random(rounds)
    for number in range(rounds):
        folder = tmp_path / str(number)
        words = [SMALL, NETCDF4][number % 2] + sets(mode=["direct", "thread"][number // 2 % 2])
        process = start(
            *("run", case, "--quiet", "--output", folder, *words),
            ranks=2,
            env={"GROUNDSWELL_TEST_DISK": "400kB/s"},
        )
        wait_for_records(process, folder / "wind.nc", 1)
        time.sleep(moments.uniform(0.0, 1.5))
        for pid in rank_processes(process):
            os.kill(pid, signal.SIGKILL)
        finish(process)
        for name in STORM_FILES:
            assert_whole_records(folder / name, classic / name)
            outcome = groundswell("verify", folder / name)
            assert outcome.code == 0, outcome.stdout
        restart = folder / HALF
        again = ["--restart", restart] if restart.exists() else ["--overwrite"]
        run(case, "--output", folder, *words, *again, ranks=2)
        assert_same(folder, classic, STORM_FILES)
