"""What a run derives from its spectra is what the same spectra give by sums written here, in NumPy and from their formulas."""

import netCDF4
import numpy as np
import pytest
from launching import groundswell, refused, run, storm_case, write_case
from scipy.optimize import brentq

G, DENSITY = 9.80665, 1025.0
PRODUCTS = [
    *("hs_sea", "tm01_sea", "dir_sea", "hs_swell", "tm01_swell", "dir_swell"),
    *("ustokes", "vstokes", "ustokes_transport", "vstokes_transport", "mss", "uflux", "vflux"),
    *("sxx", "sxy", "syy", "ubot", "width", "qp", "hmax"),
]
BY_ROW = ["efth", "ef", "th1m", "sth1m", "stokes", "budgets"]
DEPTHS = [0.0, 2.0, 20.0, 500.0]
FORCE = ["sxx", "sxy", "syy", "uforce", "vforce"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, coast_mesh, wind_file):
    """Output of a run with everything that is derived from spectra."""
    folder = tmp_path_factory.mktemp("products")
    table = storm_case(coast_mesh, wind_file)
    spectra, series = table["output"]["points"]
    spectra.update({"at": series["at"], "spectra": BY_ROW, "depths": DEPTHS})
    series.update({"every": "1h", "fields": [*PRODUCTS, "phioc", "uforce"]})
    table["output"]["map"] = [
        {"file": "map.nc", "every": "1h", "fields": ["hs", "ustokes", "hs_swell"]},
        {"file": "force.nc", "every": "3h", "fields": FORCE},
    ]
    run(write_case(folder / "case.toml", table), "--output", folder / "output", ranks=2)
    return folder


@pytest.fixture(scope="module")
def told(folder):
    """[(products by name, spectrum)] of two points at several hours; spectra as they are in the file."""
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
    found["hmax"] = highest(spectrum["frequency"], row[: last + 1], width[: last + 1], m0, m2)
    for name, part in (("sea", sea), ("swell", 1.0 - sea)):
        found[f"hs_{name}"] = 4 * np.sqrt(total(one, 1.0, part))
        found[f"tm01_{name}"] = total(one, 1.0, part) / max(total(f, 1.0, part), 1e-300)
        towards = np.degrees(np.arctan2(total(one, east, part), total(one, north, part)))
        found[f"dir_{name}"] = (towards + 180.0) % 360.0
    return found


def highest(f, row, width, m0, m2):
    """Mean height of the highest wave of 20 minutes, the lowest correlation looked for among very many lags."""
    around = np.log(row[max(row.argmax() - 1, 0) : row.argmax() + 2].clip(1e-300))
    peak = f[row.argmax()]
    if len(around) == 3 and 0 < row.argmax() < len(f) - 1:
        a, b, c = np.exp(around)
        peak *= (f[1] / f[0]) ** (0.5 * (a - c) / (a - 2 * b + c))
    lags = np.linspace(0, 1 / peak, 20001)
    correlation = (row * width) @ np.cos(2 * np.pi * np.outer(f, lags)) / np.sum(row * width)
    mode = np.sqrt(2 * np.log(1200 * np.sqrt(m2 / m0)))
    return np.sqrt(2 * m0 * (1 - correlation.min())) * (mode + np.euler_gamma / mode)


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


def by_row(folder):
    """(file, axes, [(time, station)]) of the spectra, whose variables are read as they are."""
    file = netCDF4.Dataset(folder / "output/spectra.nc")
    file.set_auto_mask(False)
    axes = {name: file[name][:].astype(float) for name in ("frequency", "direction", "depth")}
    return file, axes, [(t, s) for t in range(len(file["time"])) for s in range(len(file["station"]))]


def widths(f):
    width = np.gradient(f)
    width[0], width[-1] = (f[1] - f[0]) / 2, (f[-1] - f[-2]) / 2
    return width


def test_each_frequency_has_its_energy_bearing_and_spread(folder):
    file, axes, places = by_row(folder)
    with file:
        bearing = np.radians(axes["direction"])
        for place in places:
            e = file["efth"][place].astype(float) * 2 * np.pi / len(bearing)
            east, north, whole = (np.sum(e * way, axis=1) for way in (np.sin(bearing), np.cos(bearing), 1.0))
            assert file["ef"][place] == pytest.approx(whole, rel=1e-5)
            away = file["th1m"][place] - np.degrees(np.arctan2(-east, -north))
            has = whole > 0.0
            assert np.abs((away[has] + 180.0) % 360.0 - 180.0).max() < 0.02
            r = np.minimum(np.hypot(east, north)[has] / whole[has], 1.0)
            assert file["sth1m"][place][has] == pytest.approx(np.degrees(np.sqrt(2 * (1 - r))), abs=0.02)
            assert np.all(file["sth1m"][place][~has] == np.float32(netCDF4.default_fillvals["f4"]))


