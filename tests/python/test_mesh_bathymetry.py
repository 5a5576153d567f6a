"""Bathymetry reads the same whatever its conventions: names, order of latitudes, sign, longitudes, fill values, packing."""

import pathlib
import runpy

import netCDF4
import numpy as np
import pytest

from groundswell.errors import Refusal
from groundswell.mesh.bathymetry import Reading, read_bathymetry

FERRET = pathlib.Path("/usr/share/ferret-vis/data")
CASES = pathlib.Path(__file__).resolve().parents[2] / "cases"


def elevation(lon, lat):
    """A smooth sea floor with land in the north-west, the same on 0–360 and ±180."""
    lon, lat = np.meshgrid(np.radians(lon), np.radians(lat))
    return -2000 + 3000 * np.sin(2 * lat) * np.cos(lon) - 500 * np.sin(2 * lon) * np.cos(lat) ** 2


def write(
    path,
    lon,
    lat,
    field,
    name="z",
    lon_name="lon",
    lat_name="lat",
    units=("degrees_east", "degrees_north"),
    transposed=False,
    kind="f4",
    **attributes,
):
    fill = attributes.pop("_FillValue", None)
    with netCDF4.Dataset(path, "w") as out:
        for axis, values, unit in ((lon_name, lon, units[0]), (lat_name, lat, units[1])):
            out.createDimension(axis, len(values))
            variable = out.createVariable(axis, "f8", (axis,))
            variable[:] = values
            if unit:
                variable.units = unit
        order = (lon_name, lat_name) if transposed else (lat_name, lon_name)
        variable = out.createVariable(name, kind, order, fill_value=fill)
        variable.setncatts(attributes)
        variable[:] = field.T if transposed else field
    return path


LON, LAT = np.arange(0.0, 360.0, 2.0), np.arange(-89.0, 90.0, 2.0)
TURNED = np.arange(-180.0, 180.0, 2.0)
SAME = {
    "descending latitudes": dict(lat=LAT[::-1]),
    "longitudes ±180": dict(lon=TURNED),
    "longitudes from 20 to 380, first column twice": dict(lon=np.arange(20.0, 381.0, 2.0)),
    "transposed": dict(transposed=True),
    "depth positive down": dict(sign=-1, positive="down"),
    "standard name of depth": dict(name="whatever", sign=-1, standard_name="sea_floor_depth_below_geoid"),
    "GEBCO names": dict(name="elevation", standard_name="height_above_mean_sea_level"),
    "GMT names without units": dict(lon_name="x", lat_name="y", units=("", "")),
    "Ferret names": dict(name="ROSE", lon_name="ETOPO05_X", lat_name="ETOPO05_Y"),
    "GDAL band": dict(name="Band1"),
    "double precision": dict(kind="f8"),
}


@pytest.mark.parametrize("how", SAME)
@pytest.mark.parametrize("region", [(10, 60, -30, 40), (150, 215, -20, 20), (-40, 30, -50, 10)])
def test_conventions(tmp_path, how, region):
    options = dict(SAME[how])
    lon, lat, sign = options.pop("lon", LON), options.pop("lat", LAT), options.pop("sign", 1)
    plain = read_bathymetry(write(tmp_path / "plain.nc", LON, LAT, elevation(LON, LAT)), region, margin=4)
    other = read_bathymetry(
        write(tmp_path / "other.nc", lon, lat, sign * elevation(lon, lat), **options), region, margin=4
    )
    assert np.allclose(other.lon, plain.lon, atol=1e-12) and np.allclose(other.lat, plain.lat, atol=1e-12)
    assert np.allclose(other.elevation, plain.elevation, atol=1e-2)
    assert plain.lon[0] <= region[0] - 4 + 2 and plain.lon[-1] >= region[1] + 4 - 2
    assert np.allclose(
        plain.interpolate(plain.lon, np.full(len(plain.lon), region[2] + 1.0)),
        np.diag(elevation(plain.lon, np.full(len(plain.lon), region[2] + 1.0))),
        atol=3,
    )


def test_packed_integers_and_missing_values(tmp_path):
    """scale_factor, add_offset and _FillValue are the library's business; what is missing counts as land."""
    field = np.ma.masked_less(elevation(LON, LAT), -4200)
    path = write(
        tmp_path / "packed.nc",
        LON,
        LAT,
        field,
        kind="i2",
        _FillValue=-32768,
        scale_factor=0.5,
        add_offset=-3000.0,
    )
    packed = read_bathymetry(path, whole=True)
    order = np.argsort(LON)
    assert packed.periodic
    assert np.allclose(packed.elevation[~field.mask[:, order]], field[:, order].compressed(), atol=0.26)
    assert field.mask.any() and (packed.wet[field.mask] == 0).all()


def test_blocks_keep_the_wet_mean(tmp_path):
    """Averaged over blocks, wet share × wet depth is the mean of the depth over land as zero: water is conserved."""
    path = write(tmp_path / "z.nc", LON, LAT[:88], elevation(LON, LAT[:88]))
    fine, coarse = read_bathymetry(path, whole=True), read_bathymetry(path, whole=True, resolution=8.0)
    assert coarse.elevation.shape == (22, 45)
    water = (fine.wet * fine.depth).reshape(22, 4, 45, 4).mean(axis=(1, 3))
    assert np.allclose(coarse.wet * coarse.depth, water, rtol=1e-5)
    assert ((coarse.wet > 0) & (coarse.wet < 1)).any()


