"""A wave field at the start from a file: that of a plane wave is the wave, better on finer grids; what is refused."""

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, refused, run, write_case

RHO, VP, VS = 2.0, 3.0, 1.5
K = 2 * np.pi * np.array([0.5, 0.25, 0.5])
FIELDS = ("sxx", "syy", "szz", "sxy", "syz", "sxz", "vx", "vy", "vz")


def wave_case(initial):
    """A periodic box of 2 x 4 x 2 m, crossed by P waves."""
    return {
        "model": "quake",
        "time": {"end": "0.1s"},
        "mesh": {
            "unusual": True,
            "box": {"cubes": [4, 8, 4], "length": [2, 4, 2], "periodic": ["x", "y", "z"], "jitter": 0.1},
        },
        "solver": {"order": 4},
        "material": {"unusual": True, "rock": [{"density": RHO, "vp": VP, "vs": VS}]},
        "initial": initial,
        "output": {
            "receivers": [
                {
                    "file": "receivers.nc",
                    "every": "10ms",
                    "at": [[0.1, 0.2, -0.3], [0.71, -1.5, -1.5], [-0.6, 0.9, -1.1]],
                    "fields": list(FIELDS),
                }
            ],
            "map": [{"file": "map.nc", "every": "100ms", "fields": list(FIELDS)}],
        },
    }


def exact(x, y, z):
    """The unknowns of the wave of case `wave`, by name; the shape of the places."""
    length = np.linalg.norm(K)
    n = K / length
    shape = 0.5 * np.cos(K[0] * x + K[1] * y + K[2] * z)
    lam, mu = RHO * (VP**2 - 2 * VS**2), RHO * VS**2
    found = {f"v{axis}": n[i] * shape for i, axis in enumerate("xyz")}
    for name in FIELDS[:6]:
        i, j = ("xyz".index(axis) for axis in name[1:])
        found[name] = -(2 * mu * n[i] * n[j] + (lam if i == j else 0.0)) * shape / VP
    return found


def write_field(path, points, fields=FIELDS, order="zyx", units=None, change=None, axis_units="m", span=1.0):
    """The wave on a regular grid around the box of so many points along its shorter sides."""
    low, high = np.array([-1.25, -2.25, -2.25]), np.array([1.25, 2.25, 0.25])
    count = {"x": points, "y": 2 * points - 1, "z": points}
    with netCDF4.Dataset(path, "w") as file:
        axes = {}
        for i, axis in enumerate("xyz"):
            axes[axis] = np.linspace(low[i], low[i] + span * (high[i] - low[i]), count[axis])
            file.createDimension(axis, count[axis])
            variable = file.createVariable(axis, "f8", (axis,))
            variable[:] = axes[axis] / (1000.0 if axis_units == "km" else 1.0)
            variable.units = axis_units
        places = dict(zip(order, np.meshgrid(*(axes[axis] for axis in order), indexing="ij")))
        values = exact(**places)
        for name in fields:
            variable = file.createVariable(name, "f8", tuple(order))
            variable[:] = values[name]
            variable.units = (units or {}).get(name, "m s-1" if name[0] == "v" else "Pa")
        if change:
            change(file)
    return path


def seismograms(folder):
    with netCDF4.Dataset(folder / "receivers.nc") as file:
        return np.array([file[name][:] for name in FIELDS])


@pytest.fixture(scope="module")
def wave(tmp_path_factory):
    """Seismograms of the wave that the program makes itself."""
    folder = tmp_path_factory.mktemp("wave")
    run(write_case(folder / "case.toml", wave_case({"wave": [{"wave_vector": K.tolist(), "velocity": 0.5}]})))
    return seismograms(folder / "output")


def test_a_wave_from_a_file_is_the_wave(wave, tmp_path):
    errors = []
    for points in (17, 33, 65):
        folder = tmp_path / str(points)
        folder.mkdir()
        write_field(folder / "field.nc", points)
        run(write_case(folder / "case.toml", wave_case({"file": "field.nc"})), ranks=2)
        errors.append(np.abs(seismograms(folder / "output") - wave).max() / np.abs(wave).max())
    # Straight lines between points err by (k h)^2 / 8 along each axis, which is 0.066 in all on the first grid, and by a
    # quarter of that with each halving.
    assert errors[0] < 0.1 and errors[1] < 0.35 * errors[0] and errors[2] < 0.35 * errors[1], errors


