"""Tracks as the pictures read them: the tables and b-decks that the model reads."""

import pytest

from groundswell.errors import Refusal
from groundswell.plot.source import parse_time
from groundswell.plot.track import read_track

DECK = """AL, 09, 2011082100,   , BEST,   0, 150N,  590W,  45, 1006, TS,  34, NEQ,  105,    0,    0,   45, 1010,  175,  60
AL, 09, 2011082106, 30, BEST,   0, 160N,  606W,  55, 1006, TS,  34, NEQ,  130,    0,    0,   80, 1010,  175,  50
AL, 09, 2011082106, 30, BEST,   0, 160N,  606W,  55, 1006, TS,  50, NEQ,   30,    0,    0,   30, 1010,  175,  50
AL, 09, 2011082106,   , CARQ,   0, 999N,  999W,  55, 1006, TS
AL, 09, 2011082112,   , BEST,   0,   5S, 1799E,  64,  990, HU
"""


def written(path, text):
    path.write_text(text)
    return path


def test_a_b_deck(tmp_path):
    """Tenths of a degree, minutes, one fix for the lines of several winds; longitudes do not jump at the date line."""
    track = read_track(written(tmp_path / "b.dat", DECK), west=-100.0)
    assert track.times == [
        parse_time(t) for t in ("2011-08-21T00:00Z", "2011-08-21T06:30Z", "2011-08-21T12:00Z")
    ]
    assert track.lat.tolist() == pytest.approx([15.0, 16.0, -0.5])
    assert track.lon.tolist() == pytest.approx([-59.0, -60.6, -180.1])


def test_columns_in_any_order_with_blanks_and_remarks(tmp_path):
    table = "# a storm\nvmax_kt, lon, time_utc, lat\n\n50, 120, 2024-09-05T00, 12\n60,119, 2024-09-05T06,13\n"
    track = read_track(written(tmp_path / "t.csv", table))
    assert track.lon.tolist() == [120.0, 119.0] and track.lat.tolist() == [12.0, 13.0]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("t.csv", "time,lat\n", "t.csv: lon = (missing): expected a table with columns time, lat, lon"),
        ("t.csv", "time,lat,lon\n2024-09-05T00,north,1\n", "t.csv:2: lat = north: expected degrees"),
        ("t.csv", "time,lat,lon\nnoon,1,1\n", "t.csv:2: time = noon: expected a time such as"),
        ("b.dat", DECK.replace("160N", "160X"), "b.dat:2: latitude = 160X: expected tenths of a degree"),
        (
            "b.dat",
            DECK.replace("2011082112", "2011082100"),
            "b.dat:5: time = 2011082100: expected a time after",
        ),
        ("b.dat", "storm\n", "b.dat:1: columns = 1: expected an ATCF line"),
        ("b.dat", "", "b.dat: expected at least one fix"),
    ],
)
def test_refusals_name_the_line(tmp_path, name, text, expected):
    with pytest.raises(Refusal) as refusal:
        read_track(written(tmp_path / name, text))
    assert expected in str(refusal.value)
