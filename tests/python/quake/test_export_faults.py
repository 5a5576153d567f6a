"""Receivers on faults and energies in SeisSol's text forms, read back by the reader of references: the same numbers."""

import csv

import netCDF4
import numpy as np
import pytest
from quake_files import write_energies

from groundswell import export_cli
from groundswell.plot.quake.fault_series import Reference

TIME = 0.01 * np.arange(50)
PLACES = [(0.0, 0.0, -7500.0), (4500.0, -12.5, -3000.0)]
FIELDS = ("slip_rate_strike", "traction_strike", "normal_stress", "slip", "friction")
VALUES = {name: np.random.default_rng(k).normal(size=(len(TIME), 2)) for k, name in enumerate(FIELDS)}


@pytest.fixture
def on_fault(tmp_path):
    path = tmp_path / "places.nc"
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as file:
        for name, size in (("time", None), ("station", 2), ("letters", 4)):
            file.createDimension(name, size)
        file.createVariable("time", "f8", ("time",))[:] = TIME
        file.createVariable("station_name", "S1", ("station", "letters"))[:] = np.array(
            [list("hypo"), list("east")], "S1"
        )
        for axis, values in zip("xyz", np.transpose(PLACES)):
            file.createVariable(axis, "f8", ("station",))[:] = values
        for name, values in VALUES.items():
            file.createVariable(name, "f8", ("time", "station"))[:] = values
        broke = file.createVariable("rupture_time", "f4", ("time", "station"), fill_value=9.96921e36)
        broke[:] = np.ma.masked_greater(np.array([[0.25, 99.0]] * len(TIME)) + 0 * TIME[:, None], 90)
    return path


def export(*words):
    return export_cli.main([str(word) for word in (*words, "--quiet")])


def test_receivers_on_faults_are_read_back_to_the_last_digit(on_fault, tmp_path):
    assert export(on_fault, "--to", "seissol", tmp_path / "text", "--prefix", "tpv") == 0
    names = sorted(path.name for path in (tmp_path / "text").iterdir())
    assert names == ["stations.csv", "tpv-faultreceiver-00001-00000.dat", "tpv-faultreceiver-00002-00000.dat"]
    for number, place in enumerate(PLACES):
        path = tmp_path / f"text/tpv-faultreceiver-{number + 1:05d}-00000.dat"
        assert '"Time" ,"SRs" ,"Mud" ,"Ts0" ,"Pn0" ,"ASl" ,"RT"' in path.read_text()
        text = Reference(path)
        assert text.place == pytest.approx(place)
        for field, values in VALUES.items():
            time, series = text.of(None, field, place)
            np.testing.assert_array_equal(time, TIME)
            np.testing.assert_array_equal(series, values[:, number])
        # SeisSol has 0 where nothing has broken.
        np.testing.assert_array_equal(text.of(None, "rupture_time", place)[1], 0.25 if number == 0 else 0.0)


def test_energies_go_row_by_row_with_those_of_the_rupture(tmp_path):
    kinetic, elastic, sea = 3e13 * TIME, 2e13 * TIME**2, 1e9 * TIME
    energy = write_energies(
        tmp_path / "energy.nc", TIME[::5], kinetic[::5], elastic[::5], sea_surface=sea[::5]
    )
    rupture = write_energies(
        tmp_path / "rupture.nc", TIME, kinetic, elastic, moment=5e18 * TIME, moment_of_jump=6e18 * TIME, released_work=7e13 * TIME
    )  # fmt: skip
    with netCDF4.Dataset(rupture, "a") as file:
        file.renameVariable("kinetic", "area")
    assert export(energy, "--rupture", rupture, "--to", "seissol", tmp_path / "text", "--prefix", "a") == 0
    with open(tmp_path / "text/a-energy.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    found = {}
    for row in rows:
        found.setdefault(row["variable"], []).append((float(row["time"]), float(row["measurement"])))
    expected = {
        "gravitational_energy": sea, "elastic_energy": elastic, "elastic_kinetic_energy": kinetic,
        "total_frictional_work": 7e13 * TIME, "seismic_moment": 6e18 * TIME,
    }  # fmt: skip
    assert set(found) == set(expected)
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], np.stack([TIME[::5], values[::5]], axis=-1))


def test_what_cannot_be_written_is_refused(on_fault, tmp_path, capsys):
    energy = write_energies(tmp_path / "energy.nc", TIME, TIME, TIME)
    late = write_energies(
        tmp_path / "late.nc", TIME[10:], *[TIME[10:]] * 2, moment=TIME[10:], released_work=TIME[10:]
    )
    out = tmp_path / "out"
    for words, said in (
        ((on_fault, "--to", "sac", out), "--to = sac: expected seissol"),
        ((energy, "--to", "mseed", out), "which has energies"),
        ((on_fault, "--to", "seissol", out, "--rupture", late), "--rupture"),
        ((energy, "--to", "seissol", out, "--rupture", late), "no record at 0 s"),
        ((energy, "--to", "seissol", out, "--station", "1"), "--station"),
    ):
        assert export(*words) == 2
        assert said in capsys.readouterr().err
    with netCDF4.Dataset(on_fault, "a") as file:
        file["slip"][20:, 1] = np.nan
    assert export(on_fault, "--to", "seissol", out) == 2
    assert "slip = not a number at east from 0.2 s on" in capsys.readouterr().err
    assert not out.exists()
