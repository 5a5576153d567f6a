"""Peak motions of the surface: the largest of samples, whatever is written, however it is run; and of a wave known exactly."""

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, output_mode, refused, run, write_case
from test_quake_surface_file import case_of

from groundswell.response import acceleration_of, pseudo_accelerations

PEAKS = ["pgv", "pga", "pgd", "pgv_z", "pga_z", "pgd_z"]


def peak_case(every, **more):
    surface = {"file": "surface.nc", "every": every, "peak_interval": "2ms", **more}
    return case_of(surface=[surface], restart={"every": "90ms", "keep": 0})


def fields_of(folder, *names):
    with netCDF4.Dataset(folder / "surface.nc") as file:
        return [file[name][:].filled() for name in names]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("peaks")
    case = write_case(folder / "case.toml", peak_case("50ms", fields=["vx", *PEAKS]))
    run(case, "--set", "output.mode=serial")
    return case, folder / "output"


def test_peaks_are_the_largest_of_their_samples(alone, tmp_path):
    run(write_case(tmp_path / "case.toml", peak_case("2ms", fields=["vx", "vy", "vz", *PEAKS])))
    vx, vy, vz = fields_of(tmp_path / "output", "vx", "vy", "vz")
    (largest,) = fields_of(tmp_path / "output", "pgv_z")
    assert largest.max() > 0
    np.testing.assert_array_equal(largest, np.maximum.accumulate(np.abs(vz), axis=0))
    (largest,) = fields_of(tmp_path / "output", "pgv")
    # Components of the file are rounded, the length of the vector is not made of these.
    np.testing.assert_allclose(largest, np.maximum.accumulate(np.hypot(vx, vy), axis=0), rtol=3e-7)
    # However seldom it is written: the same bits.
    for seldom, often in zip(fields_of(alone[1], *PEAKS), fields_of(tmp_path / "output", *PEAKS)):
        assert len(seldom) == 5 and (seldom[-1] > 0).all()
        np.testing.assert_array_equal(seldom, often[::25])


def test_displacement_is_the_integral_of_velocity(tmp_path):
    """By trapezoids of as many records as a step is long, and more."""
    surface = {
        "file": "surface.nc",
        "every": "0.5ms",
        "peak_interval": "0.5ms",
        "fields": ["vx", "vy", "vz", *PEAKS],
    }
    run(write_case(tmp_path / "case.toml", case_of(surface=[surface])))
    *velocities, pgd, pgd_z = fields_of(tmp_path / "output", "vx", "vy", "vz", "pgd", "pgd_z")
    x, y, z = (np.cumsum((v[1:] + v[:-1]) / 2 * 0.5e-3, axis=0) for v in velocities)
    for found, moved in ((pgd[-1], np.hypot(x, y)), (pgd_z[-1], np.abs(z))):
        expected = moved.max(axis=0)
        np.testing.assert_allclose(found, expected, rtol=0.01, atol=0.002 * expected.max())


def test_peaks_of_a_shear_wave_that_the_surface_turns_back(tmp_path):
    """An S wave straight up, a Gaussian of amplitude v and width w in z: at the free surface velocity doubles; acceleration is
    2 v vs / (w √e), displacement the integral, 2 v w √(2π) / vs."""
    v, w, vs = 0.3, 60.0, 500.0
    case = {
        "model": "quake",
        "time": {"end": "1.2s"},
        "mesh": {"box": {"cubes": [4, 4, 12], "length": [160, 160, 480], "periodic": ["x", "y"]}},
        "solver": {"order": 5},
        "material": {"rock": [{"density": 2000, "vp": 1000, "vs": vs}]},
        "initial": {
            "wave": [
                {
                    "kind": "S",
                    "direction": [0, 0, 1],
                    "polarisation": [3, 4, 0],
                    "width": w,
                    "centre": [0, 0, -240],
                    "velocity": v,
                }
            ]
        },
        "output": {
            "surface": [
                {
                    "file": "surface.nc",
                    "every": "0.4s",
                    "peak_interval": "1ms",
                    "fields": ["vx", "pgv_z"],
                    "peaks": True,
                }
            ]
        },
    }
    run(write_case(tmp_path / "case.toml", case), ranks=2)
    pgv, pga, pgd, up = (field[-1] for field in fields_of(tmp_path / "output", "pgv", "pga", "pgd", "pgv_z"))
    np.testing.assert_allclose(pgv, 2 * v, rtol=2e-3)
    np.testing.assert_allclose(pga, 2 * v * vs / w * np.exp(-0.5), rtol=1e-2)
    np.testing.assert_allclose(pgd, 2 * v * w / vs * np.sqrt(2 * np.pi), rtol=2e-3)
    assert up.max() < 1e-3 * v


@pytest.mark.parametrize("ranks, threads, mode", [(1, 2, "thread"), (2, 1, "direct"), (4, 1, "servers")])
def test_bits_do_not_depend_on_how_it_is_run(alone, tmp_path, ranks, threads, mode):
    case, reference = alone
    options = ["--set", f"output.mode={output_mode(mode)}", "--set", f"run.threads={threads}"]
    run(case, "--output", tmp_path, *options, ranks=ranks)
    assert_same(tmp_path, reference, ["surface.nc", *(path.name for path in reference.glob("restart_*.nc"))])


