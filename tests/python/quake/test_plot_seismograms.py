"""Seismograms and energies of the earthquake model: what is drawn, beside what, and with which numbers."""

import json
import os
import pathlib

import matplotlib.image
import netCDF4
import numpy as np
import pytest
from plot_files import texts
from quake_files import write_energies, write_receivers

from groundswell import plot_cli
from groundswell.plot.quake.receivers import ReceiverFile, Reference
from groundswell.plot.quake.section import Section, _apart, parse_arrivals
from groundswell.plot.quake.seismograms import Choice, draw_seismograms

TIME = 0.02 * np.arange(401)
PLACES = [(3000.0, 4000.0, 0.0), (-6000.0, 8000.0, -100.0), (1000.0, 0.0, 0.0)]
NAMES = ["quarry", "church", "mill"]
SEISSOL = (
    pathlib.Path(os.environ.get("GROUNDSWELL_TEST_DATA", "/nowhere"))
    / "quake/tpv5/reference/tpv-receiver-00001-00000.dat"
)


def pulse(when, width=0.3, time=TIME):
    return -(time - when) / width * np.exp(-0.5 * ((time - when) / width) ** 2)


def moved(time=TIME):
    """[station, component, time]: at the first station 2 p along the way from the origin, q to the left of it, r up."""
    p, q, r = pulse(3.0, time=time), pulse(4.0, time=time), pulse(2.0, time=time)
    first = [0.6 * 2 * p - 0.8 * q, 0.8 * 2 * p + 0.6 * q, r]
    return np.array([first, [0.1 * p, 0 * q, r], [p, q, 0 * r]])


@pytest.fixture
def receivers(tmp_path):
    return write_receivers(tmp_path / "receivers.nc", TIME, PLACES, moved(), NAMES)


def plot(*arguments):
    return plot_cli.main([str(a) for a in arguments])


def refused(capsys, *arguments):
    assert plot("seismograms", *arguments) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("groundswell: error: ") and "\n" not in said
    return said


def table(path, header, *columns, source=""):
    lines = [f"# source: {source}"] if source else []
    rows = [",".join(f"{value:.9g}" for value in row) for row in zip(*columns)]
    path.write_text("\n".join([*lines, header, *rows]) + "\n")
    return path


def test_radial_points_away_and_transverse_to_the_left(receivers):
    figure, found = draw_seismograms(ReceiverFile(receivers), ["quarry"], Choice(epicentre=(0.0, 0.0)))
    lines = [axes.lines[0].get_ydata() for axes in figure.axes]
    assert np.allclose(lines, [2 * pulse(3.0), pulse(4.0), pulse(2.0)], atol=1e-6)
    assert [c["component"] for c in found["stations"][0]["components"]] == ["radial", "transverse", "vz"]
    assert found["stations"][0]["distance"] == pytest.approx(5000.0)
    said = texts(figure)
    assert "quarry (3, 4, 0) km, 5.00 km from the epicentre" in said and "Test rock" in said
    assert {"radial, m s⁻¹", "transverse, m s⁻¹", "up, m s⁻¹", "time, s"} <= set(said)
    # Towards the other side of the station the radial component turns round.
    other, _ = draw_seismograms(
        ReceiverFile(receivers), ["1"], Choice(["radial"], epicentre=(6000.0, 8000.0))
    )
    assert np.allclose(other.axes[0].lines[0].get_ydata(), -2 * pulse(3.0), atol=1e-6)


def test_stations_side_by_side_and_stress(receivers):
    figure, found = draw_seismograms(ReceiverFile(receivers), ["church", "3"], Choice(["east", "z", "sxz"]))
    assert len(figure.axes) == 6 and [s["name"] for s in found["stations"]] == ["church", "mill"]
    said = texts(figure)
    assert "church (−6, 8, −0.1) km" in said and "sxz, Pa" in said and "this run" not in said
    assert figure.axes[5].lines[0].get_ydata().tolist() == [6000.0] * len(TIME)
    assert figure.axes[0].get_ylim() == figure.axes[2].get_ylim() != figure.axes[4].get_ylim()


