"""What people bring along: other units and axes, meshes with slivers, lists of receivers, projections, grids of other programs."""

import json
import pathlib
import re

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, refused, run, write_case

UTM = (360573.0, 3801400.0)  # zone 11 north, near 118.515° W, 34.344° N


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    """6 km a side, the top in the middle at the origin."""
    path = tmp_path_factory.mktemp("box") / "box.h5"
    outcome = groundswell(
        "mesh", "make", "--box", "6,6,6", "--length", "6e3,6e3,6e3", "--origin=-3e3,-3e3,-6e3", "--output", path
    )  # fmt: skip
    assert outcome.code == 0, outcome.stderr
    return path


def changed_mesh(box, path, change):
    """A copy whose places (n, 3), cells (m, 4) and packed tags (m) `change` has changed in place."""
    path.write_bytes(box.read_bytes())
    with netCDF4.Dataset(path, "a") as file:
        names = ("geometry", "connect", "boundary")
        arrays = [file[name][:].data for name in names]
        change(*arrays)
        for name, values in zip(names, arrays):
            file[name][:] = values
    return path


def case_on(folder, file, **sections):
    rock = {"density": 2700.0, "vp": 6000.0, "vs": 3464.0}
    source = {
        "place": [100.0, 50.0, -2000.0], "strike": 0, "dip": 90, "rake": 0, "scalar_moment": 1e16,
        "time_function": "gaussian", "centre": 0.4, "width": 0.15,
    }  # fmt: skip
    tables = {
        "model": "quake",
        "time": {"end": "0.1s"},
        "mesh": {"file": str(file)},
        "solver": {"order": 2},
        "material": {"rock": [rock]},
        "source": {"point": [source]},
        "output": {"receivers": [{"file": "r.nc", "every": "0.05s", "at": [[1000.0, 1010.0, 0.0]]}]},
    }
    tables.update(sections)
    return write_case(folder / "case.toml", tables)


def check(case, *arguments, **launch):
    return groundswell("run", case, "--check", *arguments, **launch)


def warned(outcome, *words):
    """Accepted, with a warning that has these words."""
    assert outcome.code == 0, outcome.stderr
    lines = [line for line in outcome.stderr.splitlines() if "warning" in line]
    assert any(all(word in line for word in words) for line in lines), outcome.stderr


def test_rock_in_kilometres_and_grams_is_refused_unless_it_is_meant(box, tmp_path):
    rock = {"density": 2.7, "vp": 6.0, "vs": 3.464}
    case = case_on(tmp_path, box, material={"rock": [rock]})
    for ranks in (0, 2):
        words = (
            "material.rock[] = density 2.7 kg/m3, vp 6 m/s, vs 3.464 m/s",
            "g/cm3",
            "[material] unusual = true",
        )
        refused(check(case, ranks=ranks), *words)
    assert check(case, "--set", "material.unusual=true").code == 0
    # A thousand times off the other way.
    refused(
        check(case_on(tmp_path, box, material={"rock": [{"density": 2700, "vp": 6e6, "vs": 3e6}]})),
        "vp 6e+06 m/s",
    )


def test_a_mesh_in_kilometres_or_degrees_is_refused_unless_it_is_meant(box, tmp_path):
    def shrink(places, cells, tags):
        places /= 1000.0

    def to_degrees(places, cells, tags):
        places[:, :2] = places[:, :2] / 1e5 + [121.5, 24.0]

    small = changed_mesh(box, tmp_path / "km.h5", shrink)
    receivers = {"receivers": [{"file": "r.nc", "every": "0.05s", "at": [[1.0, 1.0, 0.0]]}]}
    case = case_on(tmp_path, small, output=receivers)
    refused(check(case), "extent = x -3 to 3, y -3 to 3, z -6 to 0 m", "kilometres", "[mesh] unusual = true")
    place = "source.point.0.place=[0.1,0.05,-2.0]"
    assert check(case, "--set", place, "--set", "mesh.unusual=true").code == 0
    degrees = changed_mesh(box, tmp_path / "degrees.h5", to_degrees)
    refused(check(case_on(tmp_path, degrees)), "x and y look like degrees")

    def to_tens(
        places, cells, tags
    ):  # as a mesh of 60 km in km would be: no earthquake needs waves of so many Hz
        places /= 100.0

    case = case_on(tmp_path, changed_mesh(box, tmp_path / "m60.h5", to_tens))
    refused(check(case, "--set", "solver.order=6"), "Hz", "kilometres")


