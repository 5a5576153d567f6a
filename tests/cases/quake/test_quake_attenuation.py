"""Rock that attenuates waves: amplitude and speed against the Q that the case asks for; refusals; restart."""

import netCDF4
import numpy as np
import pytest
from launching import assert_same, refused, run, write_case
from scipy.optimize import least_squares

FREQUENCY = np.sqrt(3) / 2  # of the S wave in plane_wave(), Hz; the P wave's is twice that


def plane_wave(kind, quality, band, order=4):
    """A wave along the diagonal of a periodic cube of 2 m; vp = 2 m/s and vs = 1 m/s at the band's middle."""
    return {
        "model": "quake",
        "time": {"end": "2.5s"},
        "mesh": {
            "box": {
                "cubes": [6, 6, 6],
                "origin": [-1, -1, -1],
                "length": [2, 2, 2],
                "periodic": ["x", "y", "z"],
            }
        },
        "solver": {"order": order},
        "attenuation": {"band": band},
        "material": {"rock": [{"density": 1, "vp": 2, "vs": 1, "qp": quality, "qs": quality}]},
        "initial": {
            "wave": [{"kind": kind, "wave_vector": [np.pi] * 3, "polarisation": [1.0, -1.0, 0.0]}]
        },
        "output": {"receivers": [{"file": "receivers.nc", "every": "20ms", "at": [[0.1, 0.2, 0.3]]}]},
    }


def fading_wave(path):
    """Frequency (Hz) and rate of decay (1/s) of what a receiver sees."""
    with netCDF4.Dataset(path) as data:
        time, seen = data["time"][:].data, data["vx"][:].data.ravel()

    def misfit(p):
        return np.exp(-p[1] * time) * np.cos(2 * np.pi * p[0] * time + p[2]) * p[3] - seen

    starts = [least_squares(misfit, [f, 0.1, a, 1]) for f in (0.87, 1.73) for a in (0, 2, 4)]
    best = min(starts, key=lambda s: s.cost)
    assert best.cost < 1e-3 * np.sum(seen**2)
    return best.x[0], best.x[1]


@pytest.mark.parametrize("place", [0.11, 0.5, 0.89], ids=["low", "middle", "high"])
@pytest.mark.parametrize(("kind", "order"), [("P", 4), ("S", 3), ("S", 5)])
def test_waves_fade_and_travel_as_a_constant_quality_has_it(tmp_path, kind, order, place):
    """The wave's frequency lies at one place or another of a band of two decades."""
    quality, own = 20, FREQUENCY * (2 if kind == "P" else 1)
    band = [own * 100**-place, own * 100 ** (1 - place)]
    run(write_case(tmp_path, plane_wave(kind, quality, band, order)), ranks=2)
    frequency, decay = fading_wave(tmp_path / "output/receivers.nc")
    speed = (frequency / np.sqrt(band[0] * band[1])) ** (np.arctan(1 / quality) / np.pi)
    assert frequency / own == pytest.approx(speed, rel=0.005)
    cycles = 3 / frequency
    assert np.exp(-decay * cycles) == pytest.approx(np.exp(-3 * np.pi / quality), rel=0.03)


def test_a_run_goes_on_with_what_its_rock_remembers(tmp_path):
    case = plane_wave("S", 20, [0.2, 5.0], order=3)
    case["time"]["end"] = "0.4s"
    case["output"]["restart"] = {"every": "0.2s"}
    path = write_case(tmp_path, case)
    run(path, "--output", tmp_path / "whole", ranks=2)
    (restart,) = [r for r in (tmp_path / "whole").glob("restart_*.nc") if "0.2" in r.name]
    case["time"]["end"] = "0.2s"
    run(write_case(tmp_path, case), "--output", tmp_path / "parts", ranks=1)
    case["time"]["end"] = "0.4s"
    run(write_case(tmp_path, case), "--output", tmp_path / "parts", "--restart", restart, ranks=3)
    assert_same(tmp_path / "whole/receivers.nc", tmp_path / "parts/receivers.nc")


def test_bands_that_the_mechanisms_cannot_fit_are_refused(tmp_path):
    case = plane_wave("S", 20, [0.01, 10.0])
    error = refused(write_case(tmp_path, case))
    assert "attenuation.band" in error and "3 mechanisms" in error and "%" in error


def test_a_quality_without_a_band_is_refused(tmp_path):
    case = plane_wave("S", 20, [0.1, 10.0])
    del case["attenuation"]
    error = refused(write_case(tmp_path, case))
    assert "[attenuation]" in error and "qp" in error


def test_a_quality_that_is_no_rocks_is_refused(tmp_path):
    error = refused(write_case(tmp_path, plane_wave("S", 2, [0.1, 10.0])))
    assert "qp" in error and "5 or more" in error
