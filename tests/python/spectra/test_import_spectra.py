"""Spectra of other programs: one sea in every layout and convention, and the samples by their integral parameters."""

import os
import pathlib

import netCDF4
import numpy as np
import pytest

from groundswell.errors import Refusal
from groundswell.spectra.command import command_line
from groundswell.spectra.layout import parameters
from groundswell.spectra.netcdf import read_netcdf

FREQUENCY = 0.04 * 1.1 ** np.arange(24)
FROM = np.arange(5.0, 360.0, 10.0)  # bearings, coming from


def sea(bearing_from):
    """m² Hz⁻¹ rad⁻¹ of [frequency, direction]: swell from 250°."""
    shape = FREQUENCY**-5.0 * np.exp(-1.25 * (FREQUENCY * 12) ** -4.0)
    spread = np.maximum(np.cos(np.radians(bearing_from - 250)), 0) ** 6
    return 1e-5 * shape[:, None] * spread


def trapezoid(frequency, density, step):
    """(hs, tp) by the rule, of density [frequency, direction] per unit of `step`."""
    energy = density.sum(axis=-1) * step
    return 4 * np.sqrt(np.trapezoid(energy, frequency, axis=-1)), 1 / frequency[energy.argmax(axis=-1)]


def imported(tmp_path, *arguments):
    target = tmp_path / "out.nc"
    assert command_line([*map(str, arguments), "--output", str(target), "--overwrite", "--quiet"]) in (
        None,
        0,
    )
    return read_netcdf(target)


def swan_text(path, directions, bearing_from, quantity, unit, value):
    lines = [
        "SWAN   1",
        "$ a comment",
        "TIME",
        "     1",
        "LONLAT",
        "     2",
        "  174.5 -38.0",
        "  175.0 -38.5",
        "AFREQ",
        f" {len(FREQUENCY)}",
    ]
    lines += [f"{f:.6f}" for f in FREQUENCY]
    lines += [
        directions[0],
        f" {len(directions[1])}",
        *(f"{d:.4f}" for d in directions[1]),
        "QUANT",
        "  1",
        quantity,
        unit,
        "-0.9900E+02",
    ]
    for time in ("20240906.000000", "20240906.030000"):
        lines += [time, "FACTOR", "0.1E-06"]
        lines += [" ".join(f"{v:.0f}" for v in row) for row in sea(bearing_from) * value / 1e-7]
        lines += ["NODATA"]
    path.write_text("\n".join(lines) + "\n")


DEGREE, WEIGHT = np.pi / 180, 1025 * 9.81


@pytest.mark.parametrize(
    "quantity, unit, value",
    [
        ("VaDens", "m2/Hz/degr", DEGREE),
        ("VaDens", "m2/Hz/rad", 1.0),
        ("EnDens", "J/m2/Hz/degr", DEGREE * WEIGHT),
    ],
)
@pytest.mark.parametrize("convention", ["NDIR", "CDIR"])
def test_swan_in_each_of_its_conventions_is_the_same_sea(tmp_path, convention, quantity, unit, value):
    # Nautical: coming from. Cartesian: going to, anticlockwise from east: 270° − from, here in falling order.
    given = FROM if convention == "NDIR" else np.mod(270.0 - FROM, 360.0)
    swan_text(tmp_path / "swan.spec", (convention, given), FROM, quantity, unit, value)
    found = imported(tmp_path, tmp_path / "swan.spec")
    hs, tp, direction = parameters(found)
    wanted = trapezoid(FREQUENCY, sea(FROM), np.radians(10))
    assert (
        found.density.shape == (2, 1, 24, 36) and found.lon[0] == 174.5
    )  # the station without data is left out
    assert hs == pytest.approx(np.full((2, 1), wanted[0]), rel=1e-3)
    assert tp == pytest.approx(np.full((2, 1), wanted[1]), rel=1e-4)
    assert direction == pytest.approx(np.full((2, 1), 250.0), abs=0.05)


def test_text_of_wavewatch_is_the_same_sea(tmp_path):
    to = np.mod(FROM[::-1] + 180, 360)
    lines = [f"'WAVEWATCH III SPECTRA'  {len(FREQUENCY)}  36  1 'points'"]
    lines += [
        " ".join(f"{v:.4E}" for v in FREQUENCY),
        " ".join(f"{v:.3E}" for v in np.radians(to)),
        "20240906 030000",
    ]
    lines += ["'41010     '  28.90 -78.47   872.0  5.10 200.0  0.00 270.0"]
    lines += [" ".join(f"{v:.4E}" for v in row) for row in sea(to + 180).T]
    (tmp_path / "ww3.spec").write_text("\n".join(lines) + "\n")
    found = imported(tmp_path, tmp_path / "ww3.spec")
    hs, tp, direction = parameters(found)
    wanted = trapezoid(FREQUENCY, sea(FROM), np.radians(10))
    assert (hs.item(), tp.item()) == pytest.approx(wanted, rel=1e-3)
    assert direction.item() == pytest.approx(250.0, abs=0.05)
    assert (found.lon.item(), found.lat.item()) == (-78.47, 28.9) and str(found.times[0]).startswith(
        "2024-09-06T03"
    )


@pytest.fixture
def samples():
    folder = os.environ.get("GROUNDSWELL_TEST_DATA")
    if not folder or not (pathlib.Path(folder) / "spectra").is_dir():
        pytest.skip("GROUNDSWELL_TEST_DATA is not set: no data from outside the tree")
    return pathlib.Path(folder) / "spectra"