def test_the_log_and_the_summary_tell_extent_rock_and_shortest_wave(box, tmp_path):
    layers = [[0.0, 2600, 4000, 2000], [-2000.0, 2700, 6000, 3464]]
    case = case_on(tmp_path, box, material={"rock": [{"layers": layers}]})
    outcome = groundswell("run", case)
    assert outcome.code == 0
    for text in (
        "ground: x -3000 to 3000, y -3000 to 3000, z -6000 to 0 m",
        "rock: density 2600 to 2700 kg/m3, vp 4000 to 6000 m/s, vs 2000 to 3464 m/s; the shortest waves",
    ):
        assert text in outcome.stderr
    found = json.loads((tmp_path / "output/run.json").read_text())["result"]
    assert found["ground"]["highest"] == {"x": 3000.0, "y": 3000.0, "z": 0.0}
    assert found["ground"]["vs"]["min"] == pytest.approx(2000, rel=1e-12)
    wave = found["resolution"]["shortest_wave"]
    assert wave == pytest.approx(2000 / found["resolution"]["highest_frequency"], rel=1e-9)


def test_axes_and_tags_that_are_the_wrong_way_up_are_warned_of(box, tmp_path):
    def turn(places, cells, tags):  # about x, so that cells stay right-handed
        places[:, 1:] *= -1.0

    def swap(places, cells, tags):
        for face in range(4):
            tag = tags >> 8 * face & 255
            tags ^= np.where((tag == 1) | (tag == 5), 4 << 8 * face, 0)

    def close(places, cells, tags):
        for face in range(4):
            tags |= np.where(tags >> 8 * face & 255 == 1, 4 << 8 * face, 0)

    source = {"source": {}}
    down = changed_mesh(box, tmp_path / "down.h5", turn)
    receivers = {"output": {"receivers": [{"file": "r.nc", "every": "0.05s", "at": [[0.0, 0.0, 10.0]]}]}}
    warned(
        check(case_on(tmp_path, down, **source, **receivers)),
        "free surface lies under the ground",
        "z count down",
    )
    swapped = changed_mesh(box, tmp_path / "swapped.h5", swap)
    warned(check(case_on(tmp_path, swapped)), "free surface lies under the ground", "(1, 101)", "(5, 105)")
    closed = changed_mesh(box, tmp_path / "closed.h5", close)
    warned(check(case_on(tmp_path, closed)), "the top absorbs", "no free surface")
    assert "top absorbs" not in check(case_on(tmp_path, box)).stderr


def test_layers_that_hold_nothing_of_the_mesh_are_warned_of(box, tmp_path):
    def layers(*heights):
        rows = [[z, 2600 + i, 4000, 2000] for i, z in enumerate(heights)]
        return check(case_on(tmp_path, box, material={"rock": [{"layers": rows}]}))

    warned(layers(0.0, -1.0), "all rows lie within 1 m", "kilometres")
    warned(layers(0.0, -7000.0), "lie in row 1", "hold no element")
    warned(layers(9000.0, 3000.0), "lie in row 2", "hold no element")
    assert "rock[].layers" not in layers(0.0, -150.0, -3000.0).stderr
    assert (
        "rock[].layers" not in layers(0.0, -500.0, -30000.0).stderr
    )  # deeper than the mesh, as models of the crust are


