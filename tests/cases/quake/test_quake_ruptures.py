"""Ruptures of files and planes: moment and place as the file has them, the waves of a point, the same bits on any ranks; refusals."""

import json
import math

import netCDF4
import numpy as np
import pyproj
import pytest
from launching import assert_same, groundswell, refused, run, write_case

ORIGIN = (12.0, 42.0)  # longitude and latitude at x = 0, y = 0
MU = {1: 2600 * 1500.0**2, 2: 2700 * 2000.0**2}  # Pa: version 1 takes the rock's
RECEIVERS = ("receivers.nc",)


def case_of(**source):
    return {
        "model": "quake",
        "time": {"end": "0.4s"},
        "mesh": {"box": {"cubes": [5, 4, 4], "length": [2000, 1900, 2100], "jitter": 0.1}},
        "projection": {"longitude": ORIGIN[0], "latitude": ORIGIN[1]},
        "solver": {"order": 3},
        "material": {"rock": [{"density": 2600, "vp": 2600, "vs": 1500}]},
        "source": source,
        "output": {
            "receivers": [
                {"file": "receivers.nc", "every": "10ms", "at": [[300, 100, 0], [-400, -300, -900]]}
            ]
        },
    }


def point_lines(version, longitude, latitude, depth, angles, begin, rates, interval=0.02, area=1e8):
    """A point of the Standard Rupture Format; `angles`: strike, dip, rake; depth in km, area in cm², rates in cm/s."""
    strike, dip, rake = angles
    rock = " 2.0e5 2.7" if version == 2 else ""
    slip = interval * sum(rates)
    return (
        f"{longitude:.9f} {latitude:.9f} {depth:.6f} {strike} {dip} {area:.9e} {begin:.6f} {interval}{rock}\n"
        f"{rake} {slip:.9e} {len(rates)} 0.0 0 0.0 0\n" + " ".join(f"{rate:.9e}" for rate in rates) + "\n"
    )


def random_points(version, count):
    """Lines of so many points within the box, and what they must come to: moment and centroid, in Nm, m and s."""
    generator = np.random.default_rng(1)
    project = pyproj.Proj(f"+proj=tmerc +lon_0={ORIGIN[0]} +lat_0={ORIGIN[1]} +k=1 +ellps=WGS84")
    text, moments, places = "", [], []
    for _ in range(count):
        longitude = round(ORIGIN[0] + generator.uniform(-0.01, 0.01), 9)
        latitude = round(ORIGIN[1] + generator.uniform(-0.008, 0.008), 9)
        depth = round(generator.uniform(0.1, 2.0), 6)
        rates = [float(f"{rate:.9e}") for rate in generator.uniform(0, 100, generator.integers(1, 12))]
        area = float(f"{generator.uniform(1e8, 4e8):.9e}")
        begin = round(generator.uniform(0.05, 0.3), 6)
        angles = generator.uniform(0, 90, 3).round(2)
        text += point_lines(version, longitude, latitude, depth, angles, begin, rates, area=area)
        moments.append(MU[version] * 1e-4 * area * 0.01 * 0.02 * sum(rates))
        time = begin + 0.02 * np.average(np.arange(len(rates)), weights=rates)
        places.append([*project(longitude, latitude), -1000 * depth, time])
    return text, sum(moments), np.average(places, axis=0, weights=moments)


def write_srf(path, version, points, count, head=""):
    path.write_text(f"{version}.0\n{head}POINTS {count}\n{points}")


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("ranks", [0, 3])
def test_moment_and_centroid_are_those_of_the_file(tmp_path, version, ranks):
    points, moment, centroid = random_points(version, 300)
    write_srf(tmp_path / "rupture.srf", version, points, 300, "# of no importance\n")
    case = write_case(tmp_path / "case.toml", case_of(rupture=[{"file": "rupture.srf"}]))
    outcome = groundswell("run", case, "--check", "--json", tmp_path / "report.json", ranks=ranks)
    assert outcome.code == 0, outcome.stderr
    result = json.loads((tmp_path / "report.json").read_text())["result"]
    assert result["seismic_moment"] == pytest.approx(moment, rel=1e-6)
    assert result["magnitude"] == pytest.approx(2 / 3 * (math.log10(moment) - 9.05), abs=1e-6)
    told = result["sources"]
    assert told["count"] == 300
    for axis, value in zip(("x", "y", "z", "seconds"), centroid, strict=True):
        assert told["centroid"][axis] == pytest.approx(value, rel=1e-6, abs=1e-4), axis
    assert "source.rupture 1: 300 sub-sources" in outcome.stderr
    assert f"magnitude {result['magnitude']:.2f}" in outcome.stderr