def test_wavewatch_and_wavespectra_of_one_sea_agree(samples, tmp_path):
    """One says where waves go to, per radian, the other where they come from, per degree."""
    with netCDF4.Dataset(samples / "ww3file.nc") as data:
        efth = np.asarray(data["efth"][:])
        hs, tp = trapezoid(np.asarray(data["frequency"][:]), efth, 2 * np.pi / 24)
        to = np.radians(data["direction"][:])
        width = np.gradient(np.asarray(data["frequency"][:]))
        width[[0, -1]] /= 2
        energy = (efth * width[:, None]).sum(axis=2)
        wanted = np.degrees(np.arctan2((energy * np.sin(to)).sum(-1), (energy * np.cos(to)).sum(-1))) + 180
    for name in ("ww3file.nc", "wavespectra.nc"):
        found = parameters(imported(tmp_path, samples / name))
        assert found[0] == pytest.approx(hs, rel=1e-3)
        assert found[1] == pytest.approx(tp, rel=1e-4)
        assert np.abs((found[2] - wanted + 180) % 360 - 180).max() < 0.1


def test_swan_in_netcdf_has_the_height_that_it_says_itself(samples, tmp_path):
    with netCDF4.Dataset(samples / "swanfile.nc") as data:
        wanted = np.asarray(data["hs"][:])
        bearing = np.degrees(data["direction"][:])  # coming from
        mean = np.asarray(data["density"][:]).sum(axis=2)
    hs, _, direction = parameters(imported(tmp_path, samples / "swanfile.nc"))
    assert hs == pytest.approx(wanted, rel=0.04)  # in steps of 6 mm, with a tail of its own
    nearest = bearing[mean.argmax(axis=-1)]
    assert np.abs((direction - nearest + 180) % 360 - 180).max() < 60


def test_era5_is_a_logarithm_over_numbered_bins(samples, tmp_path):
    with netCDF4.Dataset(samples / "era5file.nc") as data:
        stored = np.ma.filled(
            data["d2fd"][0].astype(float), np.nan
        )  # frequency, direction, latitude, longitude
        lat, lon = np.asarray(data["latitude"][:]), np.asarray(data["longitude"][:])
    found = imported(tmp_path, samples / "era5file.nc")
    hs, tp, direction = parameters(found)
    frequency, to = 0.03453 * 1.1 ** np.arange(30), np.radians(7.5 + 15 * np.arange(24))
    assert found.frequency == pytest.approx(frequency, rel=1e-6)
    seen = 0
    for j, y in enumerate(lat):
        for i, x in enumerate(lon):
            here = stored[:, :, j, i]
            if np.isnan(here).all():
                continue
            density = np.nan_to_num(10.0**here)
            station = np.nonzero((found.lon == x) & (found.lat == y))[0][0]
            assert hs[0, station] == pytest.approx(trapezoid(frequency, density, np.radians(15))[0], rel=1e-3)
            seen += 1
    assert seen == len(found.lon) > 20
    # The Southern Ocean has westerlies, and the trades blow from the east: waves come from there.
    southern = (found.lat == -36) & (hs[0] > 2)
    assert (np.sin(np.radians(direction[0, southern])) < 0).mean() > 0.7
    assert to.size == 24


def test_what_is_no_spectrum_or_does_not_say_what_it_means_is_refused(tmp_path):
    def check(words, text=None, *arguments):
        if text is not None:
            (tmp_path / "in.spec").write_text(text)
        with pytest.raises(Refusal) as refusal:
            imported(tmp_path, tmp_path / "in.spec", *arguments)
        for word in words:
            assert word in str(refusal.value), (word, str(refusal.value))

    check(["in.spec", "SWAN"], "hello\n")
    check(["in.spec:5", "places = LOCATIONS", "LONLAT"], "SWAN 1\n$ a comment\nTIME\n 1\nLOCATIONS\n")
    swan_text(tmp_path / "in.spec", ("NDIR", FROM), FROM, "VaDens", "m2/Hz/degr", 1.0)
    whole = (tmp_path / "in.spec").read_text()
    check(["ends too early"], whole[: len(whole) // 2])
    check(["quantity = Hsig", "VaDens or EnDens"], whole.replace("VaDens", "Hsig"))
    swan_text(tmp_path / "in.spec", ("NDIR", FROM / 4), FROM, "VaDens", "m2/Hz/degr", 1.0)
    check(["directions", "all round the circle"])
    with netCDF4.Dataset(tmp_path / "in.spec", "w") as data:
        for name, size in (("time", 1), ("station", 1), ("frequency", 24), ("direction", 36)):
            data.createDimension(name, size)
        for name in ("time", "longitude", "latitude", "frequency", "direction"):
            data.createVariable(name, "f8", (name if name in data.dimensions else "station",))[:] = 0
        data["time"].units = "hours since 2024-09-06"
        data["frequency"][:], data["direction"][:], data["direction"].units = FREQUENCY, FROM, "degree"
        efth = data.createVariable("efth", "f8", ("time", "station", "frequency", "direction"))
        efth[:] = sea(FROM)
    check(["efth: units", "--density"])
    check(["direction: standard_name", "--convention"], None, "--density", "per-radian")
    found = imported(tmp_path, tmp_path / "in.spec", "--density", "per-radian", "--convention", "from")
    assert parameters(found)[2].item() == pytest.approx(250.0, abs=0.05)
