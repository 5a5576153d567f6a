"""What acts on a fault, from a grid: the same as by depth in the case; and what is refused."""

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, refused, run, write_case
from test_quake_faults import mesh, small_fault  # noqa: F401

UNITS = {"static_friction": "1", "slip_distance": "m", "stress_xy": "MPa", "stress_yy": "MPa"}


def grid(path, places=(-4000.0, -1500.0, 0.0), **columns):
    """Columns by height; the same along x and y."""
    with netCDF4.Dataset(path, "w") as file:
        for axis, values in (("x", [-5e3, 5e3]), ("y", [-100.0, 100.0]), ("z", places)):
            file.createDimension(axis, len(values))
            variable = file.createVariable(axis, "f8", (axis,))
            variable.units = "m"
            variable[:] = values
        for name, values in columns.items():
            variable = file.createVariable(name, "f8", ("z", "y", "x"))
            variable.units = UNITS.get(name, "Pa")
            variable[:] = np.asarray(values)[:, None, None] * np.ones((1, 2, 2))
    return str(path)


def shorter(table):
    table["time"]["end"] = "0.2s"
    table["output"] = {
        "fault": [
            {
                "file": "fault.nc",
                "every": "0.1s",
                "fields": ["slip", "traction_strike", "normal_stress", "strength"],
            }
        ],
        "receivers": [{"file": "receivers.nc", "every": "20ms", "at": [[0, 1000, 0]]}],
    }
    return table


def test_a_grid_says_what_tables_by_depth_say(mesh, tmp_path):  # noqa: F811
    table = shorter(small_fault(mesh))
    first = table["fault"]["set"][0]
    first.pop("static_friction")
    first["static_friction_by_depth"] = [[-4000.0, 0.75], [-1500.0, 0.675], [0.0, 0.5625]]
    first["stress"] = {
        "yy_by_depth": [[-4000.0, -160e6], [-1500.0, -120e6], [0.0, -80e6]],
        "xy_by_depth": [[-4000.0, 96e6], [-1500.0, 72e6], [0.0, 40e6]],
    }
    run(write_case(tmp_path / "by_depth.toml", table), "--output", tmp_path / "by_depth", ranks=2)
    table["fault"]["set"].insert(
        1,
        {
            "grid": grid(
                tmp_path / "fault.nc",
                static_friction=[0.75, 0.675, 0.5625],
                stress_yy=[-160, -120, -80],
                stress_xy=[96, 72, 40],
            )
        },
    )
    first.pop("stress")
    first.pop("static_friction_by_depth")
    run(write_case(tmp_path / "grid.toml", table), "--output", tmp_path / "grid", ranks=1)
    for name in ("fault.nc", "receivers.nc"):
        with (
            netCDF4.Dataset(tmp_path / "grid" / name) as one,
            netCDF4.Dataset(tmp_path / "by_depth" / name) as other,
        ):
            for field in ("slip", "traction_strike", "strength") if name == "fault.nc" else ("vx",):
                expected = other[field][:].filled()
                assert np.ptp(expected) > 0
                np.testing.assert_allclose(
                    one[field][:].filled(), expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max()
                )
    run(tmp_path / "grid.toml", "--output", tmp_path / "three", ranks=3)
    assert_same(tmp_path / "three", tmp_path / "grid", ["fault.nc", "receivers.nc"])


@pytest.mark.parametrize(
    ("columns", "places", "words"),
    [
        ({"friction": [1, 1, 1]}, None, ["fault.nc: variables = x, y, z, friction: ", "static_friction"]),
        ({"static_friction": [0.7, np.nan, 0.7]}, None, ["fault.nc", "static_friction(", "(nan|missing)"]),
        ({"slip_distance": [0.1, -0.1, 0.1]}, None, ["fault.nc", "slip_distance(", "-0.1"]),
        ({"static_friction": [0.7, 0.7]}, (-2000.0, 0.0), ["fault.nc", "z", "outside"]),
        ({"nucleation_stress_xy": [1e6, 1e6, 1e6]}, None, ["nucleation_duration", "has a nucleation"]),
    ],
)
def test_what_is_refused(mesh, tmp_path, columns, places, words):  # noqa: F811
    table = shorter(small_fault(mesh))
    file = grid(tmp_path / "fault.nc", **({"places": places} if places else {}), **columns)
    table["fault"]["set"].insert(1, {"grid": file})
    told = groundswell("run", write_case(tmp_path / "case.toml", table), "--quiet")
    refused(told, *(word for word in words if "|" not in word))