def test_a_run_that_is_continued_has_the_same_peaks(alone, tmp_path):
    case, reference = alone
    first, last = sorted(path.name for path in reference.glob("restart_*.nc"))
    run(case, "--output", tmp_path, "--set", "time.end=0.12s", ranks=2)
    run(case, "--output", tmp_path, "--restart", tmp_path / first, ranks=3)
    assert_same(tmp_path, reference, ["surface.nc", last])
    # Peaks of other samples, or of others, cannot go on.
    for setting in ("peak_interval=3ms", "file=other.nc", "fields=['pgv']"):
        told = groundswell(
            "run", case, "--output", tmp_path / "other", "--restart", reference / first,
            "--set", f"output.surface.0.{setting}",
        )  # fmt: skip
        refused(told, "peaks_1")


def driven_case(**surface):
    """A column of ground that an S wave goes up through, along a direction that is neither axis."""
    return {
        "model": "quake",
        "time": {"end": "1.2s"},
        "mesh": {"box": {"cubes": [4, 4, 12], "length": [160, 160, 480], "periodic": ["x", "y"]}},
        "solver": {"order": 4},
        "material": {"rock": [{"density": 2000, "vp": 1000, "vs": 500}]},
        "initial": {
            "wave": [
                {
                    "kind": "S",
                    "direction": [0, 0, 1],
                    "polarisation": [3, 4, 0],
                    "width": 40,
                    "centre": [0, 0, -240],
                    "velocity": 0.3,
                }
            ]
        },
        "output": {"surface": [{"file": "surface.nc", "fields": ["vx", "vy"], **surface}]},
    }


PERIODS = [0.05, 0.2, 0.5, 1.0]
RESPONSES = ["sa_0.05s", "sa_0.2s", "sa_0.5s", "sa_1s"]


@pytest.mark.parametrize("damping", [0.05, 0.2])
def test_responses_are_those_of_oscillators_on_the_ground(tmp_path, damping):
    """Against the exact answer to straight lines of acceleration, from the velocities written every half millisecond."""
    surface = {
        "every": "0.5ms",
        "peak_interval": "0.5ms",
        "response_periods": PERIODS,
        "response_damping": damping,
    }
    run(write_case(tmp_path / "case.toml", driven_case(**surface)))
    vx, vy, *found = fields_of(tmp_path / "output", "vx", "vy", *RESPONSES)
    time = np.arange(len(vx)) * 0.5e-3
    along = acceleration_of(time, 0.6 * vx[:, 0].astype(float) + 0.8 * vy[:, 0])
    expected = pseudo_accelerations(along, 0.5e-3, PERIODS, damping)
    assert (expected > 0.1).all()
    np.testing.assert_allclose([field[-1, 0] for field in found], expected, rtol=2e-3)
    for field in found:
        assert (np.diff(field, axis=0) >= 0).all() and (field[0] == 0).all()


def test_responses_converge_with_the_interval_as_its_square(tmp_path):
    found = []
    for interval in (2, 4, 8):
        folder = tmp_path / str(interval)
        folder.mkdir()
        surface = {"every": "1.2s", "peak_interval": f"{interval}ms", "response_periods": [0.2, 0.5]}
        run(write_case(folder / "case.toml", driven_case(**surface)))
        found.append([field[-1, 0] for field in fields_of(folder / "output", "sa_0.2s", "sa_0.5s")])
    fine, middle, coarse = np.array(found)
    assert (np.abs(coarse - fine) < 0.02 * fine).all()
    assert (np.abs(middle - fine) < 0.005 * fine).all()


def test_responses_do_not_depend_on_how_it_is_run_and_go_on(tmp_path):
    surface = {"every": "40ms", "peak_interval": "2ms", "fields": ["vx"], "response_periods": [0.05, 0.1]}
    case = write_case(
        tmp_path / "case.toml",
        case_of(surface=[{"file": "surface.nc", **surface}], restart={"every": "90ms", "keep": 0}),
    )
    run(case, "--set", "output.mode=serial")
    reference = tmp_path / "output"
    first, last = sorted(path.name for path in reference.glob("restart_*.nc"))
    again = tmp_path / "again"
    run(case, "--output", again, "--set", "time.end=0.12s", "--set", "run.threads=2")
    run(case, "--output", again, "--restart", again / first, ranks=3)
    assert_same(again, reference, ["surface.nc", last])
    told = groundswell(
        "run", case, "--output", tmp_path / "other", "--restart", reference / first,
        "--set", "output.surface.0.response_damping=0.1",
    )  # fmt: skip
    refused(told, "peaks_1")


@pytest.mark.parametrize(
    "settings, expected",
    [
        ({"response_periods": [0.1]}, "periods from 0.2 s, 20 times peak_interval"),
        ({"response_periods": [1.0, 1.0]}, "each period once"),
        ({"response_periods": [1.0], "response_damping": 1.0}, "response_damping"),
        ({"response_periods": [5000.0]}, "periods up to 1000 s"),
    ],
)
def test_oscillators_that_make_no_sense_are_refused(tmp_path, settings, expected):
    case = write_case(tmp_path / "case.toml", driven_case(every="0.4s", **settings))
    refused(groundswell("run", case, "--check"), expected)
