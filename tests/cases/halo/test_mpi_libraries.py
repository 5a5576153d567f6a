"""The files hold the same bits whichever MPI library carries the halos, and wherever its ranks sit."""

import json
import os
import subprocess

import pytest
from launching import (
    IS_OPEN_MPI,
    PROGRAM,
    ROOT,
    STORM_FILES,
    assert_same,
    environment,
    finish,
    run,
    storm_case,
    write_case,
)

RESTART = "restart_20240906T060000.nc"
PRETEND_HOSTS = ROOT / "scripts/pretend-hosts"
# Through the pretend network, and no other way to the memory of a rank that is on the same machine after all.
ACROSS_HOSTS = {
    "plm_rsh_agent": ROOT / "scripts/pretend-host-agent",
    "pml": "ob1",
    "btl": "tcp,vader,self",
    "btl_tcp_if_include": "e0",
    "oob_tcp_if_include": "e0",
}


@pytest.fixture(scope="module")
def storm(tmp_path_factory, coast_mesh, wind_file):
    """A case and the folder of its run by one rank."""
    folder = tmp_path_factory.mktemp("storm")
    table = storm_case(coast_mesh, wind_file)
    table["output"]["mode"] = "serial"  # builds without PnetCDF have no other
    table["output"]["restart"] = {"every": "3h"}  # the whole state, at the end
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder / "one")
    return case, folder / "one"


@pytest.fixture(scope="module")
def pretend_hosts():
    if not IS_OPEN_MPI:
        pytest.skip("pretend hosts: this test knows Open MPI's launcher alone")
    check = subprocess.run([PRETEND_HOSTS, "--check"], capture_output=True, text=True)
    if check.returncode != 0:
        pytest.skip(check.stdout.strip())


@pytest.mark.parametrize("transport", ["posted", "neighbor", "shared"])
def test_two_hosts(storm, tmp_path, pretend_hosts, transport):
    """Two ranks on each of two hosts, which know each other by TCP; the model counts the hosts that MPI shows."""
    case, reference = storm
    launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "4", "--host", "host1:2,host2:2"]
    for name, value in ACROSS_HOSTS.items():
        launcher += ["--mca", name, str(value)]
    words = ["run", case, "--quiet", "--output", tmp_path, "--json", tmp_path / "run.json"]
    words += ["--set", f"halo.transport={transport}"]
    process = subprocess.Popen(
        [str(word) for word in [PRETEND_HOSTS, 2, *launcher, PROGRAM, *words]],
        env=environment(),
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    outcome = finish(process)
    assert outcome.code == 0, outcome.stderr
    report = json.loads((tmp_path / "run.json").read_text())
    assert report["machine"]["hosts"] == 2 and report["machine"]["ranks"] == 4
    assert report["result"]["transport"] == transport
    assert_same(tmp_path, reference, [*STORM_FILES, RESTART])


@pytest.fixture(scope="module")
def mpich():
    """The program and launcher of the build with MPICH."""
    program = ROOT / "build/mpich/bin/groundswell"
    if not program.exists():
        pytest.skip(f"{program} is not there: scripts/build mpich")
    return program, "/usr/bin/mpiexec.mpich"


@pytest.mark.long
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_mpich_and_open_mpi(storm, tmp_path, mpich, ranks):
    """Same compiler and flags, another MPI library."""
    case, reference = storm
    program, launcher = mpich
    command = [launcher, "-n", ranks, program, "run", case, "--quiet", "--output", tmp_path]
    done = subprocess.run(
        [str(word) for word in command],
        env={**os.environ, "OMP_WAIT_POLICY": "passive"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert_same(tmp_path, reference, [*STORM_FILES, RESTART])
