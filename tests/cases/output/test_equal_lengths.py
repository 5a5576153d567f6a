"""Every kind of stream in every format with dimensions of equal length: the same values, and continued after a restart."""

import netCDF4
import pytest
from faults import sets
from launching import assert_same, groundswell, run, write_case
from profiling import ONE_FAULT, breaking_fault, ground_mesh

FORMATS = {
    "cdf5": sets(format="cdf5"),
    "netcdf4": sets(format="netcdf4"),
    "compressed": sets(format="netcdf4", compression=2),
}


def ground(folder):
    """A box under a fault, as a mesh file."""
    return ground_mesh(folder, ONE_FAULT.replace("800.0", "1200.0").replace("2000.0", "2500.0"))


def quake(folder):
    """Three records of three places, next to three components and three corners of a face."""
    at = [[0, 0, -1500], [1500, 0, -1500], [-1500, 0, -2500]]
    return {
        "model": "quake",
        "time": {"end": "0.1s"},
        "mesh": {"file": str(ground(folder))},
        "solver": {"order": 3},
        "material": {"rock": [{"density": 2700, "vp": 6000, "vs": 3464}]},
        "fault": breaking_fault({"x": [-800, 800]}),
        "output": {
            "map": [{"file": "map.nc", "every": "50ms"}],
            "fault": [{"file": "fault.nc", "every": "50ms", "fields": ["slip", "slip_dip", "rupture_time"]}],
            "fault_receivers": [{"file": "places.nc", "every": "50ms", "at": at}],
            "receivers": [
                {"file": "receivers.nc", "every": "50ms", "at": [[0, y, 0] for y in (1e3, 2e3, 500)]}
            ],
            "surface": [{"file": "surface.nc", "every": "50ms", "fields": ["vx", "vy", "vz", "pgv"]}],
            "volume": [{"file": "volume.nc", "every": "50ms", "fields": ["vx", "vy", "vz"]}],
            "rupture": {"file": "rupture.nc", "every": "50ms"},
            "energies": {"file": "energy.nc", "every": "50ms"},
            "restart": {"every": "50ms"},
        },
    }


def sea(mesh, wind):
    """Six records of six stations, with six frequencies in six directions."""
    places = [[112.0, 18.0], [108.5, 16.5], [116.0, 13.0], [111.0, 15.0], [113.0, 16.0], [114.0, 14.0]]
    return {
        "time": {"start": "2024-09-06T03:00:00Z", "end": "2024-09-06T03:50:00Z"},
        "mesh": {"file": str(mesh)},
        "spectrum": {"directions": 6, "frequencies": 6, "first_frequency": 0.06},
        "wind": [{"file": str(wind)}],
        "output": {
            "map": [{"file": "map.nc", "every": "10min", "fields": ["hs", "tp", "dir"]}],
            "points": [{"file": "points.nc", "every": "10min", "at": places}],
            "restart": {"every": "20min"},
        },
    }


def names_of_dimensions(path):
    with netCDF4.Dataset(path) as data:
        return {name: variable.dimensions for name, variable in data.variables.items()}


@pytest.mark.parametrize("model", ["quake", "sea"])
def test_streams_are_the_same_in_every_format_and_after_a_restart(request, tmp_path, model):
    if model == "quake":
        table = quake(tmp_path)
    else:
        table = sea(request.getfixturevalue("coast_mesh"), request.getfixturevalue("wind_file"))
    case = write_case(tmp_path / "case.toml", table)
    classic = tmp_path / "cdf5"
    for kind, words in FORMATS.items():
        output = tmp_path / kind
        run(case, "--output", output, *words)
        names = sorted(path.name for path in output.glob("*.nc") if not path.name.startswith("restart"))
        assert len(names) >= 2
        for _ in range(2):
            assert_same(output, classic, names)
            for name in names:
                assert names_of_dimensions(output / name) == names_of_dimensions(classic / name), name
            checked = groundswell("verify", *(output / name for name in names))
            assert checked.code == 0, checked.stdout
            middle = sorted(output.glob("restart_*.nc"))[0]
            run(case, "--output", output, *words, "--restart", middle)


def test_other_names_of_dimensions_are_told_and_values_are_looked_at(tmp_path):
    for name, (along, value) in {"a": ("axis", 1.0), "b": ("corner", 1.0), "c": ("corner", 2.0)}.items():
        with netCDF4.Dataset(tmp_path / f"{name}.nc", "w") as data:
            for dimension in ("face", "axis", "corner"):
                data.createDimension(dimension, 3)
            data.createVariable("normal", "f8", ("face", along))[:] = value
    named = groundswell("compare", tmp_path / "a.nc", tmp_path / "b.nc")
    assert named.code == 1
    assert "names of dimensions of normal: (face=3, axis=3) in A, (face=3, corner=3) in B" in named.stdout
    assert [line.split()[1] for line in named.stdout.splitlines() if line.startswith("normal")] == [
        "identical"
    ]
    other = groundswell("compare", tmp_path / "a.nc", tmp_path / "c.nc")
    assert other.code == 1 and "names of dimensions of normal" in other.stdout
    assert not [
        line for line in other.stdout.splitlines() if line.startswith("normal") and "identical" in line
    ]
