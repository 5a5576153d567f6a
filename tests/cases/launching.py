"""Starts the program as a user does, and writes the case files and winds that it is given."""

import dataclasses
import datetime
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import netCDF4
import numpy as np
import played_runs
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# GROUNDSWELL_TEST_PROGRAM tests another build, as the one with sanitizers.
PROGRAM = pathlib.Path(os.environ.get("GROUNDSWELL_TEST_PROGRAM", ROOT / "build/release/bin/groundswell"))
ERROR = "groundswell: error: "


def build_setting(name, otherwise):
    """A value of the build that the program belongs to: with which MPI library it was made, for one."""
    cache = PROGRAM.parent.parent / "CMakeCache.txt"
    for line in cache.read_text().splitlines() if cache.exists() else []:
        if line.startswith(f"{name}:"):
            return line.partition("=")[2]
    return otherwise


LAUNCHER = build_setting("MPIEXEC_EXECUTABLE", "mpirun")
HAS_PNETCDF = build_setting("GROUNDSWELL_PNETCDF", "ON") == "ON"


def launcher_is_open_mpi():
    version = subprocess.run([LAUNCHER, "--version"], capture_output=True, text=True).stdout
    return "Open MPI" in version or "OpenRTE" in version


IS_OPEN_MPI = launcher_is_open_mpi()
# Waiting ranks of Open MPI yield when asked to. Those of MPICH do with this library, which its build makes for the tests;
# without it more of them than cores stand in each other's way.
YIELD = PROGRAM.parent.parent / "lib/libyield_while_waiting.so"
MOST_RANKS = 1000 if IS_OPEN_MPI or YIELD.exists() else 4

ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMP_WAIT_POLICY": "passive",
    # When one rank has ended with an error, the launcher gives the others this many seconds before it kills them. Ours
    # have said and settled everything by then: the library's usual wait is a second or two in each of hundreds of refusals.
    "OMPI_MCA_odls_base_sigkill_timeout": "0",
    # A start takes 0.05 s in place of 0.4: no library for a network that is not there times the clock first, and one rank
    # alone starts no daemon beside it.
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_ess_singleton_isolated": "1",
    **({"LD_PRELOAD": str(YIELD)} if YIELD.exists() else {}),
}

# Processes that start alone would share one folder of Open MPI's, which the first of them to end removes.
SESSIONS = tempfile.TemporaryDirectory(prefix="groundswell-mpi-")


@dataclasses.dataclass
class Outcome:
    """What a command answered. `errors` are the program's own messages; a launcher adds lines of its own."""

    code: int
    stdout: str
    stderr: str

    @property
    def errors(self):
        return [line.removeprefix(ERROR) for line in self.stderr.splitlines() if line.startswith(ERROR)]


def command_line(arguments, ranks=0):
    """ranks 0: without a launcher."""
    if ranks > MOST_RANKS:
        pytest.skip(f"{ranks} ranks: those of this MPI library do not yield while they wait")
    launcher = [LAUNCHER, "-n", str(ranks)] if ranks else []
    return [*launcher, str(PROGRAM), *map(str, arguments)]


def output_mode(mode):
    """The mode, or what takes the place of `direct` in a build without PnetCDF."""
    return mode if HAS_PNETCDF or mode != "direct" else "serial"


def environment(extra=None):
    path = os.pathsep.join([str(PROGRAM.parent), str(ROOT / "build/venv/bin"), os.environ["PATH"]])
    session = {"OMPI_MCA_orte_tmpdir_base": tempfile.mkdtemp(dir=SESSIONS.name)}
    return {**os.environ, "PATH": path, **ENVIRONMENT, **session, **(extra or {})}