@pytest.mark.skipif(not (FERRET / "etopo5.cdf").exists(), reason="needs Debian's ferret-datasets")
@pytest.mark.parametrize("name", ["etopo5.cdf", "etopo20.cdf"])
def test_etopo_of_ferret(name):
    """The Mariana Trench is deep, Tibet is high, Fiji's date line is sea: places, not indices."""
    whole = read_bathymetry(FERRET / name, whole=True)
    trench, tibet = whole.interpolate(np.array([142.3, 88.0]), np.array([11.35, 33.0]))
    assert trench < -7000 and tibet > 4000
    cut = read_bathymetry(FERRET / name, (170, 190, -25, -10), margin=1)
    assert np.all(np.diff(cut.lon) > 0)
    at = np.array([179.5, 180.0, 180.7]), np.array([-22.0, -22.0, -22.0])
    assert (
        np.allclose(cut.interpolate(*at), whole.interpolate(*at), atol=1.0)
        and (cut.interpolate(*at) < -500).all()
    )


@pytest.mark.parametrize("shipped", sorted(CASES.rglob("etopo5_*.nc")), ids=lambda path: path.stem)
def test_shipped_cuts_are_what_their_script_makes(shipped, tmp_path):
    if not (FERRET / "etopo5.cdf").exists():
        pytest.skip("needs Debian's ferret-datasets")
    shipped = read_bathymetry(shipped)
    ends = (shipped.lon[0], shipped.lon[-1], shipped.lat[0], shipped.lat[-1])
    runpy.run_path(str(CASES / "cut_etopo5.py"))["cut"](
        FERRET / "etopo5.cdf", tmp_path / "cut.nc", *ends, "a test"
    )
    made = read_bathymetry(tmp_path / "cut.nc")
    assert np.array_equal(made.elevation, shipped.elevation) and np.array_equal(made.lon, shipped.lon)


def refusal(path, *arguments, **options):
    with pytest.raises(Refusal) as caught:
        read_bathymetry(path, *arguments, **options)
    return str(caught.value)


def test_refusals(tmp_path):
    regional = write(
        tmp_path / "r.nc",
        np.arange(100.0, 121.0),
        np.arange(0.0, 21.0),
        elevation(np.arange(100.0, 121.0), np.arange(0.0, 21.0)),
    )
    message = refusal(regional, (90, 110, 5, 10))
    assert str(regional) in message and "region" in message and "100…120°E" in message
    assert "0…20°N" in refusal(regional, (105, 110, 5, 30))
    assert "did you mean 'z'" in refusal(
        regional, (105, 110, 5, 10), reading=Reading("zz")
    ) or "one of z" in refusal(regional, (105, 110, 5, 10), reading=Reading("zz"))
    assert "can be read" in refusal(tmp_path / "none.nc")
    feet = write(
        tmp_path / "feet.nc",
        LON,
        LAT,
        elevation(LON, LAT),
        units=("degrees_east", "degrees_north"),
        **{"long_name": "x"},
    )
    with netCDF4.Dataset(feet, "a") as out:
        out["z"].units = "feet"
    assert "z:units = feet: expected metres" in refusal(feet)
    with netCDF4.Dataset(tmp_path / "two.nc", "w") as out:
        out.createDimension("time", 3)
        out.createVariable("temperature", "f4", ("time",))
    assert "bathymetry.variable" in refusal(tmp_path / "two.nc")
    gone = write(tmp_path / "gone.nc", LON, LAT, np.ma.masked_all((len(LAT), len(LON)), "f4"))
    assert "missing everywhere" in refusal(gone)


def test_a_lake_is_as_deep_as_it_lies_below_its_surface(tmp_path):
    """Victoria, at 1134 m, and the Caspian, at -28 m with dry land at -20 m beside it."""
    lon, lat = np.arange(30.0, 36.1, 0.5), np.arange(-3.0, 3.1, 0.5)
    bowl = np.clip(1 - (np.add.outer(lat**2, (lon - 33) ** 2)) / 4.0, 0, 1)
    for surface, shore in ((1134.0, 1500.0), (-28.0, -20.0)):
        field = np.where(bowl > 0, surface - 60 * bowl, shore)
        read = read_bathymetry(write(tmp_path / "lake.nc", lon, lat, field), reading=Reading(level=surface))
        assert read.depth.max() == pytest.approx(60.0, abs=1e-3)
        assert np.array_equal(read.wet > 0, bowl > 0)


def test_marks_of_missing_values_are_no_depths(tmp_path):
    field = elevation(LON, LAT)
    field[30:40, 50:60] = -99999.0
    path = write(tmp_path / "marked.nc", LON, LAT, field)
    message = refusal(path)
    assert "-99999 m" in message and "[bathymetry] missing" in message and "100.000°E, -29.000°N" in message
    read = read_bathymetry(path, reading=Reading(missing=-99999.0), whole=True)
    assert read.missing == pytest.approx(100 / field.size)
    assert (read.elevation[30:40, 50:60] > 0).all()


def test_rows_and_columns_that_are_not_there_are_not_bridged(tmp_path):
    rows = np.delete(LAT, slice(40, 44))
    path = write(tmp_path / "rows.nc", LON, rows, elevation(LON, rows))
    assert "lat = nothing from -11 to -1" in refusal(path, (100, 120, -20, 20))
    read_bathymetry(path, (100, 120, 10, 30))  # the hole is elsewhere
    columns = np.delete(LON, slice(52, 58))
    path = write(tmp_path / "columns.nc", columns, LAT, elevation(columns, LAT))
    assert "lon = nothing from 102 to 116" in refusal(path, (95, 120, -20, 20))