def test_numbers_beside_the_reference_stand_in_picture_and_json(receivers, tmp_path):
    time = 0.013 * np.arange(700)
    radial, transverse, vertical = (pulse(when, time=time) for when in (3.0, 4.0, 2.0))
    reference = table(
        tmp_path / "exact.csv",
        "time,radial,transverse,vertical",
        time,
        2 * radial,
        transverse / 1.25,
        pulse(2.1, time=time),
        source="by hand",
    )
    picture, numbers = tmp_path / "s.png", tmp_path / "s.json"
    given = ("seismograms", receivers, "--station", "quarry", "--epicentre", "0,0", "--reference", reference)
    assert plot(*given, "--output", picture, "--json", numbers, "--quiet") == 0
    assert matplotlib.image.imread(picture).std() > 0.05
    result = json.loads(numbers.read_text())["result"]
    same, larger, early = (c["reference"] for c in result["stations"][0]["components"])
    assert max(same[name] for name in ("relative_rms", "envelope_misfit", "phase_misfit")) < 1e-4
    assert larger["relative_rms"] == pytest.approx(0.25, rel=1e-4)
    assert larger["envelope_misfit"] == pytest.approx(0.25, rel=1e-4) and larger["phase_misfit"] < 1e-5
    assert early["phase_misfit"] > 0.05 and abs(abs(early["peak_time"] - 2.1) - 0.3) < 0.011
    assert result["references"] == ["by hand"] and result["stations"][0]["window"] == [0.0, 8.0]
    figure, _ = draw_seismograms(
        ReceiverFile(receivers), ["quarry"], Choice(epicentre=(0.0, 0.0)), [Reference(reference)]
    )
    said = texts(figure)
    assert any(t.startswith("rms 25 %   envelope 25 %   phase 0.0") for t in said)
    assert {"this run", "by hand", "difference"} <= set(said)


def test_window_and_filter_hold_for_both(receivers, tmp_path):
    """A reference that differs before the window and above the band is the same within them."""
    vx, vy, vz = moved()[0]
    fast = 0.5 * np.sin(2 * np.pi * 12.0 * TIME)
    reference = table(tmp_path / "r.csv", "time,vx,vy,vz", TIME, vx + fast, vy + 3 * (TIME < 1.0), vz)
    given = [ReceiverFile(receivers), ["quarry"]]

    def errors(**choice):
        _, found = draw_seismograms(*given, Choice(**choice), [Reference(reference)])
        return [c["reference"]["relative_rms"] for c in found["stations"][0]["components"]]

    assert errors()[0] > 0.5 and errors()[1] > 0.5
    assert errors(window=(1.0, 7.5))[1] < 1e-6 < errors(window=(1.0, 7.5))[0]
    assert errors(window=(1.0, 7.5), band=(0.0, 3.0))[0] < 0.01
    slow, _ = draw_seismograms(*given, Choice(["sxx"], band=(0.2, 3.0)))
    assert np.abs(slow.axes[0].lines[0].get_ydata()).max() < 10.0  # of the 1000 Pa that do not change


def test_another_file_of_receivers_is_met_by_name(receivers, tmp_path):
    other = write_receivers(
        tmp_path / "finer.nc", TIME, PLACES[::-1], moved()[::-1], NAMES[::-1], "Finer rock", stress=False
    )
    figure, found = draw_seismograms(ReceiverFile(receivers), None, Choice(), [Reference(other)])
    errors = [c["reference"]["relative_rms"] for s in found["stations"] for c in s["components"]]
    assert len(errors) == 9 and max(e for e in errors if e is not None) < 1e-12
    assert "Finer rock" in texts(figure)
    assert "silent in the reference" in texts(figure)