def seismograms(folder, source, **launch):
    case = write_case(folder / "case.toml", case_of(**source))
    run(case, **launch)
    with netCDF4.Dataset(folder / "output/receivers.nc") as file:
        return np.array([file[name][:] for name in ("vx", "vy", "vz")])


RATES = [0, 2000, 9000, 4000, 1000, 0]  # cm/s, 0.02 s apart


@pytest.fixture(scope="module")
def of_a_point(tmp_path_factory):
    """What a [[source.point]] of 1e15 N m gives."""
    folder = tmp_path_factory.mktemp("point")
    rows = "".join(f"{0.05 + 0.02 * i} {rate / (0.02 * sum(RATES))}\n" for i, rate in enumerate(RATES))
    (folder / "rate.txt").write_text(rows)
    point = {"place": [0, 0, -600], "strike": 30, "dip": 60, "rake": 40, "scalar_moment": 1e15}
    return seismograms(folder, {"point": [{**point, "time_function": "samples", "samples": "rate.txt"}]})


@pytest.mark.parametrize("version", [1, 2])
def test_one_point_of_a_file_moves_the_ground_as_a_point(tmp_path, of_a_point, version):
    area = 1e15 / (MU[version] * 0.01 * 0.02 * sum(RATES)) * 1e4
    write_srf(
        tmp_path / "point.srf",
        version,
        point_lines(version, *ORIGIN, 0.6, (30, 60, 40), 0.05, RATES, area=area),
        1,
    )
    found = seismograms(tmp_path, {"rupture": [{"file": "point.srf"}]}, ranks=2)
    assert np.abs(of_a_point).max() > 1e-3
    np.testing.assert_allclose(found, of_a_point, rtol=0, atol=1e-6 * np.abs(of_a_point).max())


def test_a_point_of_seissol_moves_the_ground_as_a_point(tmp_path, of_a_point):
    """The tensor of strike 30, dip 60 and rake 40, turned round: in the axes of the mesh, all angles 0, and half the area twice."""
    s, d, r = np.radians([30, 60, 40])
    normal = np.array([np.cos(s) * np.sin(d), -np.sin(s) * np.sin(d), np.cos(d)])
    along, up = [np.sin(s), np.cos(s), 0], [-np.cos(s) * np.cos(d), np.sin(s) * np.cos(d), np.sin(d)]
    slip = np.cos(r) * np.array(along) + np.sin(r) * np.array(up)
    tensor = -1e15 * (np.outer(slip, normal) + np.outer(normal, slip))
    rates = [rate / (0.02 * sum(RATES)) for rate in RATES]
    rows = "\n".join(" ".join(map(repr, map(float, row))) for row in tensor)
    samples = "\n".join(map(repr, 2 * rates))
    (tmp_path / "point.dat").write_text(
        f"Seismic Moment Tensor\n{rows}\nNumber of subfaults\n2\nx y z strike dip rake area Onset time\n"
        "0 0 -600 0 0 0 0.5 0.05\n0 0 -600 0 0 0 0.5 0.05\n"
        f"source time function\n0.02 {len(rates)}\nsamples\n{samples}\n"
    )
    found = seismograms(tmp_path, {"rupture": [{"file": "point.dat"}]})
    np.testing.assert_allclose(found, of_a_point, rtol=0, atol=1e-6 * np.abs(of_a_point).max())


def test_depths_from_the_surface_are_lower_where_it_is(tmp_path, of_a_point):
    area = 1e15 / (MU[1] * 0.01 * 0.02 * sum(RATES)) * 1e4
    write_srf(tmp_path / "p.srf", 1, point_lines(1, *ORIGIN, 0.6, (30, 60, 40), 0.05, RATES, area=area), 1)
    table = case_of(rupture=[{"file": "p.srf", "depth_from": "surface"}])
    table["mesh"]["box"]["origin"] = [-1000, -950, -1600]  # the top at 500 m
    case = write_case(tmp_path / "case.toml", table)
    outcome = groundswell("run", case, "--check", "--json", tmp_path / "r.json", ranks=2)
    assert outcome.code == 0, outcome.stderr
    told = json.loads((tmp_path / "r.json").read_text())["result"]["sources"]
    assert told["centroid"]["z"] == pytest.approx(-100, abs=1e-6)


