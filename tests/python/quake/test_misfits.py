"""Misfits by time and frequency: against ObsPy's, where they are, and the table of them."""

import json

import numpy as np
import pytest
from obspy.signal import tf_misfit
from quake_files import write_receivers

from groundswell import plot_cli
from groundswell.misfit import envelope_and_phase, plane

INTERVAL = 0.02
TIME = INTERVAL * np.arange(601)
BAND = (0.4, 6.0)
AXIS = np.geomspace(*BAND, 60)


def packet(when=6.0, frequency=2.0, width=0.8):
    return np.exp(-0.5 * ((TIME - when) / width) ** 2) * np.cos(2 * np.pi * frequency * (TIME - when))


WANTED = packet() + 0.6 * packet(4.0, 1.1)
SEEN = 1.1 * packet(6.05) + 0.6 * packet(3.98, 1.1)


def test_they_are_those_of_obspy():
    """The single-valued misfits and the planes, to what ObsPy's cut of the wavelet and the ends of the series make of them."""
    given = {"dt": INTERVAL, "fmin": BAND[0], "fmax": BAND[1], "nf": len(AXIS), "w0": 6}
    theirs = tf_misfit.em(SEEN, WANTED, **given), tf_misfit.pm(SEEN, WANTED, **given)
    assert envelope_and_phase(SEEN, WANTED, INTERVAL, AXIS) == pytest.approx(theirs, rel=0.01)
    # Its wavelets are centred half a sample early, between two samples.
    pairs = zip(plane(SEEN, WANTED, INTERVAL, AXIS), (tf_misfit.tfem, tf_misfit.tfpm))
    for ours, function in pairs:
        planes = function(SEEN, WANTED, **given)
        between = (planes + np.roll(planes, -1, axis=1)) / 2
        assert np.linalg.norm(ours - between) < 0.02 * np.linalg.norm(ours)
    assert min(theirs) > 0.02


def test_a_packet_that_is_late_and_large_is_so_where_it_is():
    envelope, phase = plane(SEEN, WANTED, INTERVAL, AXIS)
    row, column = np.unravel_index(np.argmax(envelope), envelope.shape)
    assert TIME[column] == pytest.approx(6.05, abs=0.5) and AXIS[row] == pytest.approx(2.0, rel=0.15)
    row, column = np.unravel_index(np.argmax(np.abs(phase)), phase.shape)
    # 0.05 s late at 2 Hz: a tenth of a period, 0.2 of π behind.
    assert phase[row, column] == pytest.approx(-0.2, abs=0.03) and TIME[column] == pytest.approx(6.0, abs=0.5)
    assert not plane(SEEN, 0 * SEEN, INTERVAL, AXIS)[0].any()


@pytest.fixture
def files(tmp_path):
    wanted = np.array([[WANTED, 0 * WANTED, 0.5 * WANTED]] * 2)
    seen = np.array([[WANTED, 0 * WANTED, 0.55 * WANTED], [SEEN, 0 * SEEN, SEEN]])
    places, names = [(0, 0, 0), (1e3, 0, 0)], ["quarry", "mill"]
    return (
        write_receivers(tmp_path / "seen.nc", TIME, places, seen, names),
        write_receivers(tmp_path / "wanted.nc", TIME, places, wanted, names, "Finer rock"),
    )


def test_the_table_has_all_and_the_picture_the_worst(files, tmp_path, capsys):
    seen, wanted = map(str, files)
    out = ["--output", str(tmp_path / "m.png"), "--json", str(tmp_path / "m.json")]
    assert plot_cli.main(["misfits", seen, "--reference", wanted, *out]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == "station component rms envelope phase fit of envelope fit of phase".split()
    assert len(lines) == 8 and lines[3].split()[:6] == ["quarry", "up", "10.0", "%", "10.0", "%"]
    assert "–" in lines[2]  # nothing moves north
    found = json.loads((tmp_path / "m.json").read_text())["result"]
    assert found["drawn"] == "mill"
    up = found["stations"][0]["components"][2]["reference"]
    assert up["envelope_misfit"] == pytest.approx(0.1, rel=1e-3) and up["phase_goodness"] == pytest.approx(
        10.0, abs=1e-3
    )
    assert up["envelope_goodness"] == pytest.approx(10 * np.exp(-0.1), rel=1e-3)


def test_refusals(files, tmp_path, capsys):
    assert plot_cli.main(["misfits", str(files[0]), "--output", str(tmp_path / "x.png")]) == 2
    assert "--reference: expected a reference" in capsys.readouterr().err
