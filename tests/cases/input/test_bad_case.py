"""A case that cannot be run is refused before the first step: exit code 2, one message, from one rank, nothing created.

The message names file, key or variable, the value found, and what was expected.
"""

import os

import netCDF4
import pytest
from launching import groundswell, moment, output_mode, refused, run, storm_case, swell_case, write_case

# --set arguments that spoil a sound case, and what the message must say.
SPOILED = {
    "unknown key": (['mesh.colour="red"'], ["mesh.colour", "red", "known key"]),
    "mistyped key": (
        ["spectrum.direction=24"],
        ["spectrum.direction", "24", "nearest", "spectrum.directions"],
    ),
    "mistyped section": (['propogation.scheme="upwind"'], ["propogation", "nearest", "propagation"]),
    "end before start": (
        ["time.end=2024-09-06T02:00:00Z"],
        ["time.end", "2024-09-06T02:00:00Z", "after time.start"],
    ),
    "end at start": (["time.end=2024-09-06T03:00:00Z"], ["time.end", "after time.start"]),
    "no mesh file": (['mesh.file="nowhere.nc"'], ["nowhere.nc", "mesh file"]),
    "ratio of 1": (["spectrum.ratio=1.0"], ["spectrum.ratio", "1.001"]),
    "ratio below 1": (["spectrum.ratio=0.9"], ["spectrum.ratio", "0.9"]),
    "not a number": (['spectrum.first_frequency="low"'], ["spectrum.first_frequency", "low", "number", "Hz"]),
    "no such transport": (['halo.transport="pigeon"'], ["halo.transport", "pigeon", "posted", "neighbor"]),
    "no such output mode": (
        ['output.mode="paper"'],
        ["output.mode", "paper", output_mode("direct"), "thread"],
    ),
    "no such field": (['output.map.0.fields=["hs", "height"]'], ["output.map[].fields", "height", "tm01"]),
    "mistyped field": (
        ['output.map.0.fields=["hs", "tmo1"]'],
        ["output.map[].fields", '"tmo1" is not one of them', 'did you mean "tm01"'],
    ),
    "no such package": (['physics.package="st9"'], ["physics.package", "st9", "st4"]),
    "a coefficient of another package": (
        ['physics.package="wam3"', "physics.wind_growth=1.3"],
        ["physics.wind_growth = 1.3", "package wam3", "the nearest is 'snyder_growth'"],
    ),
    "a coefficient out of its range": (
        ['physics.package="st6"', "physics.donelan_speed=200"],
        ["physics.donelan_speed = 200", "a number 1 … 100", "Rogers et al. 2012"],
    ),
    "two terms of one process": (
        ['physics.terms=["breaking", "breaking_thornton"]'],
        ["physics.terms", "both stand for the same process"],
    ),
    "one file twice": (
        ['output.map.1.file="hourly.nc"'],
        ["output.map[].file", "hourly.nc", "no other output"],
    ),
    "ranks by what parts of the curve exchange": (
        ['mesh.partition="curve"', "halo.reorder=true"],
        ["halo.reorder = true", 'false with mesh.partition = "curve"'],
    ),
    "unstable step": (['time.step="30min"'], ["time.step", "30min", "longest stable step"]),
    "odd step": (
        ['time.step="4min"'],
        ["output.map[].every = 30min for wind.nc", "a multiple of time.step = 4min", '"auto"'],
    ),
    "odd interval": (
        ['time.step="2min"', 'output.points.0.every="15min"', 'output.map.0.every="5min"'],
        ["output.map[].every = 5min for hourly.nc", "a multiple of time.step = 2min"],
    ),
    "odd source step": (
        ['time.source_step="20min"'],
        ["output.map[].every = 30min", "a multiple of time.source_step = 20min"],
    ),
    "points into a map's file": (
        ['output.points.0.file="wind.nc"'],
        ["output.points[].file", "wind.nc", "no other output"],
    ),
    "two keys at once": (["time.step='5min'\nfoo=1"], ["time.step", "another --set"]),
    "a file of the run's own": (['output.map.0.file="run.json"'], ["output.map[].file", "run.json"]),
    "a name of files that are being written": (
        ['output.map.0.file="hourly.nc.part"'],
        ["output.map[].file", "hourly.nc.part", "a name that the run does not use itself"],
    ),
    "unknown unit of time": (['output.map.0.every="3 fortnights"'], ["output.map[].every", "fortnights"]),
    "a hint that a library divides by": (
        ["output.hints.cb_nodes=0"],
        ["output.hints.cb_nodes = 0", "a whole number from 1"],
    ),
    "a value of two lines": (['mesh.partition="a\\nb"'], ['mesh.partition = "a\\nb": expected']),
    "more records than any file has": (
        ['output.map.0.every="1ms"', "time.end=2099-01-01T00:00:00Z", "wind=[{uniform=[1.0, 0.0]}]"],
        ["output.map[].every = 1ms", "records"],
    ),
    "too strong a wind": (["wind=[{uniform = [400.0, 0.0]}]"], ["wind[0].uniform", "400", "150"]),
    "a wind after a wind": (
        ["wind=[{uniform = [1.0, 0.0]}, {uniform = [2.0, 0.0]}]"],
        ["wind[].uniform", "first"],
    ),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory, coast_mesh, wind_file):
    """A case that --check finds sound."""
    folder = tmp_path_factory.mktemp("sound")
    case = write_case(folder / "case.toml", storm_case(coast_mesh, wind_file, hours=1))
    outcome = groundswell("run", case, "--check", "--output", folder / "checked")
    assert outcome.code == 0, outcome.stderr
    return case


