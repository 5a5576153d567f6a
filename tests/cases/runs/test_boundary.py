"""Runs with waves from outside: what comes in over open faces, from numbers, from files of spectra, from another run."""

import shutil

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, moment, refused, run, write_case

EARTH = 6371229.0
SPECTRUM = {"directions": 36, "frequencies": 4, "first_frequency": 0.06, "ratio": 1.15}
SEA = {"hs": 2.0, "tp": 13.0, "direction": 240.0, "spread": 25.0}


def sea_case(mesh, boundary, hours=24, scheme="second-order", **more):
    """Propagation alone into a calm sea."""
    return {
        "title": "swell from outside",
        "time": {"start": moment(0), "end": moment(hours), "source_step": "1h"},
        "mesh": {"file": mesh},
        "spectrum": SPECTRUM,
        "initial": {"state": "calm"},
        "physics": {"package": "none"},
        "propagation": {"scheme": scheme},
        "boundary": boundary,
        "output": {"map": [{"file": "sea.nc", "every": "2h", "fields": ["hs", "dir", "tm01"]}]},
        **more,
    }


@pytest.fixture(scope="module")
def ocean(make_mesh):
    """2000 by 2000 km around 50° N, cells of 70 km, all four sides open."""
    return make_mesh(
        "ocean", "--depth", "5000", "--region=-14,14,41,59", "--spacing", "70", "--iterations", "30"
    )


@pytest.fixture(scope="module")
def bay(make_mesh):
    """Some 200 cells at the equator, 4 to 12 km apart."""
    return make_mesh("bay", "--depth", "200", "--region=0,1,0,1", "--spacing", "6", "--iterations", "20")


def record(path, name, index=-1):
    with netCDF4.Dataset(path) as data:
        return np.asarray(data[name][index])


def places(path):
    with netCDF4.Dataset(path) as data:
        return np.radians(data["mesh_face_lon"][:]), np.radians(data["mesh_face_lat"][:])


def xyz(lon, lat):
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], -1)


def bearings_at_the_rim(lon, lat, to, region):
    """Where waves that pass (lon, lat) going to `to` (rad, clockwise from north) went to as they came in: back along their great
    circles in steps of 5 km, until they are outside the region."""
    west, east, south, north = np.radians(region)
    point = xyz(lon, lat)
    eastward = np.array([-np.sin(lon), np.cos(lon), 0.0])
    tangent = np.sin(to)[:, None] * eastward + np.cos(to)[:, None] * np.cross(point, eastward)
    s = -np.arange(0.0, 4e6, 5e3)[:, None, None] / EARTH
    here, way = np.cos(s) * point + np.sin(s) * tangent, np.cos(s) * tangent - np.sin(s) * point
    x, y = np.arctan2(here[..., 1], here[..., 0]), np.arcsin(here[..., 2])
    outside = (x < west) | (x > east) | (y < south) | (y > north)
    assert outside.any(axis=0).all()
    first = outside.argmax(axis=0), np.arange(len(to))
    x, here, way = x[first], here[first], way[first]
    eastward = np.stack([-np.sin(x), np.cos(x), np.zeros(len(to))], -1)
    return np.arctan2((way * eastward).sum(-1), (way * np.cross(here, eastward)).sum(-1))


@pytest.mark.parametrize("scheme", ["second-order", "upwind"])
def test_a_steady_sea_inside_is_the_one_outside_traced_back_along_great_circles(ocean, tmp_path, scheme):
    """E(f, θ) is kept along rays over deep water, and bearings turn along great circles: inside, cos²ˢ of the bearing at the rim."""
    case = sea_case(ocean, [SEA], hours=96, scheme=scheme)
    run(write_case(tmp_path / "case.toml", case))
    path = tmp_path / "output/sea.nc"
    before, hs, direction = record(path, "hs", -2), record(path, "hs"), record(path, "dir")
    lon, lat = places(path)
    region = (-14.0, 14.0, 41.0, 59.0)
    to = np.radians(np.arange(0.0, 360.0, 2.0))
    exponent = 2 * (2 / np.radians(SEA["spread"]) ** 2 - 1)
    outside = lambda bearing: np.abs(np.cos(0.5 * (bearing - np.radians(SEA["direction"] + 180)))) ** exponent  # noqa: E731
    inside = 0
    for cell in np.nonzero(
        (np.abs(lon) < np.radians(6.5)) & (np.abs(lat - np.radians(50)) < np.radians(4.4))
    )[0]:
        traced = outside(bearings_at_the_rim(lon[cell], lat[cell], to, region))
        wanted = SEA["hs"] * np.sqrt(traced.sum() / outside(to).sum())
        mean = np.degrees(np.arctan2((traced * np.sin(to)).sum(), (traced * np.cos(to)).sum())) + 180
        assert hs[cell] == pytest.approx(wanted, rel=0.01)
        assert abs((direction[cell] - mean + 180) % 360 - 180) < 2
        assert hs[cell] == pytest.approx(before[cell], abs=1e-3)  # it is steady
        inside += 1
    assert inside > 50