def test_a_receiver_of_seissol_is_a_reference(receivers, tmp_path):
    vx, vy, vz = moved()[0]
    for names in ('"u","v","w"', '"v1","v2","v3"'):
        stress = (
            '"xx","yy","zz","xy","yz","xz"' if "u" in names else '"s_xx","s_yy","s_zz","s_xy","s_yz","s_xz"'
        )
        head = (
            f'TITLE = "Temporal Signal"\nVARIABLES = "Time",{stress},{names}\n# x1  3e3\n# x2  4e3\n# x3  0\n'
        )
        rows = "\n".join(
            f"  {t:.9e} 1e3 2e3 3e3 4e3 5e3 6e3 {x:.9e} {y:.9e} {z:.9e}"
            for t, x, y, z in zip(TIME, vx, vy, vz)
        )
        text = tmp_path / "receiver.dat"
        text.write_text(head + rows + "\n")
        reference = Reference(text)
        assert reference.only.place == (3000.0, 4000.0, 0.0)
        # Its stresses come in the order xx yy zz xy yz xz, as ours.
        choice = Choice(["radial", "vz", "syz", "sxz"], epicentre=(0.0, 0.0))
        _, found = draw_seismograms(ReceiverFile(receivers), ["quarry"], choice, [reference])
        errors = [c["reference"]["relative_rms"] for c in found["stations"][0]["components"]]
        assert max(errors) < 1e-6


@pytest.mark.skipif(not SEISSOL.exists(), reason="needs quake/tpv5 of GROUNDSWELL_TEST_DATA")
def test_a_genuine_receiver_of_seissol():
    found = Reference(SEISSOL)
    assert found.only.place == (0.0, 2000.0, -7500.0) and len(found.only.values) == 9
    assert found.only.time[[0, -1]] == pytest.approx([0.0, 2.0]) and len(found.only.time) == 401
    assert np.abs(found.only.component("east")).max() > 0.1


def test_a_section_by_distance(receivers):
    figure, found = draw_seismograms(
        ReceiverFile(receivers), None, Choice(["up", "x"], epicentre=(0.0, 0.0)), section=Section()
    )
    lines = [line.get_ydata() for line in figure.axes[0].lines]
    assert [line[0] for line in lines] == pytest.approx([1.0, 5.0, 10.0], abs=1e-6)
    assert np.ptp(lines[1]) == pytest.approx(np.ptp(lines[2]), rel=1e-3)  # each as high as the others
    said = texts(figure)
    assert {"distance from the epicentre, km", "quarry", "church", "mill", "up", "east"} <= set(said)
    assert len(found["stations"]) == 3


def test_small_velocities_stand_in_centimetres(tmp_path):
    """Along the axis; the numbers of the picture and its JSON stay SI."""
    quiet = write_receivers(tmp_path / "quiet.nc", TIME, PLACES[:1], 0.01 * moved()[:1], NAMES[:1])
    figure, found = draw_seismograms(ReceiverFile(quiet), None, Choice(["up"]))
    axes = figure.axes[0]
    assert axes.get_ylabel() == "up, cm s⁻¹" and axes.yaxis.get_major_formatter()(0.005, 0) == "0.5"
    assert found["stations"][0]["components"][0]["unit"] == "m s-1"
    assert axes.lines[0].get_ydata().max() == pytest.approx(0.01 * pulse(2.0).max(), rel=1e-5)