@pytest.mark.parametrize("name", SPOILED)
def test_spoiled_key(sound, tmp_path, name):
    sets, words = SPOILED[name]
    arguments = [word for entry in sets for word in ("--set", entry)]
    # Alone and with a launcher in turn: the message is the same one.
    ranks = 2 if list(SPOILED).index(name) % 4 == 0 else 0
    outcome = groundswell("run", sound, "--output", tmp_path / "output", *arguments, ranks=ranks)
    refused(outcome, *words)
    assert not (tmp_path / "output").exists()


def test_missing_keys_are_named(tmp_path, coast_mesh):
    table = swell_case(coast_mesh)
    del table["mesh"]["file"]
    refused(groundswell("run", write_case(tmp_path / "case.toml", table)), "case.toml", "mesh.file")
    table = swell_case(coast_mesh)
    del table["initial"]["hs"]
    refused(groundswell("run", write_case(tmp_path / "case.toml", table)), "case.toml", "initial.hs")


def test_the_line_of_the_case_file_is_named(tmp_path, coast_mesh):
    table = swell_case(coast_mesh)
    table["spectrum"]["frequencies"] = -3
    case = write_case(tmp_path / "case.toml", table)
    line = 1 + case.read_text().splitlines().index("frequencies = -3")
    refused(groundswell("run", case), f"case.toml:{line}: spectrum.frequencies = -3", "3 … 200")


def test_broken_toml_is_refused_with_its_line(tmp_path):
    case = tmp_path / "case.toml"
    case.write_text('title = "x"\n[time\nstart = 1\n')
    refused(groundswell("run", case, ranks=2), "case.toml:2", "TOML")


def test_no_case_file(tmp_path):
    refused(groundswell("run", tmp_path / "none.toml", ranks=2), "none.toml", "a case file")


def test_an_output_file_that_exists(sound, tmp_path):
    """The old file keeps its bytes; --overwrite replaces it."""
    old = tmp_path / "output/wind.nc"
    old.parent.mkdir()
    old.write_bytes(b"precious")
    refused(groundswell("run", sound, "--output", old.parent, ranks=2), str(old), "--overwrite")
    assert [path.name for path in old.parent.iterdir()] == ["wind.nc"] and old.read_bytes() == b"precious"
    run(sound, "--output", old.parent, "--overwrite")
    with netCDF4.Dataset(old) as data:
        assert len(data.dimensions["time"]) == 3


def test_names_that_are_too_long_for_the_system(sound, tmp_path):
    """Found by --check, and whether or not a library would bear them."""
    for folder in (tmp_path / ("a" * 300), tmp_path / "not/there" / ("a" * 300)):
        refused(groundswell("run", sound, "--check", "--output", folder), "File name too long")
    assert not (tmp_path / "not").exists()
    entry = f'output.map.0.file="{"b" * 240}"'
    refused(groundswell("run", sound, "--check", "--set", entry), "output.map[].file", "200 bytes")