def test_what_slivers_cost_is_told_with_their_places(box, tmp_path):
    def squash(places, cells, tags):
        """One corner nearly into the face across from it."""
        corner = cells[434]
        face = places[corner[1:]].mean(axis=0)
        places[corner[0]] = face + 1e-4 * (places[corner[0]] - face)

    bad = changed_mesh(box, tmp_path / "bad.h5", squash)
    said = []
    for ranks in (0, 3):
        outcome = check(case_on(tmp_path, bad), ranks=ranks)
        warned(outcome, "elements cost", "of the run", "cell 434 at", "quality", "mesh improve")
        said.append([line for line in outcome.stderr.splitlines() if "of the run" in line])
    assert said[0] == said[1]
    assert "of the run" not in check(case_on(tmp_path, box)).stderr


def test_interfaces_are_told_with_the_frequency_of_half_the_edges(box, tmp_path):
    """36 squares of two faces lie at 3 km; the slow layer's elements are the ones that carry less."""

    def told(vs, ranks=0):
        layers = [[0, 2600, 1.8 * vs, vs], [-3000, 2700, 6000, 3464]]
        outcome = check(case_on(tmp_path, box, material={"rock": [{"layers": layers}]}), ranks=ranks)
        assert outcome.code == 0, outcome.stderr
        highest = float(re.search(r"waves up to (\S+) Hz in all cells", outcome.stderr)[1])
        found = re.search(r"interfaces: across (\d+) faces .* waves up to (\S+) Hz", outcome.stderr)
        return highest, found and (int(found[1]), float(found[2]))

    for ranks in (0, 3):
        highest, found = told(2000, ranks)
        assert found == (72, pytest.approx(highest / 2, rel=1e-3))
        assert told(3000, ranks)[1] is None
    assert "interfaces: across" not in check(case_on(tmp_path, box)).stderr


def test_all_receivers_outside_are_listed(box, tmp_path):
    at = [[0, 0, 0], [9000, 0, 0], [8000, 0, 0], [7000, 0, 0], [0, 0, 40]]
    receivers = [{"file": "r.nc", "every": "0.05s", "at": at}]
    case = case_on(tmp_path, box, output={"receivers": receivers})
    for ranks in (0, 2):
        message = refused(
            check(case, ranks=ranks), "at = 4 of 5: P2 [9000, 0, 0] (nearest corner 6000 m away), P3", "P5"
        )
        assert "P1" not in message
    receivers[0].update(to_surface=True)
    refused(
        check(case_on(tmp_path, box, output={"receivers": receivers})),
        "at = 3 of 5: P2",
        "P4",
        "free surface",
    )


def test_stations_at_their_elevation_over_flat_ground_are_told_of_the_surface(box, tmp_path):
    (tmp_path / "stations.xml").write_text(
        """<?xml version="1.0"?>
<FDSNStationXML xmlns="http://www.fdsn.org/xml/station/1" schemaVersion="1.1"><Network code="IU"><Station code="ANMO">
<Latitude>0.01</Latitude><Longitude>0.01</Longitude><Elevation>1820</Elevation></Station></Network></FDSNStationXML>
"""
    )
    receivers = [{"file": "r.nc", "every": "0.05s", "stations": "stations.xml"}]
    more = {"projection": {"longitude": 0, "latitude": 0}, "output": {"receivers": receivers}}
    message = refused(
        check(case_on(tmp_path, box, **more)), "stations.xml: receivers = IU.ANMO [1113", "1820]"
    )
    assert message.endswith("; to_surface = true moves those above it down to the free surface")
    receivers[0].update(to_surface=True)
    run(case_on(tmp_path, box, **more))
    with netCDF4.Dataset(tmp_path / "output/r.nc") as file:
        assert netCDF4.chartostring(file["station_name"][:])[0].strip() == "IU.ANMO"


LISTS = {
    "seissol": "1000.0 1010.0 0.0\n-500 250.5 -700\n",
    "specfem": "A XX 1010.0 1000.0 0.0 0.0\nB XX 250.5 -500 0.0 700\n",
    "table": "station,network,x,y,z\nA,XX,1000,1010,0\nB,XX,-500,250.5,-700\n",
}


