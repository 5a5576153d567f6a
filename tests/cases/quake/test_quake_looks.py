"""What a run of the earthquake model wrote, taken by the tools that draw it and hand it on: their forms hold the same numbers."""

import json

import netCDF4
import numpy as np
import obspy
from launching import ROOT, groundswell, run, write_case

from groundswell.plot.quake.intensity import of_velocity

CASE = ROOT / "cases/quake/plane-wave/case.toml"
PROJECTION = ("--set", "projection.longitude=121.5", "--set", "projection.latitude=24.0")


def test_seismograms_go_to_other_programs_and_back(tmp_path):
    """SeisSol's text, as a reference, is the run itself; miniSEED and SAC hold its float32, StationXML its places."""
    output = tmp_path / "output"
    run(CASE, "--output", output, *PROJECTION, ranks=2, seconds=300)
    receivers = output / "receivers.nc"
    for form in ("seissol", "mseed", "sac"):
        done = groundswell(
            "export",
            receivers,
            "--to",
            form,
            tmp_path / form,
            "--station",
            "1",
            *(["--shorten"] if form == "mseed" else []),
        )
        assert done.code == 0, done.stderr
    (text,) = (tmp_path / "seissol").glob("*.dat")
    numbers = tmp_path / "numbers.json"
    drawn = groundswell(
        *("plot", "misfits", receivers, "--station", "1", "--reference", text),
        *("--output", tmp_path / "misfits.png", "--json", numbers),
    )
    assert drawn.code == 0, drawn.stderr
    (station,) = json.loads(numbers.read_text())["result"]["stations"]
    errors = [found["reference"]["relative_rms"] for found in station["components"]]
    assert len(errors) == 3 and max(errors) < 1e-12
    with netCDF4.Dataset(receivers) as file:
        written = {name: file[name][:, 0].filled() for name in ("vx", "vy", "vz")}
        place = float(file["longitude"][0]), float(file["latitude"][0])
        time = file["time"][:].filled()
    for traces in (
        obspy.read(tmp_path / "mseed/*.mseed"),
        obspy.read(tmp_path / "sac/*.sac").sort(["channel"]),
    ):
        assert [trace.stats.channel[-1] for trace in traces] == ["E", "N", "Z"]
        for trace, values in zip(traces, written.values()):
            assert np.array_equal(trace.data, values) and np.abs(values).max() > 0
            assert np.allclose(trace.times(), time, atol=1e-6)
    known = obspy.read_inventory(tmp_path / "mseed/stations.xml")[0][0]
    assert np.allclose((known.longitude, known.latitude), place)


def test_the_surface_that_a_run_wrote_is_drawn(tmp_path):
    """A blow from below moves the middle of the surface up first; the map tells the very numbers of the file."""
    case = {
        "model": "quake",
        "title": "a blow from below",
        "time": {"end": "0.3s"},
        "mesh": {"box": {"cubes": [6, 6, 3], "length": [1200, 1200, 600]}},
        "solver": {"order": 3},
        "projection": {"longitude": 121.5, "latitude": 24.0},
        "material": {"rock": [{"density": 2700, "vp": 4000, "vs": 2300}]},
        "source": {"point": [{"place": [30, -20, -300], "force": [0, 0, 1e12], "time_function": "gaussian",
                              "width": 0.03, "centre": 0.1}]},
        "output": {"surface": [{"file": "surface.nc", "every": "0.05s", "fields": ["vz", "pgv"]}]},
    }  # fmt: skip
    write_case(tmp_path / "case.toml", case)
    run(tmp_path / "case.toml", ranks=2, seconds=300)
    surface = tmp_path / "output/surface.nc"
    numbers, picture = tmp_path / "numbers.json", tmp_path / "vz.png"
    given = ("--field", "vz", "--epicentre", "30,-20", "--json", numbers, "--quiet")
    drawn = groundswell("plot", "map", surface, "--time", "0.2", *given, "--output", picture)
    assert drawn.code == 0, drawn.stderr
    found = json.loads(numbers.read_text())["result"]
    with netCDF4.Dataset(surface) as file:
        up = file["vz"][4].filled()
        face = int(np.argmax(np.abs(up)))
        peak = float(file["pgv"][-1].max())
        centre = [float(file[f"mesh_face_{name}"][face]) for name in ("x", "y", "z", "lon", "lat")]
    assert found["time"] == 0.2 and found["extreme"] == float(up[face]) > 0
    at = found["extreme_at"]
    assert at["face"] == face + 1 and np.hypot(at["x"] - 30, at["y"] + 20) < 200
    assert np.allclose([at[name] for name in ("x", "y", "z", "lon", "lat")], centre, atol=1e-6)
    film = tmp_path / "vz.gif"
    drawn = groundswell("plot", "animation", surface, *given, "--output", film)
    assert drawn.code == 0, drawn.stderr
    assert json.loads(numbers.read_text())["result"]["frames"] == 7 and film.stat().st_size > 20_000
    drawn = groundswell(
        *("plot", "map", surface, "--field", "intensity", "--json", numbers, "--quiet"),
        *("--output", tmp_path / "intensity.png"),
    )
    assert drawn.code == 0, drawn.stderr
    told = json.loads(numbers.read_text())["result"]
    assert told["time"] == 0.3 and told["extreme"] == float(of_velocity(peak)) > 1.0