def test_pipes_are_refused_instead_of_waited_for(sound, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    ways = [(pipe,), (sound, "--set", f'mesh.file="{pipe}"'), (sound, "--set", f'wind=[{{file="{pipe}"}}]')]
    for way in ways:
        refused(groundswell("run", *way, "--check", seconds=30), str(pipe), "a file, not a pipe")


def test_a_folder_below_a_file(sound, tmp_path):
    """Holds for root too, whom permissions do not stop."""
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file/output"
    refused(groundswell("run", sound, "--output", folder, ranks=2), str(folder), "folder")


def test_a_folder_that_nobody_can_write_to(sound):
    """/proc is a file system of the kernel's own."""
    refused(
        groundswell("run", sound, "--output", "/proc/groundswell", ranks=2), "/proc/groundswell", "folder"
    )


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("spectrum.directions", 24, ["expected 20"]),
        ("spectrum.frequencies", 13, ["expected 14"]),
        ("spectrum.ratio", 1.12, ["expected not given, or its default"]),
        ("spectrum.first_frequency", 0.061, ["expected 0.06, as"]),
    ],
)
def test_restart_of_another_spectrum(restart_file, tmp_path, key, value, words):
    case, restart = restart_file
    outcome = groundswell(
        "run", case, "--output", tmp_path / "new", "--restart", restart, "--set", f"{key}={value}", ranks=2
    )
    refused(outcome, f"case.toml: {key} = {value}: ", f"as in the run that wrote {restart}", *words)
    assert not (tmp_path / "new").exists()


@pytest.fixture(scope="module")
def restart_file(tmp_path_factory, coast_mesh, wind_file):
    folder = tmp_path_factory.mktemp("restart")
    table = storm_case(coast_mesh, wind_file, hours=2)
    table["output"]["restart"] = {"every": "1h", "keep": 0}
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder)
    return case, sorted(folder.glob("restart_*.nc"))[0]


def test_restart_of_another_mesh(restart_file, tmp_path, make_mesh, inputs):
    """One of another size, and one of the same size with one depth changed; also where the restart remembers no inputs."""
    case, restart = restart_file
    forgetful = tmp_path / restart.name
    forgetful.write_bytes(restart.read_bytes())
    with netCDF4.Dataset(forgetful, "a") as file:
        del file.groundswell_inputs
    other = make_mesh(
        "other", "--depth", "3000", "--region", "106,118,12,22", "--spacing", "100", "--iterations", "5"
    )

    def refused_with(file, *words):
        outcome = groundswell(
            "run", case, "--output", tmp_path / "new", "--restart", file, "--set", f'mesh.file="{other}"'
        )
        refused(outcome, str(file), *words)

    asked = f'case.toml: mesh.file = "{other}"'
    refused_with(restart, asked, f'expected "{inputs / "coast.nc"}"')
    refused_with(forgetful, "nFace", "542")
    other.write_bytes((inputs / "coast.nc").read_bytes())
    with netCDF4.Dataset(other, "a") as mesh:
        mesh["bottomDepth"][7] = mesh["bottomDepth"][7] + 1.0
    refused_with(restart, asked)
    refused_with(forgetful, "mesh_identity")


def test_restart_after_the_end(restart_file, tmp_path):
    case, restart = restart_file
    refused(
        groundswell(
            "run",
            case,
            "--output",
            tmp_path / "new",
            "--restart",
            restart,
            "--set",
            "time.end=2024-09-06T03:30:00Z",
        ),
        restart.name,
        "time.end",
    )


def test_what_is_no_restart(restart_file, wind_file, tmp_path):
    case, _ = restart_file
    refused(
        groundswell("run", case, "--output", tmp_path / "new", "--restart", wind_file), "wind.nc", "restart"
    )
    refused(
        groundswell("run", case, "--output", tmp_path / "new", "--restart", tmp_path / "none.nc", ranks=2),
        "none.nc",
    )


def test_continuing_files_that_are_not_there(restart_file, tmp_path):
    case, restart = restart_file
    refused(groundswell("run", case, "--output", tmp_path / "new", "--restart", restart), "hourly.nc")


def test_a_run_that_makes_no_sense_is_found_by_check(sound, tmp_path):
    outcome = groundswell(
        "run",
        sound,
        "--check",
        "--set",
        f"time.end={moment(30):%Y-%m-%dT%H:%M:%SZ}",
        "--output",
        tmp_path / "output",
    )
    refused(outcome, "wind.nc", "cover the run")