@pytest.mark.parametrize("form", LISTS)
def test_receivers_of_a_list_are_those_of_the_case(box, tmp_path, form):
    (tmp_path / "list").write_text(LISTS[form])
    names = ["P1", "P2"] if form == "seissol" else ["XX.A", "XX.B"]
    plain = {
        "file": "r.nc",
        "every": "0.05s",
        "at": [[1000.0, 1010.0, 0.0], [-500, 250.5, -700]],
        "names": names,
    }
    listed = {"file": "r.nc", "every": "0.05s", "stations": "list"}
    for folder, entry in (("plain", plain), ("listed", listed)):
        run(case_on(tmp_path, box, output={"receivers": [entry]}), "--output", tmp_path / folder)
    assert_same(tmp_path / "plain", tmp_path / "listed", ["r.nc"])
    both = {**plain, "stations": "list"}
    refused(check(case_on(tmp_path, box, output={"receivers": [both]})), "stations", "not both")


def test_receivers_of_specfem_stand_below_the_surface(box, tmp_path):
    (tmp_path / "STATIONS").write_text("A XX 1010.0 1000.0 300.0 0.0\nB XX 250.5 -500 300.0 700\n")
    entry = {"file": "r.nc", "every": "0.05s", "stations": "STATIONS", "to_surface": True}
    run(case_on(tmp_path, box, output={"receivers": [entry]}))
    with netCDF4.Dataset(tmp_path / "output/r.nc") as file:
        assert file["z"][:].tolist() == [0.0, -700.0]
    entry.pop("to_surface")
    refused(check(case_on(tmp_path, box, output={"receivers": [entry]})), "1 of 2: XX.A [1000, 1010, 300]")


def test_a_mesh_in_utm_meets_degrees(box, tmp_path):
    def move(places, cells, tags):
        places[:, :2] += UTM

    mesh = changed_mesh(box, tmp_path / "utm.h5", move)
    (tmp_path / "stations.csv").write_text("name,lon,lat,elevation\nA,-118.5159,34.3445,0\n")
    receivers = {"receivers": [{"file": "r.nc", "every": "0.05s", "stations": "stations.csv"}]}
    source = {"place_degrees": [-118.52, 34.34, -2000.0], "force": [1e9, 0, 0], "time_function": "gaussian", "centre": 0.4, "width": 0.1}  # fmt: skip
    tables = {"output": receivers, "source": {"point": [source]}}
    about = {"projection": {"longitude": -118.5, "latitude": 34.3}}
    words = ("km away is another projection than the mesh's", '"+proj=utm +zone=11 +datum=WGS84"')
    refused(check(case_on(tmp_path, mesh, **tables, **about)), *words)
    refused(check(case_on(tmp_path, mesh, **tables)), "place_degrees", "[projection]")
    for number, proj in enumerate(("EPSG:32611", "+proj=utm +zone=11 +datum=WGS84")):
        case = case_on(tmp_path, mesh, **tables, projection={"proj": proj})
        run(case, "--output", tmp_path / str(number))
        with netCDF4.Dataset(tmp_path / str(number) / "r.nc") as file:
            assert file["longitude"][0] == pytest.approx(-118.5159, abs=1e-12)
            assert abs(file["x"][0] - UTM[0]) < 3000 and abs(file["y"][0] - UTM[1]) < 3000
            assert "UTM zone 11 north" in file.projection
    refused(
        check(case_on(tmp_path, mesh, **tables, projection={"proj": "EPSG:4326"})),
        "projection.proj = EPSG:4326",
    )
    both = {"proj": "EPSG:32611", "longitude": 1.0, "latitude": 1.0}
    refused(
        check(case_on(tmp_path, mesh, **tables, projection=both)), "either proj, or longitude and latitude"
    )


