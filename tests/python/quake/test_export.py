"""Receivers in the forms of other programs, read back by ObsPy and by the reader of references: the same numbers."""

import csv
import json
import os
import pathlib

import netCDF4
import numpy as np
import obspy
import pytest
from quake_files import write_receivers

from groundswell import export_cli
from groundswell.export.codes import channel, station_codes
from groundswell.plot.quake.receivers import Reference

INTERVAL = 0.01
TIME = INTERVAL * np.arange(300)
PLACES = [(3000.0, 4000.0, -12.5), (-6000.0, 8000.0, 0.0)]
NAMES = ["quay", "10 km"]
VELOCITY = np.random.default_rng(2).normal(size=(2, 3, len(TIME))).astype(np.float32)
GENUINE = pathlib.Path(os.environ.get("GROUNDSWELL_TEST_DATA", "/nowhere")) / "quake/tpv5/reference"


@pytest.fixture
def receivers(tmp_path):
    return write_receivers(tmp_path / "receivers.nc", TIME, PLACES, VELOCITY, NAMES)


@pytest.fixture
def projected(receivers):
    with netCDF4.Dataset(receivers, "a") as file:
        for name, values in (("longitude", (121.6, 121.5)), ("latitude", (24.1, 24.2))):
            file.createVariable(name, "f8", ("station",))[:] = values
    return receivers


def export(*arguments):
    return export_cli.main([str(a) for a in arguments])


def refused(capsys, *arguments):
    assert export(*arguments) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("groundswell: error: ") and "\n" not in said
    return said


def test_sac_read_back(projected, tmp_path):
    given = ("--to", "sac", tmp_path / "sac", "--network", "GS", "--start", "2024-04-02T23:58:11Z")
    assert export(projected, *given, "--json", tmp_path / "j.json", "--quiet") == 0
    files = sorted(path.name for path in (tmp_path / "sac").iterdir())
    assert files == sorted([*(f"GS.{s}..HX{c}.sac" for s in ("QUAY", "10KM") for c in "ENZ"), "stations.csv"])
    for station, code in enumerate(("QUAY", "10KM")):
        for component, letter in enumerate("ENZ"):
            (trace,) = obspy.read(tmp_path / f"sac/GS.{code}..HX{letter}.sac")
            assert np.array_equal(trace.data, VELOCITY[station, component])
            assert (
                trace.stats.delta == pytest.approx(INTERVAL, rel=1e-7)
                and trace.id == f"GS.{code}..HX{letter}"
            )
            assert str(trace.stats.starttime) == "2024-04-02T23:58:11.000000Z"
            sac = trace.stats.sac
            assert (sac.stlo, sac.stla, sac.stel) == pytest.approx(
                ((121.6, 24.1, -12.5), (121.5, 24.2, 0.0))[station]
            )
            assert (sac.user0, sac.user1, sac.user2) == pytest.approx(PLACES[station])
            assert (sac.cmpaz, sac.cmpinc) == ((90, 90), (0, 90), (0, 0))[component]
            assert sac.kuser0.strip() == "m/s" and sac.idep == 7 and sac.b == 0.0
    result = json.loads((tmp_path / "j.json").read_text())["result"]
    assert result["codes"] == {"quay": "QUAY", "10 km": "10KM"} and result["channels"] == [
        "HXE",
        "HXN",
        "HXZ",
    ]
    assert len(result["files"]) == 7 and result["unit"] == "m s-1"