def test_stokes_drift_at_depths_is_its_integral_and_nothing_below_the_bottom(folder):
    file, axes, places = by_row(folder)
    below = 0
    with file:
        f, bearing = axes["frequency"], np.radians(axes["direction"])
        edges = f[-1] * np.geomspace(1.0, 1e6, 20001)
        tail = np.sqrt(edges[1:] * edges[:-1])
        for place in places:
            depth = max(float(file["dpt"][place]), 2.0)
            e = file["efth"][place].astype(float) * 2 * np.pi / len(bearing)
            k = wave_numbers(2 * np.pi * f, depth)
            for d, z in enumerate(axes["depth"]):
                if z > depth:
                    fill = netCDF4.default_fillvals["f4"]
                    assert file["ustokes"][place][d] == file["vstokes"][place][d] == np.float32(fill)
                    below += 1
                    continue
                kd = np.minimum(k * depth, 300.0)
                shape = np.cosh(2 * kd * (1 - z / depth)) / np.sinh(kd) ** 2
                deep = 4 * np.pi * f * k * np.exp(-2 * k * z)
                weight = np.where(kd < 300.0, 2 * np.pi * f * k * shape, deep) * widths(f)
                sigma = 2 * np.pi * tail
                beyond = 2 * sigma**3 / G * np.exp(-2 * sigma**2 / G * z) * (f[-1] / tail) ** 5
                weight[-1] += np.sum(beyond * np.diff(edges))
                drift = [np.sum(weight[:, None] * e * way) for way in (np.sin(bearing), np.cos(bearing))]
                size = np.hypot(*drift)
                assert abs(file["ustokes"][place][d] - drift[0]) <= 1e-4 * size + 1e-9
                assert abs(file["vstokes"][place][d] - drift[1]) <= 1e-4 * size + 1e-9
    assert below > 0


def test_breaking_energy_is_what_the_budgets_lose_to_the_water(folder):
    """With the density of water that the terms are made for, 1000 kg m⁻³."""
    file, axes, places = by_row(folder)
    with file, netCDF4.Dataset(folder / "output/series.nc") as series:
        series.set_auto_mask(False)
        for place in places:
            lost = file["budget_whitecapping"][place] + file["budget_breaking"][place]
            energy = -1000.0 * G * np.sum(lost.astype(float) * widths(axes["frequency"]))
            assert series["phioc"][place] == pytest.approx(energy, rel=1e-4, abs=1e-6)
        assert series["phioc"][:].max() > 0.1


def test_force_is_the_divergence_of_the_stress(folder):
    """By NumPy's least squares in the plane that touches the sphere at each cell, frames turned as meridians meet."""
    with (
        netCDF4.Dataset(folder / "output/force.nc") as file,
        netCDF4.Dataset(folder / "output/series.nc") as points,
    ):
        file.set_auto_mask(False)
        lon, lat = (np.radians(file[f"mesh_face_{name}"][:]) for name in ("lon", "lat"))
        corners = file["mesh_face_nodes"][:]
        stress = [file[name][1].astype(float) for name in ("sxx", "sxy", "syy")]
        force = np.stack([file["uforce"][1], file["vforce"][1]], axis=1)
        at_point = points["uforce"][:, 0]
        cell = np.flatnonzero(file["mesh_cell"][:] == points["mesh_cell"][0])[0]
    assert at_point[-1] == force[cell, 0] != 0.0
    sides = {}
    for c, row in enumerate(corners):
        row = row[row >= 0]
        for a, b in zip(row, np.roll(row, -1), strict=True):
            sides.setdefault(frozenset((int(a), int(b))), []).append(c)
    beside = {c: [] for c in range(len(corners))}
    for pair in sides.values():
        if len(pair) == 2:
            beside[pair[0]].append(pair[1])
            beside[pair[1]].append(pair[0])
    checked = 0
    for c, others in beside.items():
        if len(others) < 4:
            continue
        span, middle = lon[others] - lon[c], (lat[others] + lat[c]) / 2
        x = 6371229.0 * np.cos(middle) * span
        y = 6371229.0 * (lat[others] - lat[c] + np.cos(lat[c]) * np.sin(lat[c]) * span**2 / 2)
        xx, xy, yy = (s[others] for s in stress)
        turned = ((xx - yy) / 2 + 1j * xy) * np.exp(2j * span * np.sin(middle))
        theirs = [(xx + yy) / 2 + turned.real, turned.imag, (xx + yy) / 2 - turned.real]
        weight = 1 / np.hypot(x, y)
        places = np.stack([x, y], axis=1) * weight[:, None]
        slopes = [
            np.linalg.lstsq(places, (t - s[c]) * weight, rcond=None)[0]
            for t, s in zip(theirs, stress, strict=True)
        ]
        wanted = -np.array([slopes[0][0] + slopes[1][1], slopes[1][0] + slopes[2][1]])
        size = sum(np.abs(s[others] - s[c]).max() for s in stress) * weight.max()
        assert force[c] == pytest.approx(wanted, abs=0.01 * size), c
        checked += size > 1e-4
    assert checked > 50


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["0.spectra=['stokes']"], "and depths for it, or neither"),
        (["0.depths=[1.0]"], "and depths for it, or neither"),
        (["0.spectra=['stokes']", "0.depths=[5.0, 5.0]"], "each more than the one before it"),
        (["1.spectra=['ef']"], "series and spectra are files of their own"),
        (["0.spectra=['budgets']", "physics.package='none'"], "there are no source terms"),
    ],
)
def test_what_a_file_of_spectra_cannot_hold_is_refused(tmp_path, tiny_mesh, wind_file, settings, words):
    case = write_case(tmp_path / "case.toml", storm_case(tiny_mesh, wind_file))
    keys = [s if s.startswith("physics") else f"output.points.{s}" for s in settings]
    given = [word for key in keys for word in ("--set", key)]
    assert words in refused(groundswell("run", case, "--check", "--output", tmp_path / "o", *given))