def test_arrivals_in_a_section(receivers, tmp_path, capsys):
    """From 3 km below, waves of 5 km/s that start at 0.5 s are at the station 4 km away after one second."""
    section = Section(parse_arrivals("P:5000, S:2500"), 3000.0, 0.5)
    assert section.times(4000.0, 5000.0) == pytest.approx(1.5) and section.times(
        0.0, 2500.0
    ) == pytest.approx(1.7)
    figure, found = draw_seismograms(
        ReceiverFile(receivers), None, Choice(["up"], epicentre=(0.0, 0.0)), section=section
    )
    assert found["arrivals"] == {"P": 5000.0, "S": 2500.0} and {"P", "S"} <= set(texts(figure))
    time, far = figure.axes[0].lines[3].get_data()
    assert np.interp(4.0, far, time) == pytest.approx(1.5, abs=1e-3)
    assert figure.axes[0].get_xlim() == pytest.approx((0.0, 8.0))
    out = ("--output", tmp_path / "x.png")
    assert "--arrivals = P:5000: expected --record-section" in refused(
        capsys, receivers, "--arrivals", "P:5000", *out
    )
    for text in ("P", "P:x", "P:-1", ":5", "a:1,b:2,c:3,d:4,e:5"):
        given = ("--record-section", "--epicentre", "0,0", "--arrivals", text)
        assert f"--arrivals = {text}: expected" in refused(capsys, receivers, *given, *out)


def test_epicentres_in_degrees_by_the_projection_of_the_file(receivers, capsys, tmp_path):
    """About the origin of the projection a degree of latitude is 110.6 km at the equator, and one of longitude 111.3 km."""
    out = ("--station", "quarry", "--output", tmp_path / "x.png", "--json", tmp_path / "x.json", "--quiet")
    said = refused(capsys, receivers, "--epicentre", "121.6E,0.0N", *out)
    assert "--epicentre = 121.6E,0.0N: expected x,y in m: the file has no projection" in said
    with netCDF4.Dataset(receivers, "a") as file:
        file.projection_proj = "+proj=tmerc +lat_0=0 +lon_0=121.5 +k=1 +x_0=0 +y_0=0 +ellps=WGS84 +units=m"
    assert plot("seismograms", receivers, "--epicentre", "0.01 N, 121.49E", *out) == 0
    x, y = json.loads((tmp_path / "x.json").read_text())["result"]["epicentre"]
    assert (x, y) == pytest.approx((-1113.19, 1105.74), abs=0.02)


def test_energies(tmp_path):
    kinetic, elastic = 3e13 * TIME, 2e13 * (8 - TIME)
    file = write_energies(tmp_path / "energy.nc", TIME, kinetic, elastic)
    numbers = tmp_path / "e.json"
    assert plot("energies", file, "--output", tmp_path / "e.svg", "--json", numbers, "--quiet") == 0
    found = json.loads(numbers.read_text())["result"]
    assert found["energies"]["elastic"]["max_time"] == 0.0 and found["last_time"] == pytest.approx(8.0)
    assert found["energies"]["total"]["last"] == pytest.approx(24e13)
    # That of a sea's surface is part of all.
    write_energies(file, TIME, kinetic, elastic, sea_surface=1e13 * TIME)
    assert plot("energies", file, "--output", tmp_path / "e.svg", "--json", numbers, "--quiet") == 0
    found = json.loads(numbers.read_text())["result"]["energies"]
    assert found["total"]["last"] == pytest.approx(32e13) and found["sea_surface"]["last"] == pytest.approx(
        8e13
    )


def test_refusals(receivers, tmp_path, capsys):
    out = ("--output", tmp_path / "x.png")
    assert "no.nc: expected a NetCDF file" in refused(capsys, tmp_path / "no.nc", *out)
    said = refused(capsys, receivers, "--station", "quary", *out)
    assert "--station = quary: expected a name, or a number from 1 to 3" in said and "'quarry'" in said
    assert "--station = 4: expected" in refused(capsys, receivers, "--station", 4, *out)
    said = refused(capsys, receivers, "--components", "east,south", *out)
    assert "--components = south: expected some of x, y, z, east" in said
    said = refused(capsys, receivers, "--components", "radial", *out)
    assert "--components = radial: expected --epicentre X,Y" in said
    said = refused(capsys, receivers, "--station", 1, "--epicentre", "3000,4000", *out)
    assert "--components = radial: expected one of vx, vy, vz, sxx" in said and "off the epicentre" in said
    assert said == refused(capsys, receivers, "--station", 1, "--epicentre", "3000.0001,4000", *out)
    given = ("--station", 1, "--epicentre", "3000.0001,4000", "--components", "east,up", "--quiet")
    assert plot("seismograms", receivers, *given, *out) == 0
    assert "--filter = 0.1,25: expected frequencies below 25 Hz" in refused(
        capsys, receivers, "--filter", "0.1,25", *out
    )
    for pair in ("2,1", "-1,2", "1", "0,nan"):
        assert f"--filter = {pair}: expected low,high in Hz" in refused(
            capsys, receivers, "--filter", pair, *out
        )
    said = refused(capsys, receivers, "--window", "20,30", *out)
    assert "--window = 20,30 s: expected a time that file and reference have in common" in said
    assert "--record-section: expected --epicentre" in refused(capsys, receivers, "--record-section", *out)


