"""What a run of the earthquake model wrote, taken by the tools that draw it and hand it on: their forms hold the same numbers."""

import json

import netCDF4
import numpy as np
import obspy
from launching import ROOT, groundswell, run

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