def test_bits_are_the_same_on_ranks_in_clusters_and_after_a_restart(coast_mesh, tmp_path):
    """Swell that changes with time and turns, over depths, coasts and cells that step at rates of their own."""
    series = tmp_path / "swell.csv"
    series.write_text(
        "time,hs,tp,dir,spread\n2024-09-06T00:00:00Z,3,12,80,20\n2024-09-06T05:00:00Z,5,14,350,30\n2024-09-07T00:00:00Z,1,9,300,30\n"
    )
    case = sea_case(coast_mesh, [{"series": series}, {**SEA, "region": [105.0, 119.0, 11.0, 14.0]}], hours=4)
    case["time"]["source_step"] = "30min"
    case["output"]["restart"] = {"every": "2h", "keep": 0}
    for rate in (1, 2):
        case["propagation"]["cluster_rate"] = rate
        folder = tmp_path / str(rate)
        path = write_case(tmp_path / f"case{rate}.toml", case)
        run(path, "--output", folder / "one")
        assert record(folder / "one/sea.nc", "hs").max() > 2
        run(
            path,
            "--output",
            folder / "three",
            "--set",
            "run.threads=2",
            "--set",
            "mesh.partition=scattered",
            ranks=3,
        )
        assert_same(folder / "three", folder / "one", ["sea.nc"])
        shutil.copytree(folder / "one", folder / "again")
        run(
            path,
            "--output",
            folder / "again",
            "--restart",
            folder / "one/restart_20240906T020000.nc",
            ranks=2,
        )
        assert_same(folder / "again", folder / "one", ["sea.nc"])


def test_numbers_in_time_are_those_of_the_case_where_they_do_not_change(bay, tmp_path):
    with netCDF4.Dataset(tmp_path / "series.nc", "w") as data:
        data.createDimension("time", 2)
        for name, values in {
            "time": (0, 24),
            "hs": (2, 2),
            "tp": (13, 13),
            "dir": (240, 240),
            "spread": (25, 25),
        }.items():
            data.createVariable(name, "f8", ("time",))[:] = values
        data["time"].units = "hours since 2024-09-06 00:00:00"
    (tmp_path / "series.csv").write_text(
        "time,hs,tp,direction,spread\n2024-09-06T00:00:00Z,2,13,240,25\n2024-09-07T00:00:00Z,2,13,240,25\n"
    )
    for name, boundary in (
        ("numbers", SEA),
        ("csv", {"series": "series.csv"}),
        ("nc", {"series": "series.nc"}),
    ):
        run(
            write_case(tmp_path / "case.toml", sea_case(bay, [boundary], hours=6)),
            "--output",
            tmp_path / name,
        )
    for name in ("csv", "nc"):
        assert_same(tmp_path / name, tmp_path / "numbers", ["sea.nc"])
    hs = record(tmp_path / "numbers/sea.nc", "hs")
    # What went out on the other side is what came in: the whole bay has the sea outside.
    assert hs == pytest.approx(SEA["hs"], rel=0.01)


def cut_out(mesh, path, region):
    """The same mesh, with land outside the region."""
    shutil.copy(mesh, path)
    with netCDF4.Dataset(path, "a") as data:
        lon, lat = (np.degrees(data[name][:]) for name in ("lonCell", "latCell"))
        lon = (lon + 180) % 360 - 180
        inside = (lon > region[0]) & (lon < region[1]) & (lat > region[2]) & (lat < region[3])
        data["bottomDepth"][:] = np.where(inside, data["bottomDepth"][:], -1.0)
    return path


