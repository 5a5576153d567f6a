"""What a run derives from its spectra is what the same spectra give by sums written here, in NumPy and from their formulas."""

import netCDF4
import numpy as np
import pytest
from launching import run, storm_case, write_case
from scipy.optimize import brentq

G, DENSITY = 9.80665, 1025.0
PRODUCTS = [
    *("hs_sea", "tm01_sea", "dir_sea", "hs_swell", "tm01_swell", "dir_swell"),
    *("ustokes", "vstokes", "ustokes_transport", "vstokes_transport", "mss", "uflux", "vflux"),
    *("sxx", "sxy", "syy", "ubot", "width", "qp"),
]


@pytest.fixture(scope="module")
def told(tmp_path_factory, coast_mesh, wind_file):
    """[(products by name, spectrum)] of two points at several hours; spectra as they are in the file."""
    folder = tmp_path_factory.mktemp("products")
    table = storm_case(coast_mesh, wind_file)
    spectra, series = table["output"]["points"]
    spectra["at"] = series["at"]
    series.update({"every": "1h", "fields": PRODUCTS})
    table["output"]["map"] = [{"file": "map.nc", "every": "1h", "fields": ["hs", "ustokes", "hs_swell"]}]
    run(write_case(folder / "case.toml", table), "--output", folder / "output", ranks=2)
    found = []
    with (
        netCDF4.Dataset(folder / "output/spectra.nc") as file,
        netCDF4.Dataset(folder / "output/series.nc") as out,
    ):
        axes = {name: file[name][:].filled().astype(float) for name in ("frequency", "direction")}
        for time in range(len(file["time"])):
            for station in range(2):
                place = {name: float(file[name][time, station]) for name in ("dpt", "wnd", "wnddir")}
                density = file["efth"][time, station].filled().astype(float)
                found.append(
                    ({name: out[name][time, station] for name in PRODUCTS}, axes | place | {"e": density})
                )
    return found


def wave_numbers(sigma, depth):
    return np.array(
        [
            brentq(lambda k, s=s: G * k * np.tanh(k * depth) - s * s, 1e-9, 10.0 + s * s, xtol=1e-16)
            for s in sigma
        ]
    )


def expected(spectrum):
    """The products of an array of densities by frequency and bearing waves go to, with the tail f⁻⁵ as further rows."""
    f, depth = spectrum["frequency"], max(spectrum["dpt"], 2.0)
    width = np.gradient(f)
    width[0], width[-1] = (f[1] - f[0]) / 2, (f[-1] - f[-2]) / 2
    # The tail, resolved by many narrow rows from the last frequency on: as far as it matters, in deep water.
    edges = f[-1] * np.geomspace(1.0, 1e6, 20001)
    tail = np.sqrt(edges[1:] * edges[:-1])
    e = np.concatenate([spectrum["e"], spectrum["e"][-1:] * (f[-1] / tail[:, None]) ** 5])
    of_tail = np.arange(len(e)) >= len(f)
    f, width = np.concatenate([f, tail]), np.concatenate([width, np.diff(edges)])
    sigma = 2 * np.pi * f
    k = np.where(of_tail, sigma**2 / G, 0.0)
    k[~of_tail] = wave_numbers(sigma[~of_tail], depth)
    kd = np.minimum(k * depth, 300.0)
    n = np.where(of_tail, 0.5, 0.5 + kd / np.sinh(2 * kd))
    deep = np.where(of_tail, 2.0, np.cosh(2 * kd) / np.sinh(kd) ** 2)
    bearing = np.radians(spectrum["direction"])
    east, north = np.sin(bearing), np.cos(bearing)
    step = 2 * np.pi / len(bearing)

    def total(weight, way=1.0, part=1.0):
        return float(np.sum(e * part * way * (weight * width)[:, None]) * step)

    blowing = np.radians(spectrum["wnddir"] + 180.0)
    along = 1.7 * spectrum["wnd"] * np.cos(bearing - blowing)
    last = len(spectrum["frequency"]) - 1
    speed = np.where(of_tail, sigma[last] / k[last], sigma / k)  # the tail belongs to what the last row is
    sea = (speed[:, None] <= along[None, :]).astype(float)
    one, rho = np.ones(len(f)), DENSITY * G
    m0, m1, m2 = total(one), total(f), total(f**2)
    row = e.sum(axis=1) * step
    found = {
        "ustokes": total(sigma * k * deep, east),
        "vstokes": total(sigma * k * deep, north),
        "ustokes_transport": total(G * k / sigma, east),
        "vstokes_transport": total(G * k / sigma, north),
        "mss": total(np.where(of_tail, 0.0, k**2)),
        "uflux": rho * total(n * sigma / k, east),
        "vflux": rho * total(n * sigma / k, north),
        "sxx": rho * (total(n, east**2) + total(n - 0.5)),
        "sxy": rho * total(n, east * north),
        "syy": rho * (total(n, north**2) + total(n - 0.5)),
        "ubot": np.sqrt(total(np.where(of_tail, 0.0, sigma**2 / np.sinh(kd) ** 2))),
        "width": np.sqrt(m0 * m2 / m1**2 - 1),
        "qp": 2 * np.sum(f * row**2 * width) / m0**2,
    }
    for name, part in (("sea", sea), ("swell", 1.0 - sea)):
        found[f"hs_{name}"] = 4 * np.sqrt(total(one, 1.0, part))
        found[f"tm01_{name}"] = total(one, 1.0, part) / max(total(f, 1.0, part), 1e-300)
        towards = np.degrees(np.arctan2(total(one, east, part), total(one, north, part)))
        found[f"dir_{name}"] = (towards + 180.0) % 360.0
    return found


def test_every_product_is_its_integral(told):
    """To 1e-4 of the largest of its kind; parts with less than a millimetre of waves have no period."""
    compared = 0
    for products, spectrum in told:
        wanted = expected(spectrum)
        for name, value in products.items():
            part = name.rpartition("_")[2]
            if name.startswith(("tm01", "dir")) and wanted[f"hs_{part}"] < 1e-3:
                continue
            pair = {"u": "v", "v": "u"}.get(name[0])
            size = max(abs(wanted[name]), abs(wanted.get(f"{pair}{name[1:]}", 0.0)))
            size = max(size, wanted["sxx"], wanted["syy"]) if name in ("sxx", "sxy", "syy") else size
            away = float(value) - wanted[name]
            if name.startswith("dir"):
                assert abs((away + 180.0) % 360.0 - 180.0) < 0.02, (name, value, wanted[name])
            else:
                assert abs(away) <= 1e-4 * size + 1e-9, (name, value, wanted[name])
            compared += 1
    assert compared > 100
    heights = np.array([[products["hs_sea"], products["hs_swell"]] for products, _ in told])
    assert heights[:, 0].max() > 1.0 and heights[:, 1].max() > 0.1  # both kinds were looked at


def test_wind_sea_and_swell_make_up_the_height(told):
    for products, spectrum in told:
        step = 2 * np.pi / len(spectrum["direction"])
        f = spectrum["frequency"]
        width = np.gradient(f)
        width[0], width[-1] = (f[1] - f[0]) / 2, (f[-1] - f[-2]) / 2
        row = spectrum["e"].sum(axis=1) * step
        whole = 16 * (np.sum(row * width) + row[-1] * f[-1] / 4)
        assert products["hs_sea"] ** 2 + products["hs_swell"] ** 2 == pytest.approx(whole, rel=1e-5)