def test_a_rupture_has_the_same_bits_on_any_ranks_and_threads(tmp_path):
    """300 points, many of them in one element, a plane, a circle, with a restart in the middle."""
    points, *_ = random_points(1, 300)
    write_srf(tmp_path / "rupture.srf", 1, points, 300)
    plane = {"place": [0, 0, -900], "strike": 20, "dip": 70, "rake": 10, "spacing": 60}
    plane |= {"rupture_speed": 1200, "rise_time": 0.1}
    source = {
        "rupture": [{"file": "rupture.srf"}],
        "plane": [
            {**plane, "kind": "haskell", "length": 800, "width": 300, "slip": 0.1, "rise": "brune"},
            {**plane, "kind": "circular", "radius": 300, "stress_drop": 3e6, "rise": "triangle"},
        ],
    }
    table = case_of(**source)
    table["output"]["restart"] = {"every": "0.15s", "keep": 0}
    table["material"]["rock"] = [{"layers": [[0, 2000, 1000, 400], [-700, 2600, 2600, 1500]]}]
    case = write_case(tmp_path / "case.toml", table)
    run(case)
    reference = tmp_path / "output"
    restarts = sorted(path.name for path in reference.glob("restart_*.nc"))
    assert len(restarts) == 2
    for name, launch, sets in (
        ("ranks", {"ranks": 3}, []),
        ("threads", {"ranks": 2}, ["--set", "run.threads=2"]),
    ):
        run(case, "--output", tmp_path / name, *sets, **launch)
        assert_same(tmp_path / name, reference, (*RECEIVERS, *restarts))
    run(case, "--output", tmp_path / "again", "--set", "time.end=0.2s")
    run(case, "--output", tmp_path / "again", "--restart", tmp_path / "again" / restarts[0], ranks=2)
    assert_same(tmp_path / "again", reference, RECEIVERS)


POINT = point_lines(1, *ORIGIN, 0.6, (30, 60, 40), 0.05, RATES)
FAR = point_lines(1, ORIGIN[0], ORIGIN[1] + 0.1, 0.6, (30, 60, 40), 0.05, RATES)
FARTHER = point_lines(1, ORIGIN[0], ORIGIN[1] + 0.2, 0.6, (30, 60, 40), 0.05, RATES)


@pytest.mark.parametrize(
    "text, words",
    [
        ("", ["1.0 or 2.0, the version"]),
        ("3.0\nPOINTS 1\n", [":1: 3.0", "1.0 or 2.0, the version"]),
        ("one\nPOINTS 1\n", [":1: one", "1.0 or 2.0, the version"]),
        ("1.0\nPLANES 1\n", [":2: PLANES 1", "POINTS and the number"]),
        ("1.0\nPOINTS 0\n", [":2: POINTS 0", "POINTS and the number"]),
        ("1.0\nPOINTS 1.5\n" + POINT, [":2", "POINTS and the number"]),
        ("1.0\nPOINTS 2\n" + POINT, [":5: the end of the file", "line 1 of point 2 of 2"]),
        ("1.0\nPOINTS 1\n" + POINT + POINT, [":6: 12.0", "more points than the last POINTS says"]),
        ("1.0\nPOINTS 1\n" + POINT.replace(" 0.02\n", "\n"), [":3", "AREA TINIT DT, 8 numbers"]),
        ("2.0\nPOINTS 1\n" + POINT, [":3", "VS DEN, 10 numbers"]),
        ("1.0\nPLANE 1\n12 42 2 2 1 1\n30 60 0 0 0\nPOINTS 1\n" + POINT, [":2", "as many as there are, 1"]),
        ("1.0\nPLANE 1\n12 42 2 2 1\n", [":3", "line 1 of segment 1 of 1", "6 numbers"]),
        ("1.0\nPOINTS 1\n" + POINT.replace(" 0.02\n", " -0.02\n"), [":3: DT = -0.02 s", "above 0"]),
        ("1.0\nPOINTS 1\n" + POINT.replace(" 0.050000 ", " -0.050000 "), [":3: TINIT = -0.05 s", "delay"]),
        ("1.0\nPOINTS 1\n" + POINT.replace("9.000000000e+03", "nan"), [":5", "slip rates of point 1 of 1"]),
        ("1.0\nPOINTS 1\n" + POINT[:-17], [":5: the end of the file", "6 numbers, of which 5 are there"]),
        ("1.0\nPOINTS 1\n" + POINT.rstrip() + " 7 8\n", [":5", "here are 2 more"]),
        ("1.0\nPOINTS 1\n" + POINT.replace(" 6 0.0", " 6.5 0.0"), [":4", "a whole number from 0 to 1e9"]),
        ("1.0\nPOINTS 1\n" + POINT.replace("30 60", "30 100"), [":3", "a dip (the 5th number)"]),
        ("1.0\nPOINTS 1\n12 42 1 0 0 1e8 0 0.1\n0 5 0 0 0 0 0\n", ["no slip rate other than 0"]),
        (
            "1.0\nPOINTS 3\n" + POINT + FAR + FARTHER,
            [
                "rupture.srf:6: source.rupture 1 = [",
                "nearest corner is 1.016e+04 m away",
                "2 of 3 sub-sources lie outside",
                "farthest 2.127e+04 m from a corner",
                "rupture.srf:9",
            ],
        ),
    ],
)
def test_files_that_are_no_ruptures_are_refused(tmp_path, text, words):
    (tmp_path / "rupture.srf").write_text(text)
    case = write_case(tmp_path / "case.toml", case_of(rupture=[{"file": "rupture.srf"}]))
    refused(groundswell("run", case, "--check", ranks=2), "rupture.srf", *words)