def test_a_nest_has_the_sea_of_its_parent(ocean, tmp_path):
    """A blob of swell that crosses a nest of the parent's own cells, by `groundswell nest` and both runs as it says."""
    region = [-7.0, 7.0, 45.0, 55.0]
    inner = cut_out(ocean, tmp_path / "inner.nc", region)
    blob = {
        "state": "swell",
        "centre": [-9.0, 50.0],
        "radius": 400.0,
        "hs": 4.0,
        "tp": 13.0,
        "direction": 270.0,
    }
    outer = sea_case(ocean, [{**SEA, "hs": 0.1}], hours=36, initial=blob)
    outer["output"]["points"] = [{"file": "nest.nc", "every": "1h", "at_file": "nest.csv"}]
    nested = sea_case(inner, [{"spectra": "output/nest.nc"}], hours=36, initial=blob)
    nested["mesh"]["open_beyond"] = region
    outer_case, inner_case = (
        write_case(tmp_path / "outer.toml", outer),
        write_case(tmp_path / "inner.toml", nested),
    )
    outcome = groundswell("nest", inner_case, "--parent", outer_case, "--output", tmp_path / "nest.csv")
    assert outcome.code == 0 and "[[output.points]]" in outcome.stdout and "[[boundary]]" in outcome.stdout
    run(outer_case)
    run(inner_case, "--output", tmp_path / "nested")
    with (
        netCDF4.Dataset(tmp_path / "output/sea.nc") as whole,
        netCDF4.Dataset(tmp_path / "nested/sea.nc") as part,
    ):
        rows = np.searchsorted(whole["mesh_cell"][:], part["mesh_cell"][:])
        lon, lat = part["mesh_face_lon"][:], part["mesh_face_lat"][:]
        inside = (np.abs(lon) < 5.5) & (np.abs(lat - 50) < 4)  # 110 km from the rim and more
        highest = whole["hs"][1:].max()
        for index in range(1, len(whole["time"])):
            wanted, found = whole["hs"][index][rows], part["hs"][index]
            difference = np.abs(found - wanted)
            assert difference[inside].max() < 0.01 * highest and difference.max() < 0.015 * highest, index
            high = inside & (wanted > 0.3 * highest)
            turn = (part["dir"][index] - whole["dir"][index][rows] + 180) % 360 - 180
            assert not high.any() or np.abs(turn[high]).max() < 2
        assert part["hs"][6:12].max() > 0.5 * highest  # it did cross


def test_spectra_of_wavewatch_come_in_as_they_are(make_mesh, test_data, tmp_path):
    """Half a degree of deep water at the stations of the sample: after two days height and direction are those of the file."""
    mesh = make_mesh(
        "bengal", "--depth", "3000", "--region=91.8,92.3,19.6,20.1", "--spacing", "6", "--iterations", "20"
    )
    path = test_data / "spectra/ww3file.nc"
    case = sea_case(mesh, [{"spectra": path}])
    case["spectrum"] = {"directions": 36, "frequencies": 25, "first_frequency": 0.04, "ratio": 1.1}
    case["time"] = {"start": "2014-12-01T00:00:00Z", "end": "2014-12-03T00:00:00Z", "source_step": "30min"}
    text = (
        write_case(tmp_path / "case.toml", case)
        .read_text()
        .replace('"2014-12-01T00:00:00Z"', "2014-12-01T00:00:00Z")
    )
    (tmp_path / "case.toml").write_text(text.replace('"2014-12-03T00:00:00Z"', "2014-12-03T00:00:00Z"))
    run(tmp_path / "case.toml")
    with netCDF4.Dataset(path) as data:
        frequency, to = np.asarray(data["frequency"][:]), np.radians(data["direction"][:])
        efth = np.asarray(data["efth"][4])  # 3 December
    width = np.gradient(frequency)
    width[[0, -1]] /= 2
    width[-1] += frequency[-1] / 4  # the tail
    energy = efth * width[:, None] * 2 * np.pi / len(to)
    wanted = 4 * np.sqrt(energy.sum(axis=(1, 2)))
    from_ = np.degrees(np.arctan2((energy * np.sin(to)).sum((1, 2)), (energy * np.cos(to)).sum((1, 2)))) + 180
    found = record(tmp_path / "output/sea.nc", "hs")
    assert wanted.min() * 0.97 < found.min() and found.max() < wanted.max() * 1.03
    turn = (record(tmp_path / "output/sea.nc", "dir") - from_.mean() + 180) % 360 - 180
    assert np.abs(turn).max() < 3 + np.ptp(from_)


