"""Relief in forms of geographic information systems is that of NetCDF; projections of a request by words."""

import netCDF4
import numpy as np
import pytest

from groundswell.errors import Refusal
from groundswell.ground.projection import Projection
from groundswell.mesh.bathymetry import read_grid

LON, LAT = np.linspace(120.8, 121.2, 41), np.linspace(23.8, 24.2, 33)
X, Y = np.meshgrid(LON, LAT)
HEIGHT = (800 * np.exp(-((X - 121.1) ** 2 + (Y - 23.9) ** 2) / 0.01) - 50).astype(np.float32)
REGION = (120.953, 121.147, 23.853, 24.097)  # between points


@pytest.fixture
def known(tmp_path):
    """What NetCDF gives."""
    with netCDF4.Dataset(tmp_path / "relief.nc", "w") as file:
        for name, axis, units in (("lon", LON, "degrees_east"), ("lat", LAT, "degrees_north")):
            file.createDimension(name, len(axis))
            file.createVariable(name, "f8", (name,))[:] = axis
            file[name].units = units
        file.createVariable("elevation", "f4", ("lat", "lon"))[:] = HEIGHT
    return read_grid(tmp_path / "relief.nc", REGION)


def same(found, known):
    np.testing.assert_allclose(found.lon, known.lon, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.lat, known.lat, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.elevation, known.elevation, rtol=0, atol=1e-3)


def ascii_grid(path, head, rows):
    path.write_text("\n".join([*head, *(" ".join(f"{v:.4f}" for v in row) for row in rows)]) + "\n")
    return path


def head(corner):
    step = float(LON[1] - LON[0])
    shift = 0.0 if corner == "center" else 0.5 * step
    return [
        f"ncols {len(LON)}", f"NROWS {len(LAT)}", f"xll{corner} {float(LON[0] - shift)!r}",
        f"yll{corner} {float(LAT[0] - 0.5 * (LAT[1] - LAT[0]) * (corner != 'center'))!r}", f"dx {step!r}",
        f"dy {float(LAT[1] - LAT[0])!r}", "NODATA_value -9999",
    ]  # fmt: skip


@pytest.mark.parametrize("corner", ["corner", "center"])
def test_an_ascii_grid_runs_from_the_north(tmp_path, known, corner):
    same(read_grid(ascii_grid(tmp_path / "relief.asc", head(corner), HEIGHT[::-1]), REGION), known)


def test_points_come_in_any_order(tmp_path, known):
    order = np.random.default_rng(3).permutation(HEIGHT.size)
    lines = [f"{X.ravel()[i]:.7f} {Y.ravel()[i]:.7f} {HEIGHT.ravel()[i]:.4f}" for i in order]
    (tmp_path / "relief.xyz").write_text("# lon lat z\n" + "\n".join(lines))
    same(read_grid(tmp_path / "relief.xyz", REGION), known)


def geotiff(path, crs, transform, values):
    rasterio = pytest.importorskip("rasterio")
    with rasterio.open(
        path, "w", driver="GTiff", width=values.shape[1], height=values.shape[0], count=1, dtype="float32", crs=crs,
        transform=transform,
    ) as file:  # fmt: skip
        file.write(values, 1)
    return path


def test_a_geotiff_lies_where_it_says(tmp_path, known):
    rasterio = pytest.importorskip("rasterio")
    step_x, step_y = LON[1] - LON[0], LAT[1] - LAT[0]
    corner = rasterio.transform.from_origin(LON[0] - step_x / 2, LAT[-1] + step_y / 2, step_x, step_y)
    same(read_grid(geotiff(tmp_path / "relief.tif", "EPSG:4326", corner, HEIGHT[::-1]), REGION), known)


def test_a_geotiff_in_utm_is_turned_to_degrees(tmp_path):
    rasterio = pytest.importorskip("rasterio")
    utm = Projection.from_words("test", "EPSG:32651")
    x, y = np.arange(270e3, 330e3, 500.0), np.arange(2680e3, 2620e3, -500.0)
    longitude, latitude = utm.degrees(*np.meshgrid(x, y))
    values = (100 * (longitude - 121) + 1000 * (latitude - 24)).astype(np.float32)
    path = geotiff(
        tmp_path / "utm.tif", "EPSG:32651", rasterio.transform.from_origin(269750, 2680250, 500, 500), values
    )
    found = read_grid(path, (121.0, 121.1, 23.9, 24.0))
    lon, lat = np.meshgrid(found.lon, found.lat)
    np.testing.assert_allclose(found.elevation, 100 * (lon - 121) + 1000 * (lat - 24), rtol=0, atol=1.0)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("short.asc", "\n".join([*head("corner"), "1 2 3"]), ["values = 3", "1353"]),
        ("utm.asc", "ncols 2\nnrows 2\nxllcorner 270000\nyllcorner 2600000\ncellsize 500\n1 2\n3 4\n", ["gdalwarp", "-of netCDF"]),
        ("bad.asc", "ncols two\nnrows 2\n", ["ncols = two"]),
        ("scattered.xyz", "1 2 3\n1.1 2.2 3\n1.3 2.1 4\n", ["points = 3 at 3 longitudes", "gdal_grid"]),
        ("pairs.xyz", "1 2\n3 4\n", ["points = 4 numbers"]),
        ("words.xyz", "1 2 3\na b c\n", ["numbers alone"]),
        ("other.bin", "hello", ["GeoTIFF", ".xyz"]),
    ],
)  # fmt: skip
def test_what_is_no_relief_is_refused_with_what_helps(tmp_path, name, text, words):
    (tmp_path / name).write_text(text)
    with pytest.raises(Refusal) as refusal:
        read_grid(tmp_path / name, REGION)
    for word in [name, *words]:
        assert word in str(refusal.value)


def test_a_geotiff_without_a_place_is_refused_with_the_command_that_gives_it_one(tmp_path):
    pytest.importorskip("rasterio")
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = geotiff(tmp_path / "lost.tif", None, None, HEIGHT)
    with pytest.raises(
        Refusal, match="gdal_translate -of netCDF -a_srs EPSG:4326 -a_ullr .*lost.tif .*lost.nc"
    ):
        read_grid(path, REGION)


def test_projections_by_words():
    zone = Projection.from_words("here", "+proj=utm +zone=11 +datum=WGS84")
    np.testing.assert_allclose(
        zone.metres(-118.515, 34.344), (360653.5748747118, 3801338.571641304), rtol=0, atol=1e-6
    )
    np.testing.assert_allclose(
        zone.degrees(360653.5748747118, 3801338.571641304), (-118.515, 34.344), rtol=0, atol=1e-11
    )
    fiji = Projection.from_words("here", "EPSG:32701")  # about 177° W
    assert fiji.degrees(*fiji.metres(179.9, -17.0))[0] == pytest.approx(-180.1)
    for words in ("EPSG:4326", "EPSG:2229", "nothing"):
        with pytest.raises(Refusal, match="projection.proj"):
            Projection.from_words("here", words)