def test_nodes_that_come_twice_are_joined_by_a_key(box, tmp_path):
    with netCDF4.Dataset(box) as file:
        places, cells = file["geometry"][:].data, file["connect"][:].data
        group, tags = file["group"][:].data, file["boundary"][:].data
    middle = np.nonzero(np.abs(places[:, 0]) < 1e-6)[0]
    other = np.arange(len(places))
    other[middle] = len(places) + np.arange(len(middle))
    right = places[cells][..., 0].mean(axis=1) > 0
    cells[right] = other[cells[right]]
    mesh = tmp_path / "twice.h5"
    with netCDF4.Dataset(mesh, "w") as file:
        for name, length in (("v", len(places) + len(middle)), ("c", len(cells)), ("three", 3), ("four", 4)):
            file.createDimension(name, length)
        for name, kind, shape, values in (
            ("geometry", "f8", ("v", "three"), np.concatenate([places, places[middle]])),
            ("connect", "u8", ("c", "four"), cells),
            ("group", "i4", ("c",), group),
            ("boundary", "i4", ("c",), tags),
        ):
            file.createVariable(name, kind, shape)[:] = values
    refused(check(case_on(tmp_path, mesh)), "no cell across", "[mesh] join")
    run(
        case_on(tmp_path, mesh, mesh={"file": str(mesh), "join": 0.01}),
        "--output",
        tmp_path / "joined",
        ranks=2,
    )
    run(case_on(tmp_path, box), "--output", tmp_path / "plain")
    with netCDF4.Dataset(tmp_path / "joined/r.nc") as a, netCDF4.Dataset(tmp_path / "plain/r.nc") as b:
        assert np.array_equal(a["vx"][:], b["vx"][:])
    warned(
        check(case_on(tmp_path, box, mesh={"file": str(box), "join": 1.0})),
        "mesh.join = 1",
        "no two vertices",
    )


def test_nrf_is_named_as_what_it_is(box, tmp_path):
    with netCDF4.Dataset(tmp_path / "source.nrf", "w") as file:
        file.createDimension("source", 1)
    source = {"rupture": [{"file": "source.nrf"}]}
    refused(check(case_on(tmp_path, box, source=source)), "source.nrf", "NRF", "give the SRF")


def test_compound_grids_are_split_by_a_command_that_the_refusal_prints(box, tmp_path):
    axis = {"x": np.linspace(-3e3, 3e3, 4), "y": np.linspace(-3e3, 3e3, 4), "z": np.linspace(-6e3, 0, 4)}
    kind = np.dtype([("rho", "f4"), ("mu", "f4"), ("lambda", "f4")])
    with netCDF4.Dataset(tmp_path / "asagi.nc", "w") as file:
        for name, values in axis.items():
            file.createDimension(name, 4)
            file.createVariable(name, "f8", (name,))[:] = values
        field = file.createVariable("data", file.createCompoundType(kind, "material"), ("z", "y", "x"))
        values = np.zeros((4, 4, 4), kind)
        values["rho"], values["mu"], values["lambda"] = (
            2600,
            2.2e10,
            2.5e10 + np.arange(64).reshape(4, 4, 4) * 1e8,
        )
        field[:] = values
    case = case_on(tmp_path, box, material={"rock": [{"grid": "asagi.nc"}]})
    message = refused(check(case), "compound variable", "groundswell import asagi")
    words = message.split("`")[1].replace("NEW.nc", str(tmp_path / "plain.nc")).split()[1:]
    outcome = groundswell(*words, cwd=tmp_path)
    assert outcome.code == 0, outcome.stderr
    with netCDF4.Dataset(tmp_path / "plain.nc") as file:
        assert file["lambda"].units == "Pa" and file["x"].units == "m"
        assert np.array_equal(file["lambda"][:], values["lambda"])
    assert check(case_on(tmp_path, box, material={"rock": [{"grid": "plain.nc"}]})).code == 0
    refused(groundswell(*words, cwd=tmp_path), "plain.nc", "--overwrite")
    again = [*words[:2], str(tmp_path / "plain.nc"), "--output", str(tmp_path / "other.nc")]
    refused(groundswell(*again), "one compound variable")
    assert not pathlib.Path(tmp_path / "other.nc").exists()