FSRM = (
    "tensor\n0 0 1e15\n0 0 0\n1e15 0 0\nnumber\n1\npoints\n0 0 -600 0 0 0 1 0.1\nf\n0.1 3\nsamples\n0\n1\n0\n"
)


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("1e15 0 0\nnumber", "2e15 0 0\nnumber", [":4", "symmetric"]),
        ("number\n1", "pressure\n1", [":5: pressure", "not known here"]),
        ("number\n1", "number\n2", [":9: f", "point 2 of 2"]),
        ("0.1 3", "-0.1 3", [":10", "an interval above 0"]),
        (
            "0.1 3",
            "0.1 4",
            [":14: the end of the file", "4 samples of each of 1 points; of point 1 there are 3"],
        ),
        ("0.1 3", "0.1 2", [":14", "no more than 2 samples"]),
        ("1 0.1\n", "1 -0.1\n", [":8: onset = -0.1 s", "delay"]),
        ("1 0.1\n", "1 0.1 7\n", [":8", "8 numbers"]),
    ],
)
def test_files_of_seissol_that_are_not_sound_are_refused(tmp_path, old, new, words):
    assert old in FSRM
    (tmp_path / "point.dat").write_text(FSRM.replace(old, new))
    case = write_case(tmp_path / "case.toml", case_of(rupture=[{"file": "point.dat"}]))
    refused(groundswell("run", case, "--check", ranks=2), "point.dat", *words)


def test_degrees_need_a_projection(tmp_path):
    (tmp_path / "rupture.srf").write_text("1.0\nPOINTS 1\n" + POINT)
    table = case_of(rupture=[{"file": "rupture.srf"}])
    del table["projection"]
    case = write_case(tmp_path / "case.toml", table)
    refused(groundswell("run", case, "--check", ranks=2), "source.rupture 1.file", "[projection]")


def test_slip_that_rates_do_not_add_up_to_is_told(tmp_path):
    slip = f"{0.02 * sum(RATES):.9e}"
    text = "1.0\nPOINTS 2\n" + POINT + POINT.replace(slip, f"{0.04 * sum(RATES):.9e}")
    (tmp_path / "rupture.srf").write_text(text)
    case = write_case(tmp_path / "case.toml", case_of(rupture=[{"file": "rupture.srf"}]))
    outcome = groundswell("run", case, "--check", ranks=2)
    assert outcome.code == 0
    (told,) = [line for line in outcome.stderr.splitlines() if "add up" in line]
    for word in ("1 of 2 points", "in line 6, to 320 cm for 640 cm", "66.67 %"):
        assert word in told, told


PLANE = {
    "kind": "haskell",
    "place": [0, 0, -900],
    "strike": 20,
    "dip": 70,
    "rake": 10,
    "length": 600,
    "width": 300,
    "spacing": 50,
    "rupture_speed": 1000,
    "rise_time": 0.5,
    "slip": 0.1,
}