def test_miniseed_read_back(projected, tmp_path):
    assert export(projected, "--to", "mseed", tmp_path / "m", "--quiet") == 0
    for station, code in enumerate(("QUAY", "10KM")):
        found = obspy.read(tmp_path / f"m/XX.{code}.mseed")
        assert [trace.stats.channel for trace in found] == ["HXE", "HXN", "HXZ"]
        for component, trace in enumerate(found):
            assert trace.data.dtype == np.float32 and np.array_equal(trace.data, VELOCITY[station, component])
            assert trace.stats.sampling_rate == pytest.approx(100.0)
            assert trace.stats.starttime == obspy.UTCDateTime(0)
    known = obspy.read_inventory(tmp_path / "m/stations.xml")
    assert known.get_coordinates("XX.QUAY..HXZ", obspy.UTCDateTime(1))["latitude"] == pytest.approx(24.1)
    assert known.get_orientation("XX.10KM..HXE", obspy.UTCDateTime(1)) == {"azimuth": 90.0, "dip": 0.0}
    assert known[0][0].site.name == "quay" and known[0][0].channels[0].sample_rate == pytest.approx(100.0)
    assert known[0][0].channels[0].response.instrument_sensitivity.input_units == "M/S"


def test_the_text_form_read_back(receivers, tmp_path):
    """Every float32 comes back, stresses in SeisSol's order, and the place."""
    assert export(receivers, "--to", "seissol", tmp_path / "text", "--prefix", "loh1", "--quiet") == 0
    for station in (0, 1):
        found = Reference(str(tmp_path / f"text/loh1-receiver-{station + 1:05d}-00000.dat")).only
        assert found.place == PLACES[station] and np.allclose(found.time, TIME, rtol=1e-15)
        for component, name in enumerate(("vx", "vy", "vz")):
            assert np.array_equal(found.values[name].astype(np.float32), VELOCITY[station, component])
        assert found.values["sxx"][7] == 1000.0 and found.values["sxz"][7] == 6000.0
    with open(tmp_path / "text/stations.csv") as lines:
        rows = list(csv.DictReader(lines))
    assert rows[1] == {
        "file": "loh1-receiver-00002-00000.dat",
        "name": "10 km",
        "x": "-6000.0",
        "y": "8000.0",
        "z": "0.0",
    }


@pytest.mark.skipif(not GENUINE.exists(), reason="needs quake/tpv5 of GROUNDSWELL_TEST_DATA")
def test_the_text_form_is_that_of_a_genuine_file(receivers, tmp_path):
    """Line by line the same shape: title, variables, three places, and rows of ten numbers of that width."""
    assert export(receivers, "--to", "seissol", tmp_path / "text", "--quiet") == 0
    ours = (tmp_path / "text/receivers-receiver-00001-00000.dat").read_text().splitlines()
    theirs = (GENUINE / "tpv-receiver-00001-00000.dat").read_text().splitlines()
    assert ours[0] == theirs[0] and ours[1].count(",") == theirs[1].count(",") == 9
    for k in (2, 3, 4):
        assert ours[k].split()[:2] == theirs[k].split()[:2] and ours[k].index("e+") - theirs[k].index(
            "e+"
        ) in (-1, 0, 1)
    assert [len(word) for word in ours[5].split()[:1]] == [len(word) for word in theirs[5].split()[:1]]


def test_chosen_stations_and_fields(tmp_path):
    file = write_receivers(tmp_path / "r.nc", TIME, PLACES, VELOCITY, NAMES, stress=False)
    assert export(file, "--to", "seissol", tmp_path / "t", "--station", "10 km", "--quiet") == 0
    (text,) = (tmp_path / "t").glob("*.dat")
    found = Reference(str(text)).only
    assert '"Time","v1","v2","v3"\n' in text.read_text() and found.place == PLACES[1]
    assert np.array_equal(found.values["vz"].astype(np.float32), VELOCITY[1, 2])


def test_channels_say_the_rate():
    """Bands of the SEED manual: H from 80, B from 10 samples a second, M above 1, L at 1 and less often."""
    assert [channel("vz", 1 / rate) for rate in (1000, 250, 100, 80, 50, 10, 5, 1)] == [
        "FXZ", "CXZ", "HXZ", "HXZ", "BXZ", "BXZ", "MXZ", "LXZ",
    ]  # fmt: skip


