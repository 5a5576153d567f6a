"""Faults laid flat, fronts beside those of a reference, series of a rupture and of receivers: numbers behind the pictures."""

import json

import netCDF4
import numpy as np
import pytest
from PIL import Image

from groundswell import plot_cli
from groundswell.errors import Refusal
from groundswell.plot.quake.fault_file import FaultFile, places_on, rupture_times_of
from groundswell.plot.quake.fault_series import compared


def rectangle(at, along, down, size, cells):
    """[triangle, 3, 3] corners of a rectangle cut in squares and these in triangles; `at` its upper corner."""
    u, v = (np.linspace(0, length, count + 1) for length, count in zip(size, cells))
    place = np.asarray(at, float) + u[:, None, None] * along + v[None, :, None] * down
    a, b, c, d = place[:-1, :-1], place[1:, :-1], place[1:, 1:], place[:-1, 1:]
    return np.concatenate([np.stack(t, axis=2).reshape(-1, 3, 3) for t in ((a, b, c), (a, c, d))])


def directions(strike, dip):
    strike, dip = np.radians(strike), np.radians(dip)
    along = np.array([np.sin(strike), np.cos(strike), 0.0])
    return along, np.array([np.cos(dip) * np.cos(strike), -np.cos(dip) * np.sin(strike), -np.sin(dip)])


def write_fault(path, parts, **fields):
    """`parts`: of (corners, along, down); `fields`: functions of [triangle, 3] centres to [time, triangle]."""
    corner = np.concatenate([part[0] for part in parts])
    with netCDF4.Dataset(path, "w") as file:
        file.title = "a made-up fault"
        for name, length in (
            ("time", None),
            ("nFace", len(corner)),
            ("nNode", 3 * len(corner)),
            ("three", 3),
        ):
            file.createDimension(name, length)
        for axis, values in zip("xyz", corner.reshape(-1, 3).T):
            file.createVariable(f"mesh_node_{axis}", "f8", ("nNode",))[:] = values
        file.createVariable("mesh_face_nodes", "i4", ("nFace", "three"))[:] = np.arange(
            3 * len(corner)
        ).reshape(-1, 3)
        for number, name in ((1, "fault_strike"), (2, "fault_dip")):
            values = np.concatenate([np.tile(part[number], (len(part[0]), 1)) for part in parts])
            file.createVariable(name, "f8", ("nFace", "three"))[:] = values
        file.createVariable("time", "f8", ("time",))[:] = [0.0, 1.0, 2.0]
        units = {"slip": "m", "slip_rate": "m s-1", "rupture_time": "s"}
        for name, values in fields.items():
            variable = file.createVariable(name, "f4", ("time", "nFace"), fill_value=1e36)
            variable.units = units.get(name, "Pa")
            variable[:] = np.ma.masked_invalid(values(corner.mean(axis=1)))
    return path


def times(speed):
    def of(centre):
        reached = np.linalg.norm(centre - centre.mean(axis=0), axis=1) / speed
        return np.stack([np.full(len(centre), np.nan), np.where(reached < 1, reached, np.nan), reached])

    return of


@pytest.fixture
def dipping(tmp_path):
    """20 km × 10 km, strike 30°, dip 60°."""
    along, down = directions(30, 60)
    part = (rectangle((1e3, 2e3, -1e3), along, down, (20e3, 10e3), (40, 20)), along, down)
    slip = lambda centre: np.outer([0, 1, 2], np.ones(len(centre)))  # noqa: E731
    return write_fault(tmp_path / "fault.nc", [part], slip=slip, rupture_time=times(8e3))


def test_a_plane_fault_has_its_strike_dip_and_size(dipping):
    flat = FaultFile(dipping).flat()
    assert (flat.strike, flat.dip) == pytest.approx((30, 60))
    assert flat.area == pytest.approx(200e6)
    low, high = flat.corners.reshape(-1, 2).min(axis=0), flat.corners.reshape(-1, 2).max(axis=0)
    np.testing.assert_allclose([*low, *high], [-10e3, 0, 10e3, 10e3], atol=1e-6)
    places, away = places_on(flat, FaultFile(dipping), FaultFile(dipping).corner.mean(axis=1))
    np.testing.assert_allclose(places, flat.centres, atol=1e-6)
    assert away.max() < 1e-6


def test_a_bent_fault_is_as_long_flat_as_it_is(tmp_path):
    parts, at = [], np.array([0.0, 0.0, 0.0])
    for strike in (70, 90, 120):
        along, down = directions(strike, 90)
        parts.append((rectangle(at, along, down, (10e3, 8e3), (20, 16)), along, down))
        at = at + 10e3 * along
    file = FaultFile(write_fault(tmp_path / "fault.nc", parts, slip=lambda c: np.zeros((3, len(c)))))
    assert len(file.parts) == 1
    flat = file.flat()
    assert np.ptp(flat.corners[..., 0]) == pytest.approx(30e3, rel=0.002)
    assert np.ptp(flat.corners[..., 1]) == pytest.approx(8e3, rel=1e-6)
    # Triangles keep their area.
    edge, other = flat.corners[:, 1] - flat.corners[:, 0], flat.corners[:, 2] - flat.corners[:, 0]
    area = 0.5 * np.abs(edge[:, 0] * other[:, 1] - edge[:, 1] * other[:, 0])
    assert np.median(area) == pytest.approx(flat.area / len(area), rel=0.002)