def spectra_file(
    path,
    frequency=(0.05, 0.07, 0.1, 0.14),
    hours=(0, 24),
    lon=0.5,
    lat=0.5,
    unit="m2 s rad-1",
    standard_name=True,
):
    """A station with a sea that comes from the west."""
    frequency, to = np.array(frequency), np.arange(0, 360, 15.0)
    with netCDF4.Dataset(path, "w") as data:
        for name, size in (
            ("time", len(hours)),
            ("station", 1),
            ("frequency", len(frequency)),
            ("direction", 24),
        ):
            data.createDimension(name, size)
        for name, values in (
            ("time", hours),
            ("longitude", [lon]),
            ("latitude", [lat]),
            ("frequency", frequency),
            ("direction", to),
        ):
            dimension = "station" if name in ("longitude", "latitude") else name
            data.createVariable(name, "f8", (dimension,))[:] = values
        data["time"].units = "hours since 2024-09-06"
        data["frequency"].units, data["direction"].units = "s-1", "degree"
        if standard_name:
            data["direction"].standard_name = "sea_surface_wave_to_direction"
        efth = data.createVariable("efth", "f4", ("time", "station", "frequency", "direction"))
        efth.units = unit
        efth[:] = np.maximum(np.cos(np.radians(to - 90)), 0) ** 2
    return path


def test_energy_outside_the_models_frequencies_is_told(bay, tmp_path):
    spectra_file(tmp_path / "low.nc", frequency=(0.01, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1))
    case = write_case(tmp_path / "case.toml", sea_case(bay, [{"spectra": "low.nc"}], hours=6))
    outcome = groundswell("run", case, ranks=2)
    assert outcome.code == 0
    assert "low.nc: station 1" in outcome.stderr and "% of the waves' energy lies outside" in outcome.stderr
    spectra_file(tmp_path / "low.nc", frequency=(0.06, 0.069, 0.07935, 0.0912525))
    outcome = groundswell("run", case, "--overwrite")
    assert outcome.code == 0 and "outside" not in outcome.stderr


def test_what_cannot_be_taken_is_refused(bay, ocean, sphere_mesh, tmp_path):
    def check(boundary, *words, mesh=bay, **changes):
        case = write_case(tmp_path / "case.toml", sea_case(mesh, boundary, hours=6, **changes))
        refused(groundswell("run", case, "--check", "--output", tmp_path / "new", ranks=2), *words)

    file = tmp_path / "spectra.nc"
    entry = [{"spectra": file}]
    spectra_file(file, hours=(0, 3))
    check(entry, "spectra.nc", "time = 2024-09-06T00:00:00Z … 2024-09-06T03:00:00Z", "cover the run")
    spectra_file(file, lon=5.0)
    check(entry, "boundary[].spectra", "reach = 100 km", "station 1 at 5.000°E", "km away")
    spectra_file(file, standard_name=False)
    check(entry, "spectra.nc", "direction: standard_name = (none)", 'boundary[].convention = "from" or "to"')
    spectra_file(file, unit="m2 s")
    check(entry, "spectra.nc", "efth: units = m2 s", "boundary[].density")
    spectra_file(file, unit="J m-2 Hz-1 rad-1")
    check(entry, "efth: units", "not energy")
    spectra_file(file)
    with netCDF4.Dataset(file, "a") as data:
        data["efth"][0, 0, 1, 7] = np.nan
    check(entry, "efth(time 1, station 1, frequency 2, direction 8) = missing", "0 or more")
    (tmp_path / "swell.csv").write_text(
        "time,hs,tp,dir\n2024-09-06T00:00:00Z,2,13,240\n2024-09-07T00:00:00Z,2,13,1e9\n"
    )
    check([{"series": "swell.csv"}], "swell.csv:3", "dir = 1e9", "-360 to 360")
    check([{**SEA, "series": "swell.csv"}], "boundary[].series", "one of hs, series and spectra")
    check([{**SEA, "region": [50.0, 60.0, 0.0, 1.0]}], "boundary[0].region", "none of the", "open faces")
    check([SEA], "mesh.open_beyond", "does not list", mesh=sphere_mesh)
    check([SEA], "propagation.coast", "waves enter where they can leave", propagation={"coast": "closed"})


def test_a_nest_outside_its_parent_or_on_its_land_is_refused(bay, ocean, coast_mesh, tmp_path):
    arguments = ("--output", tmp_path / "points.csv")
    said = refused(
        groundswell("nest", bay, "--parent", ocean, *arguments), "points beyond open faces", "outside"
    )
    assert "--leave-out" not in said and not (tmp_path / "points.csv").exists()
    refused(
        groundswell("nest", ocean, "--parent", bay, *arguments),
        ocean.name,
        "lies on that mesh's land or outside",
    )
    # A parent without its southern cells: there the nest's points lie in no sea.
    shallow = cut_out(coast_mesh, tmp_path / "north.nc", (100.0, 125.0, 14.0, 30.0))
    refused(
        groundswell("nest", coast_mesh, "--parent", shallow, *arguments), "--leave-out leaves such points out"
    )
    outcome = groundswell("nest", coast_mesh, "--parent", shallow, "--leave-out", *arguments)
    assert outcome.code == 0 and "are left out" in outcome.stdout