def test_long_names_are_refused_or_cut(tmp_path, capsys):
    names = ["receiver 9", "receiver 10"]
    file = write_receivers(tmp_path / "r.nc", TIME, PLACES, VELOCITY, names)
    said = refused(capsys, file, "--to", "mseed", tmp_path / "m")
    assert (
        "station_name = receiver 9: expected at most 5 letters and digits for mseed; --shorten makes RECE9"
        in said
    )
    assert not (tmp_path / "m").exists()
    assert export(file, "--to", "mseed", tmp_path / "m", "--shorten") == 0
    assert "receiver 9 → RECE9, receiver 10 → REC10" in capsys.readouterr().out
    with open(tmp_path / "m/stations.csv") as lines:
        assert [(row["code"], row["name"]) for row in csv.DictReader(lines)] == [
            ("RECE9", names[0]),
            ("REC10", names[1]),
        ]
    assert station_codes("r.nc", ["receiver 9"], "sac", True) == ["RECEIVE9"]
    assert station_codes("r.nc", ["mountains", "mountainside"], "mseed", True) == ["MOUNT", "MOUN2"]
    assert station_codes("r.nc", ["Ørsted", "—"], "sac") == ["RSTED", "S2"]
    twins = write_receivers(tmp_path / "t.nc", TIME, PLACES, VELOCITY, ["a 1", "A-1"])
    assert "station_name = A-1: expected a name unlike 'a 1': both are A1 for sac" in refused(
        capsys, twins, "--to", "sac", tmp_path / "s"
    )


def test_existing_files_stay(receivers, tmp_path, capsys):
    given = (receivers, "--to", "sac", tmp_path / "s", "--quiet")
    assert export(*given) == 0
    kept = tmp_path / "s/XX.QUAY..HXE.sac"
    kept.write_bytes(b"mine")
    said = refused(capsys, *given)
    assert "XX.QUAY..HXE.sac: expected no file of this name and 6 others, or --overwrite" in said
    assert kept.read_bytes() == b"mine"
    assert export(*given, "--overwrite") == 0 and len(kept.read_bytes()) == 632 + 4 * len(TIME)


def test_uneven_times_go_only_into_text(tmp_path, capsys):
    uneven = TIME.copy()
    uneven[150] += 0.3 * INTERVAL
    file = write_receivers(tmp_path / "r.nc", uneven, PLACES, VELOCITY, NAMES)
    for form in ("sac", "mseed"):
        said = refused(capsys, file, "--to", form, tmp_path / "x")
        assert (
            "time = 1.503 s, where equal steps of 0.01 s would be at 1.5 s: expected records at equal steps"
            in said
        )
    assert export(file, "--to", "seissol", tmp_path / "x", "--quiet") == 0


def test_refusals(receivers, tmp_path, capsys):
    folder = tmp_path / "x"
    assert "no.nc: expected a NetCDF file" in refused(capsys, tmp_path / "no.nc", "--to", "sac", folder)
    assert "invalid choice: 'wav'" in refused(capsys, receivers, "--to", "wav", folder)
    said = refused(capsys, receivers, "--to", "sac", folder, "--station", "quai")
    assert "--station = quai: expected a name" in said and "'quay'" in said
    assert "--network = gsn: expected one or two" in refused(
        capsys, receivers, "--to", "sac", folder, "--network", "gsn"
    )
    said = refused(capsys, receivers, "--to", "seissol", folder, "--shorten")
    assert "--shorten: expected another form" in said
    assert "--start = noon: expected a time such as" in refused(
        capsys, receivers, "--to", "sac", folder, "--start", "noon"
    )
    broken = VELOCITY.copy()
    broken[1, 2, 100:] = np.nan
    blown = write_receivers(tmp_path / "b.nc", TIME, PLACES, broken, NAMES)
    said = refused(capsys, blown, "--to", "mseed", folder)
    assert "vz = not a number at 10 km from 1 s on: expected finite numbers" in said
    assert not folder.exists()
    (tmp_path / "file").write_text("")
    assert "file: expected a folder" in refused(capsys, receivers, "--to", "sac", tmp_path / "file")