@pytest.mark.parametrize(
    "change, words",
    [
        ({"scalar_moment": 1e15}, ["exactly one of the keys slip and scalar_moment"]),
        ({"slip": None}, ["exactly one of the keys slip and scalar_moment"]),
        ({"hypocentre": [301, 0]}, ["hypocentre = [301", "a place on the plane"]),
        ({"spacing": 1e-2}, ["spacing = 0.01", "10000000 sub-sources"]),
        ({"kind": "circular", "length": None, "width": None}, ["radius"]),
        ({"width": 3000}, ["source.plane 1 = [", "sub-sources lie outside"]),
        ({"rise_time": 0}, ["rise_time = 0"]),
    ],
)
def test_planes_that_make_no_sense_are_refused(tmp_path, change, words):
    plane = {key: value for key, value in {**PLANE, **change}.items() if value is not None}
    case = write_case(tmp_path / "case.toml", case_of(plane=[plane]))
    refused(groundswell("run", case, "--check", ranks=2), *words)


def test_what_a_plane_comes_to_is_told(tmp_path):
    case = write_case(
        tmp_path / "case.toml", case_of(plane=[{**PLANE, "hypocentre": [-300, 0], "onset": 0.1}])
    )
    outcome = groundswell("run", case, "--check", "--json", tmp_path / "r.json")
    assert outcome.code == 0, outcome.stderr
    result = json.loads((tmp_path / "r.json").read_text())["result"]
    assert result["seismic_moment"] == pytest.approx(MU[1] * 0.1 * 600 * 300, rel=1e-12)
    (plane,) = result["sources"]["ruptures"]
    assert plane["sub_sources"] == 72
    # The middle of the first cell lies 25 m from the hypocentre's side and from its row; the last ones 575 m and 125 m.
    assert plane["begin_seconds"] == pytest.approx(0.1 + math.hypot(25, 25) / 1000, rel=1e-9)
    assert plane["end_seconds"] == pytest.approx(0.1 + math.hypot(575, 125) / 1000 + 0.5, rel=1e-9)


@pytest.mark.parametrize("rise_time, warned", [(0.12, False), (0.08, True)])
def test_sub_sources_that_are_too_far_apart_are_told(tmp_path, rise_time, warned):
    """Cells of 50 m, which the front crosses in 0.05 s."""
    plane = {**PLANE, "rise_time": rise_time}
    case = write_case(tmp_path / "case.toml", case_of(plane=[plane]))
    outcome = groundswell("run", case, "--check", ranks=2)
    assert outcome.code == 0, outcome.stderr
    told = [line for line in outcome.stderr.splitlines() if "one by one" in line]
    assert len(told) == warned
    if warned:
        assert "source.plane 1: the front takes 0.05 s" in told[0] and "spacing of 16 m" in told[0]


def test_explain_tells_what_ruptures_are_without_a_mesh(tmp_path):
    points, moment, _ = random_points(2, 40)
    write_srf(tmp_path / "two.srf", 2, points, 40)
    (tmp_path / "one.srf").write_text("1.0\nPOINTS 1\n" + POINT)
    files = [{"file": "two.srf"}, {"file": "one.srf", "depth_from": "surface"}]
    case = write_case(tmp_path / "case.toml", case_of(rupture=files, plane=[{**PLANE, "slip": 1}]))
    outcome = groundswell("run", case, "--explain", "--json", tmp_path / "r.json", ranks=2)
    assert outcome.code == 0, outcome.stderr
    two, one, plane = json.loads((tmp_path / "r.json").read_text())["result"]["input"]
    for line in (two, one, plane):
        assert line in outcome.stdout
    magnitude = 2 / 3 * (math.log10(moment) - 9.05)
    assert two.startswith("source.rupture 1: 40 sub-sources, x ")
    assert two.endswith(f"moment {moment:.4g} N m, magnitude {magnitude:.2f}")
    assert "z -600 to -600 m from the free surface, from 0.05 to 0.15 s" in one
    assert "by the rock there" in one and f"{3e10 * 1e4 * 0.01 * 0.02 * sum(RATES):.4g} N m" in one
    assert f"30 GPa {3e10 * 600 * 300:.4g} N m" in plane


def test_explain_refuses_ruptures_that_are_not_sound(tmp_path):
    (tmp_path / "rupture.srf").write_text("1.0\nPOINTS 2\n" + POINT)
    case = write_case(tmp_path / "case.toml", case_of(rupture=[{"file": "rupture.srf"}]))
    refused(groundswell("run", case, "--explain", ranks=2), "rupture.srf:5", "line 1 of point 2 of 2")