def test_refusals_of_references(receivers, tmp_path, capsys):
    out = ("--output", tmp_path / "x.png")
    bad = tmp_path / "bad.csv"
    given = (receivers, "--station", "quarry", "--reference", bad, *out)
    assert "bad.csv: expected a file that can be read (No such file" in refused(capsys, *given)
    for text, said in {
        "": "bad.csv: expected a header",
        "time,vx,speed\n0,1,2\n": "bad.csv:1: header = time,vx,speed: expected time,vx,vy,vz",
        "# made\ntime,vx,vy,vz\n0,1,2,3\n1,2,3\n": "bad.csv:4: expected 4 numbers",
        "time,vx,vy,vz\n0,1,2,x\n": "bad.csv:2: expected 4 numbers",
        "time,vx,vy,vz\n0,1,2,3\n1,2,nan,3\n": "bad.csv:3: expected finite numbers",
        "time,vx,vy,vz\n0,1,2,3\n": "bad.csv: time = 1 records: expected two records or more",
        "time,vx,vy,vz\n1,1,2,3\n0,1,2,3\n": "bad.csv: time = 1 and then 0: expected times that increase",
        "time,vx\n0,0\n9,1\n": "bad.csv: --reference = north: expected this component; it has vx",
    }.items():
        bad.write_text(text)
        assert said in refused(capsys, *given), text
    said = refused(capsys, receivers, "--reference", bad, bad, *out)
    assert "--reference = 2 files: expected one for each of the 3 stations" in said


def test_many_stations_and_runs_that_blew_up(tmp_path, capsys):
    many = write_receivers(
        tmp_path / "many.nc", TIME, [(1e3 * n, 0, 0) for n in range(13)], [moved()[0]] * 13
    )
    out = ("--output", tmp_path / "x.png")
    assert "--station = 13 stations: expected at most 12 in one picture" in refused(capsys, many, *out)
    assert plot("seismograms", many, "--record-section", "--epicentre", "-500,0", *out, "--quiet") == 0
    # Names of stations that are as far as each other stand apart, in their order, and others where they belong.
    places = _apart(np.array([1.0, 5.0, 5.1, 5.1, 9.0]), 0.5)
    assert (np.diff(places) >= 0.5 - 1e-12).all() and abs(places[1:4].mean() - 15.2 / 3) < 1e-12
    assert (places[0], places[4]) == (1.0, 9.0)
    # Five of them stand in two rows, three beside each other, each with its three components.
    figure, _ = draw_seismograms(ReceiverFile(many), [str(n) for n in range(1, 6)], Choice())
    assert len(figure.axes) == 15 and len({round(axes.get_position().x0, 6) for axes in figure.axes}) == 3
    heights = [axes.get_position().y0 for axes in figure.axes if "time, s" == axes.get_xlabel()]
    assert len(heights) == 5 and len(set(heights)) == 2
    broken = moved()[:1]
    broken[0, 1, 300:] = np.nan
    blown = write_receivers(tmp_path / "blown.nc", TIME, PLACES[:1], broken)
    said = refused(capsys, blown, *out)
    assert "blown.nc: north = not a number at receiver 1 from 6 s on: expected finite numbers" in said