def test_a_linear_field_is_taken_exactly(tmp_path):
    """On the coarsest grid there is: between its points each variable is linear, as are the polynomials."""

    def linear(x, y, z, i):
        return (i + 1) * (1.0 + 0.3 * x - 0.2 * y + 0.5 * z)

    def change(file):
        z, y, x = np.meshgrid(file["z"][:], file["y"][:], file["x"][:], indexing="ij")
        for i, name in enumerate(FIELDS):
            file[name][:] = linear(x, y, z, i)

    write_field(tmp_path / "field.nc", 2, change=change)
    run(write_case(tmp_path / "case.toml", wave_case({"file": "field.nc"})))
    with netCDF4.Dataset(tmp_path / "output/map.nc") as file:
        centre = file["corners"][:].mean(axis=1)
        for i, name in enumerate(FIELDS):
            kind = file[name].dtype
            np.testing.assert_allclose(
                file[name][0], linear(*centre.T, i), rtol=0, atol=100 * np.finfo(kind).eps * 9
            )


def test_bits_depend_on_neither_ranks_nor_the_order_of_axes(tmp_path):
    write_field(tmp_path / "field.nc", 9)
    case = write_case(tmp_path / "case.toml", wave_case({"file": "field.nc"}))
    run(case)
    for ranks in (2, 3):
        run(case, "--output", tmp_path / str(ranks), ranks=ranks)
        assert_same(tmp_path / str(ranks), tmp_path / "output", ["receivers.nc", "map.nc"])
    write_field(tmp_path / "field.nc", 9, order="xzy")
    run(case, "--output", tmp_path / "turned")
    assert_same(tmp_path / "turned", tmp_path / "output", ["receivers.nc", "map.nc"])


def test_units_are_heeded_and_what_is_missing_is_0(tmp_path):
    """Velocities alone, in km/s on axes in km; the map at the start is that of the file."""

    def in_km_a_second(file):
        for name in ("vx", "vy"):
            file[name][:] = file[name][:] / 1000.0

    units = {"vx": "km s-1", "vy": "km/s"}
    write_field(tmp_path / "field.nc", 33, ("vx", "vy"), units=units, change=in_km_a_second, axis_units="km")
    case = write_case(tmp_path / "case.toml", wave_case({"file": "field.nc"}))
    run(case)
    with netCDF4.Dataset(tmp_path / "output/map.nc") as file:
        centre = file["corners"][:].mean(axis=1)
        known = exact(*centre.T)
        for name in FIELDS:
            expected = known[name] if name in ("vx", "vy") else 0.0
            np.testing.assert_allclose(file[name][0], expected, rtol=0, atol=0.03)


def test_a_file_adds_to_waves(tmp_path, wave):
    write_field(tmp_path / "field.nc", 65)
    both = {"file": "field.nc", "wave": [{"wave_vector": K.tolist(), "velocity": -0.5}]}
    run(write_case(tmp_path / "case.toml", wave_case(both)))
    assert np.abs(seismograms(tmp_path / "output")).max() < 0.01 * np.abs(wave).max()


def no_value(file):
    file["syy"][3, 2, 1] = np.nan


@pytest.mark.parametrize(
    "options, words",
    [
        ({"units": {"vx": "Pa"}}, ["field.nc: vx:units = Pa", "m s-1"]),
        ({"units": {"sxy": "m/s"}}, ["field.nc: sxy:units = m/s", "Pa, MPa or GPa"]),
        ({"axis_units": "feet"}, ["units = feet", "m or km"]),
        ({"change": no_value}, ["field.nc: syy(3, 2, 1) = (missing)", "a number; an element needs it at ("]),
        ({"fields": ()}, ["field.nc: variables = x, y, z", "one or more of sxx"]),
        ({"span": 0.7}, ["field.nc: grid along ", "one that reaches all elements"]),
        ({"change": lambda file: file.renameVariable("z", "level")}, ["sxx = (z, y, x)", "dimensions x, y and z"]),
    ],
)  # fmt: skip
def test_what_is_no_field_is_refused_before_the_first_step(tmp_path, options, words):
    write_field(tmp_path / "field.nc", 9, **options)
    case = write_case(tmp_path / "case.toml", wave_case({"file": "field.nc"}))
    refused(groundswell("run", case, "--check", ranks=2), *words)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    case = write_case(tmp_path / "case.toml", wave_case({"file": "none.nc"}))
    refused(groundswell("run", case, ranks=2), "none.nc")