def test_faults_that_cross_are_several(tmp_path):
    parts = []
    for strike, at in ((90, (-5e3, 0, 0)), (0, (0, -3e3, 0))):
        along, down = directions(strike, 90)
        length = 10e3 if strike else 6e3
        parts.append((rectangle(at, along, down, (length, 4e3), (int(length / 500), 8)), along, down))
    file = FaultFile(write_fault(tmp_path / "fault.nc", parts, slip=lambda c: np.zeros((3, len(c)))))
    assert [round(file.flat(number).strike) for number in (1, 2)] == [90, 0]
    with pytest.raises(Refusal, match="--fault = 3"):
        file.flat(3)


def test_a_reference_in_any_form_says_how_late_the_front_is(dipping, tmp_path):
    """The same front a tenth slower, from a file, as places, and by the ways along the fault."""
    file = FaultFile(dipping)
    flat, late = file.flat(), file.read("rupture_time", -1) * 0.9
    with netCDF4.Dataset(dipping) as source:
        other = write_fault(
            tmp_path / "other.nc",
            [(file.corner, file.strike[0], file.dip[0])],
            rupture_time=lambda c: np.tile(late, (3, 1)),
        )
        assert source.title
    places, ways = tmp_path / "places.dat", tmp_path / "ways.txt"
    np.savetxt(places, np.column_stack([file.corner.mean(axis=1), late, 0 * late]), header="x y z t more")
    np.savetxt(ways, np.column_stack([flat.centres, late]), header="j k t", comments="")
    expected = np.sqrt(np.mean((file.read("rupture_time", -1) / 10) ** 2))
    for reference in (other, places, ways):
        found = tmp_path / "found.json"
        given = ["fault", dipping, "--field", "slip", "--reference", reference, "--json", found, "--quiet"]
        assert run_plot(*given, "--output", tmp_path / "slip.png") == 0
        told = json.loads(found.read_text())["result"]
        assert told["rupture_time_difference"]["rms"] == pytest.approx(expected, rel=0.02)
        assert told["rupture_time_difference"]["mean"] > 0
        assert told["panels"][0]["highest"] == pytest.approx(2.0) and told["panels"][0]["time"] == 2.0


def test_a_reference_elsewhere_is_refused(dipping, tmp_path):
    file = FaultFile(dipping)
    far = tmp_path / "far.dat"
    np.savetxt(far, np.column_stack([file.corner.mean(axis=1) + [0, 0, -50e3], np.ones(len(file.corner))]))
    with pytest.raises(Refusal, match="places on the fault"):
        rupture_times_of(far, file, file.flat())


def run_plot(*arguments):
    return plot_cli.main([str(argument) for argument in arguments])


def test_pictures_and_what_is_refused(dipping, tmp_path, capsys):
    gif = tmp_path / "slip.gif"
    assert run_plot("fault", dipping, "--field", "slip", "--output", gif, "--quiet") == 0
    with Image.open(gif) as film:
        assert film.n_frames == 3
    for words, said in (
        (["--field", "slp"], "did you mean 'slip'"),
        (["--before"], "shear"),
        (["--field", "slip", "--time", "9"], "a time from 0 s to 2 s"),
        (["--field", "slip", "--fault", "2"], "a number from 1 to 1"),
    ):
        assert run_plot("fault", dipping, *words, "--output", tmp_path / "x.png", "--quiet") == 2
        assert said in capsys.readouterr().err


def test_how_late_and_how_far_off_a_series_is():
    time = np.linspace(0, 10, 1001)
    pulse = lambda t: np.exp(-((t - 4) ** 2) / 0.1)  # noqa: E731
    found = compared(time, 1.1 * pulse(time - 0.2), (time, pulse(time)))
    assert found["late"] == pytest.approx(0.2, abs=0.011)
    assert found["relative_rms_shifted"] == pytest.approx(0.1, abs=0.01)
    assert found["relative_rms"] > 0.5 and found["peak"] == pytest.approx(1.0)


def receivers(path, **fields):
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("time", None)
        file.createDimension("station", 1)
        file.createDimension("letters", 4)
        time = np.linspace(0, 2, 201)
        file.createVariable("time", "f8", ("time",))[:] = time
        for axis in "xyz":
            file.createVariable(axis, "f8", ("station",))[:] = 0.0
        file.createVariable("station_name", "S1", ("station", "letters"))[:] = list("here")
        for name, values in fields.items():
            variable = file.createVariable(name, "f4", ("time", "station"))
            variable.units = "m s-1" if "rate" in name else "Pa"
            variable[:] = values(time)[:, None]
    return path