def start(*arguments, ranks=0, env=None, cwd=None, wrapper=()):
    """A process in a group of its own, so that all its ranks can be ended. `wrapper`: words before the command."""
    return subprocess.Popen(
        [*wrapper, *command_line(arguments, ranks)],
        env=environment(env),
        cwd=cwd,
        start_new_session=True,
        # Who started the tests in the background may have had them ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process, seconds=120):
    try:
        stdout, stderr = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        stdout, stderr = process.communicate()
        raise AssertionError(
            f"{process.args} did not end within {seconds} s; it said:\n{stdout}{stderr}"
        ) from None
    return Outcome(process.returncode, stdout, stderr)


def groundswell(*arguments, ranks=0, env=None, cwd=None, seconds=120):
    def answer(arguments, env, ranks=ranks, seconds=seconds):
        return finish(start(*arguments, ranks=ranks, env=env, cwd=cwd), seconds)

    if played_runs.wanted(arguments, env):
        return played_runs.twice(answer, arguments, env, cwd)
    return answer(arguments, env)


def run(case, *arguments, **launch):
    """`groundswell run`, which must succeed."""
    outcome = groundswell("run", case, "--quiet", *arguments, **launch)
    assert outcome.code == 0, outcome.stderr
    return outcome


def python(*arguments, ranks=1, cwd=None, seconds=120):
    """A Python program on so many ranks; without a launcher for one."""
    launcher = [LAUNCHER, "-n", str(ranks)] if ranks > 1 else []
    line = [*launcher, sys.executable, *map(str, arguments)]
    done = subprocess.run(
        line,
        cwd=cwd,
        env=environment({"PYTHONPATH": str(ROOT / "python")}),
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def lab_program(folder, text, *arguments, ranks=1, cwd=None, code=0):
    """A Python program that has `lab` and `np`; it must end with this code."""
    (folder / "program.py").write_text(f"import sys\nimport numpy as np\nfrom groundswell import lab\n{text}")
    outcome = python(folder / "program.py", *arguments, ranks=ranks, cwd=cwd)
    assert outcome.code == code, outcome.stderr
    return outcome


def refused(outcome, *words):
    """Exactly one message, on exit code 2, with these words in it."""
    assert outcome.code == 2, (outcome.code, outcome.stderr)
    assert len(outcome.errors) == 1, outcome.stderr
    for word in words:
        assert word in outcome.errors[0], (word, outcome.errors[0])
    return outcome.errors[0]


def assert_same(folder, reference, names):
    """`groundswell compare` finds each of these files identical in both folders."""
    outcome = groundswell(
        "compare", folder, reference, *(word for name in names for word in ("--file", name))
    )
    assert outcome.code == 0, outcome.stdout + outcome.stderr


def ours_in_shared_memory():
    return {name for name in os.listdir("/dev/shm") if "groundswell" in name}


def left_in_shared_memory(before):
    """What came since and stays: names of another run, beside which this test may run, live for moments."""
    left, until = ours_in_shared_memory() - before, time.monotonic() + 20
    while left and time.monotonic() < until:
        time.sleep(0.1)
        left &= ours_in_shared_memory()
    return left


# --------------------------------------------------------------------------------------------------- case files


def toml_value(value):
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, pathlib.Path):
        value = str(value)
    return json.dumps(value)


def toml_text(table, name=""):
    """TOML of nested dictionaries; a list of dictionaries is an array of tables."""
    is_array = lambda value: isinstance(value, list) and value and isinstance(value[0], dict)  # noqa: E731
    text = ""
    for key, value in table.items():
        if not isinstance(value, dict) and not is_array(value):
            text += f"{key} = {toml_value(value)}\n"
    for key, value in table.items():
        full = f"{name}.{key}" if name else key
        if isinstance(value, dict):
            text += f"\n[{full}]\n" + toml_text(value, full)
        elif is_array(value):
            text += "".join(f"\n[[{full}]]\n" + toml_text(entry, full) for entry in value)
    return text


def write_case(path, table):
    path.write_text(toml_text(table))
    return path


def moment(hours, day=6):
    """Hours after the beginning of a day of September 2024."""
    return datetime.datetime(2024, 9, day) + datetime.timedelta(hours=hours)


def storm_case(mesh, wind, hours=3):
    """Everything at once, in seconds: land, wind from a file, all source terms, maps, series and spectra."""
    places = [[112.0, 18.0], [108.5, 16.5], [116.0, 13.0]]
    return {
        "title": "a small storm",
        "time": {"start": moment(3), "end": moment(3 + hours)},
        "mesh": {"file": mesh},
        "spectrum": {"directions": 20, "frequencies": 14, "first_frequency": 0.06, "ratio": 1.1},
        "wind": [{"file": wind}],
        "propagation": {"scheme": "second-order"},
        "output": {
            "map": [
                {
                    "file": "hourly.nc",
                    "every": "1h",
                    "fields": ["hs", "tm01", "tp", "dir", "spread", "ustar"],
                },
                {"file": "wind.nc", "every": "30min", "fields": ["u10", "v10", "depth", "charnock", "tm02"]},
            ],
            "points": [
                {"file": "spectra.nc", "every": "1h", "at": places},
                {
                    "file": "series.nc",
                    "every": "30min",
                    "at": places[:2],
                    "names": ["open sea", "coast"],
                    "fields": ["hs", "dp", "tmm10"],
                },
            ],
        },
    }


STORM_FILES = ["hourly.nc", "wind.nc", "spectra.nc", "series.nc"]


def swell_case(mesh, hours=6, hs=3.0, centre=(0.0, 0.0), radius=1500.0):
    """Propagation alone: a swell in the middle of a sea."""
    return {
        "title": "a swell",
        "time": {"start": moment(0), "end": moment(hours), "source_step": "30min"},
        "mesh": {"file": mesh},
        "spectrum": {"directions": 20, "frequencies": 6, "first_frequency": 0.06, "ratio": 1.15},
        "initial": {
            "state": "swell",
            "centre": list(centre),
            "radius": radius,
            "hs": hs,
            "tp": 12.0,
            "direction": 220.0,
        },
        "physics": {"package": "none"},
        "propagation": {"scheme": "second-order"},
        "output": {"map": [{"file": "swell.nc", "every": "3h", "fields": ["hs", "tm01", "dir", "spread"]}]},
    }


# --------------------------------------------------------------------------------------------------- winds


def write_wind(
    path,
    hours=(0, 6, 12, 18),
    day=6,
    west=100.0,
    east=125.0,
    south=5.0,
    north=30.0,
    speed=18.0,
    units="m s-1",
    calendar="standard",
):
    """A CF file with a wind that turns in time and changes from place to place; 1 degree, `hours` after `day`."""
    lon, lat = np.arange(west, east + 0.5), np.arange(south, north + 0.5)
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as data:
        for name, values in (("time", np.array(hours, float)), ("lat", lat), ("lon", lon)):
            data.createDimension(name, len(values))
            data.createVariable(name, "f8", (name,))[:] = values
        data["time"].units = f"hours since 2024-09-{day:02d} 00:00:00"
        data["time"].calendar = calendar
        data["lat"].units, data["lon"].units = "degrees_north", "degrees_east"
        turn = 0.2 * np.array(hours)[:, None, None] + 0.1 * lat[None, :, None] + 0.07 * lon[None, None, :]
        for name, standard_name, part in (("u", "eastward_wind", np.cos), ("v", "northward_wind", np.sin)):
            variable = data.createVariable(name, "f4", ("time", "lat", "lon"))
            variable.standard_name, variable.units = standard_name, units
            variable[:] = speed * part(turn)
    return path


# --------------------------------------------------------------------------------------------------- processes


def rank_processes(process):
    """Ids of the program's own processes under `process` (itself, or what its launcher started)."""
    found, waiting = [], [process.pid]
    while waiting:
        pid = waiting.pop()
        try:
            if os.readlink(f"/proc/{pid}/exe") == str(PROGRAM.resolve()):
                found.append(pid)
            waiting += map(int, pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        except OSError:
            continue  # it has ended
    return found


def records_shown(path):
    """Number of records that a reader finds in a file, 0 while there is no file."""
    try:
        with netCDF4.Dataset(path) as data:
            return len(data.dimensions["time"])
    except OSError:
        return 0


def wait_for_records(process, path, number, seconds=60):
    """Until a reader of the file that `process` writes sees so many records."""
    limit = time.monotonic() + seconds
    while records_shown(path) < number:
        if process.poll() is not None or time.monotonic() > limit:
            outcome = finish(process, 0.1 if process.poll() is None else 5)
            raise AssertionError(f"{path} never had {number} records: {outcome.stderr}")
        time.sleep(0.01)


def assert_whole_records(path, reference):
    """Every record that the file shows is the reference's record, all values of it. Returns their number."""
    with netCDF4.Dataset(path) as data, netCDF4.Dataset(reference) as whole:
        data.set_auto_mask(False)
        whole.set_auto_mask(False)
        records = len(data.dimensions["time"])
        for name, variable in data.variables.items():
            wanted = whole[name][:records] if "time" in variable.dimensions else whole[name][:]
            assert np.array_equal(variable[:], wanted), f"{path}: {name} of {records} records"
    return records


def head_is_sane(report, command, ranks):
    """Checks what every report has, and returns its result."""
    assert report["schema"] == 1 and report["command"] == command and re.match(r"\d+\.\d+", report["version"])
    machine = report["machine"]
    assert set(machine) == {"mpi", "hosts", "ranks", "threads", "cpu", "isa"}
    assert machine["ranks"] == ranks and machine["mpi"] and machine["cpu"]
    assert machine["isa"] in ("generic", "v2", "v3", "v4")
    return report["result"]