def test_stress_of_a_reference_rock_goes_with_the_rock(mesh, tmp_path):  # noqa: F811
    """Half as stiff below 1.6 km: half the shear there, and the pressure as it was."""
    table = shorter(small_fault(mesh))
    table["time"]["end"] = "0.1s"
    table["output"]["fault"][0]["fields"].append("traction_dip")
    table["material"]["rock"] = [{"layers": [[0, 2700, 6000, 3464], [-1600, 2700, 5000, 3464 / 2**0.5]]}]
    first, patch = table["fault"]["set"]
    shear = 2700 * 3464**2
    first["stress"] = {"yy": -120e6}
    del patch["stress"]
    table["fault"]["set"].append(
        {"add": True, "stress": {"xy": 40e6}, "traction": {"dip": 5e6}, "reference_shear_modulus": shear}
    )
    run(write_case(tmp_path / "case.toml", table), ranks=2)
    with netCDF4.Dataset(tmp_path / "output/fault.nc") as file:
        z = file["mesh_face_z"][:].filled()
        above, below = z > -700, z < -2500
        assert above.any() and below.any()
        for key, value in (("traction_strike", 40e6), ("traction_dip", 5e6)):
            found = file[key][0].filled()
            np.testing.assert_allclose(found[above], value, rtol=1e-6)
            np.testing.assert_allclose(found[below], value / 2, rtol=1e-6)
        np.testing.assert_allclose(file["normal_stress"][0].filled(), -120e6, rtol=1e-6)


@pytest.mark.parametrize("ranks", [1, 3])
def test_yielding_rock_asks_only_for_stress_beside_the_fault(mesh, tmp_path, ranks):  # noqa: F811
    """A hole in what the law needs does not matter where there is no fault; one in the stress is told, and every rank ends."""
    table = shorter(small_fault(mesh))
    table["plasticity"] = {"cohesion": 1e9, "bulk_friction": 0.8, "relaxation_time": 0.05}
    file = grid(
        tmp_path / "fault.nc",
        places=(-4e4, -4000.0, -1500.0, 0.0),
        static_friction=[np.nan, 0.75, 0.675, 0.5625],
        stress_zz=[-4e8, -160e6, -120e6, -80e6],
    )
    table["fault"]["set"].insert(1, {"grid": file, "outside_grid": "nearest"})
    case = write_case(tmp_path / "case.toml", table)
    run(case, "--set", "time.end=0.02s", ranks=ranks)
    with netCDF4.Dataset(file, "a") as grown:
        grown["stress_zz"][0] = np.nan
    refused(groundswell("run", case, "--quiet", ranks=ranks), "fault.nc", "stress_zz(", "missing")


def test_what_is_refused_of_a_region_s_stress(mesh, tmp_path):  # noqa: F811
    def told(regional, **other):
        table = small_fault(mesh)
        table["fault"]["set"][0].update(regional=regional, **other)
        if not other:
            table["fault"]["set"][0].pop("stress")
        return groundswell("run", write_case(tmp_path / "case.toml", table), "--check")

    whole = {"most_compressive": -9e7, "least_compressive": -3e7, "vertical": -6e7, "azimuth": 30}
    assert told(whole).code == 0
    refused(told(whole, stress={"yy": -1e6}), "regional", "one of regional and stress")
    refused(told({**whole, "most_compressive": -1e7}), "most_compressive", "no more than least_compressive")
    # Only between the depths that the other one names.
    layered = {key: value for key, value in whole.items() if key != "least_compressive"}
    layered["least_compressive_by_depth"] = [[-4000, -3e7], [-1000, -9.5e7], [0, -3e7]]
    refused(told(layered), "most_compressive", "no more than least_compressive")
    for key in whole:
        refused(told({k: v for k, v in whole.items() if k != key}), key)