@pytest.mark.parametrize("form", ["seissol", "community"])
def test_receivers_are_held_against_text_of_others(tmp_path, form):
    rate, stress = lambda t: np.sin(t), lambda t: 7e7 - 1e6 * t  # noqa: E731
    file = receivers(tmp_path / "places.nc", slip_rate_strike=rate, traction_dip=stress)
    time = np.linspace(0, 2, 401)
    text = tmp_path / "other.dat"
    if form == "seissol":
        head = 'TITLE = "x"\nVARIABLES = "Time" ,"SRs" ,"Td0"\n# x1 0.0'
        np.savetxt(text, np.column_stack([time, rate(time), stress(time)]), header=head, comments="")
    else:  # dip is up there, stresses are in MPa
        head = "# problem=TPV5\nt h-slip-rate v-shear-stress"
        np.savetxt(text, np.column_stack([time, rate(time), -stress(time) / 1e6]), header=head, comments="")
    found = tmp_path / "found.json"
    given = ["slip", file, "--reference", text, "--json", found, "--quiet", "--output", tmp_path / "slip.png"]
    assert run_plot(*given) == 0
    (station,) = json.loads(found.read_text())["result"]["stations"]
    assert [one["field"] for one in station["fields"]] == ["slip_rate_strike", "traction_dip"]
    for one in station["fields"]:
        assert one["reference"]["relative_rms"] < 1e-4


def test_a_rupture_by_time_tells_magnitude_and_rates(tmp_path):
    path = tmp_path / "rupture.nc"
    time = np.linspace(0, 4, 41)
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("time", None)
        series = {
            "time": time,
            "moment": 1e18 * time**2,
            "moment_rate": 2e18 * time,
            **{
                name: time
                for name in ("area", "friction_work", "fracture_work", "released_work", "radiated_energy")
            },
        }
        for name, values in series.items():
            file.createVariable(name, "f8", ("time",))[:] = values
    found = tmp_path / "found.json"
    assert run_plot("rupture", path, "--output", tmp_path / "rupture.png", "--json", found, "--quiet") == 0
    told = json.loads(found.read_text())["result"]
    assert told["magnitude"] == pytest.approx((np.log10(16e18) - 9.05) / 1.5)
    assert told["highest_moment_rate"]["time"] == pytest.approx(4.0)


def test_what_is_small_beside_its_partner_looks_small(tmp_path):
    """A component a hundredth of the other is drawn, and judged, on the scale of the larger; the other scales are their own."""
    from groundswell.plot.quake.fault_series import draw_slip

    fields = {
        "slip_rate_strike": lambda t: 0.01 * np.sin(9 * t),
        "slip_rate_dip": np.sin,
        "traction_dip": lambda t: 7e7 - 1e6 * t,
    }
    file = receivers(tmp_path / "places.nc", **fields)
    time = np.linspace(0, 2, 201)
    text = tmp_path / "other.dat"
    table = np.column_stack([time, np.zeros(201), np.sin(time)])
    np.savetxt(text, table, header='VARIABLES = "Time" ,"SRs" ,"SRd"', comments="")
    figure, told = draw_slip(file, references=[text])
    spans = [np.ptp(axes.get_ylim()) for axes in figure.axes]
    assert spans[0] == pytest.approx(spans[1]) and spans[0] > 0.9
    assert spans[2] == pytest.approx(2.0 * 1.08)  # MPa
    # 0.01 sin 9t has an rms of 0.0069, sin t one of 0.77.
    assert told["stations"][0]["fields"][0]["reference"]["relative_rms"] == pytest.approx(0.009, rel=0.1)


@pytest.mark.parametrize("radius, whole", [(2500.0, False), (20000.0, True)])
def test_a_fault_of_which_little_has_moved_is_shown_where_it_has(tmp_path, radius, whole):
    from groundswell.plot.quake.fault_map import Choice, draw_fields

    along, down = directions(90.0, 90.0)
    part = rectangle([-15000.0, 0.0, 0.0], along, down, (30000.0, 15000.0), (60, 30))

    def slip(centre):
        away = np.hypot(centre[:, 0], centre[:, 2] + 7500.0)
        return np.stack([t * np.clip(1 - away / radius, 0, None) for t in (0.0, 0.5, 1.0)])

    file = FaultFile(write_fault(tmp_path / "fault.nc", [(part, along, down)], slip=slip))
    figure, _ = draw_fields(file, ["slip"], [2], Choice())
    shown = np.ptp(figure.axes[0].get_xlim())
    assert shown == pytest.approx(30.0, abs=0.1) if whole else 5.0 < shown < 9.0
    said = " ".join(text.get_text() for text in figure.texts)
    assert ("only the part that has moved" in said) is not whole
