"""Rock that attenuates waves: amplitude and speed against the Q that the case asks for; refusals; restart."""

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, refused, run, write_case
from scipy.optimize import least_squares

FREQUENCY = np.sqrt(3) / 2  # of the S wave in plane_wave(), Hz; the P wave's is twice that


def plane_wave(kind, quality, band, order=4):
    """A wave along the diagonal of a periodic cube of 2 m; vp = 2 m/s and vs = 1 m/s at the band's middle."""
    return {
        "model": "quake",
        "time": {"end": "2.5s"},
        "mesh": {
            "unusual": True,
            "box": {
                "cubes": [10 if order == 3 else 6] * 3,  # so that the scheme itself damps next to nothing
                "origin": [-1, -1, -1],
                "length": [2, 2, 2],
                "periodic": ["x", "y", "z"],
            },
        },
        "solver": {"order": order},
        "attenuation": {"band": band},
        "material": {
            "unusual": True,
            "rock": [{"density": 1, "vp": 2, "vs": 1, "qp": quality, "qs": quality}],
        },
        "initial": {"wave": [{"kind": kind, "wave_vector": [np.pi] * 3, "polarisation": [1.0, -1.0, 0.0]}]},
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


PLACES = {"low": 0.11, "middle": 0.5, "high": 0.89}
FEW = (("P", 4, "middle"), ("S", 3, "low"), ("S", 5, "high"))
WAVES = [(kind, order, place) for kind, order in (("P", 4), ("S", 3), ("S", 5)) for place in PLACES]


@pytest.mark.parametrize(
    ("kind", "order", "place"),
    [wave if wave in FEW else pytest.param(*wave, marks=pytest.mark.long) for wave in WAVES],
)
def test_waves_fade_and_travel_as_a_constant_quality_has_it(tmp_path, kind, order, place):
    """The wave's frequency lies at one place or another of a band of two decades."""
    quality, own = 20, FREQUENCY * (2 if kind == "P" else 1)
    band = [own * 100 ** -PLACES[place], own * 100 ** (1 - PLACES[place])]
    run(write_case(tmp_path / "case.toml", plane_wave(kind, quality, band, order)), ranks=2)
    frequency, decay = fading_wave(tmp_path / "output/receivers.nc")
    speed = (frequency / np.sqrt(band[0] * band[1])) ** (np.arctan(1 / quality) / np.pi)
    assert frequency / own == pytest.approx(speed, rel=0.005)
    cycles = 3 / frequency
    assert np.exp(-decay * cycles) == pytest.approx(np.exp(-3 * np.pi / quality), rel=0.03)


@pytest.mark.parametrize("precision", ["double", "float"])
def test_the_bits_are_those_of_one_rank_and_a_run_goes_on_with_what_its_rock_remembers(tmp_path, precision):
    """Soft rock that attenuates over hard rock that does not, hit by a moment: several clusters."""
    table = plane_wave("S", 20, [1.0, 20.0], order=3)
    del table["initial"]
    table["time"]["end"] = "0.2s"
    table["mesh"]["box"] = {"cubes": [5, 4, 4], "length": [1000, 900, 1100], "jitter": 0.12}
    table["solver"]["precision"] = precision
    table["material"]["rock"] = [{"layers": [[0, 2000, 1000, 400, 20, 10], [-400, 2700, 6000, 3464, 0, 0]]}]
    table["source"] = {
        "point": [
            {
                "place": [10, -20, -310],
                "strike": 30,
                "dip": 60,
                "rake": -40,
                "scalar_moment": 1e13,
                "time_function": "brune",
                "onset": 0.01,
                "rise_time": 0.02,
            }
        ]
    }
    table["output"]["receivers"][0]["at"] = [[0, 0, 0], [300, 200, -550]]
    table["output"]["restart"] = {"every": "0.09s", "keep": 0}
    case = write_case(tmp_path / "case.toml", table)
    run(case, "--output", tmp_path / "one", ranks=1)
    run(case, "--output", tmp_path / "three", ranks=3)
    run(case, "--output", tmp_path / "threads", "--set", "run.threads=3", ranks=1)
    names = sorted(path.name for path in (tmp_path / "one").glob("*.nc"))
    assert len(names) == 3
    assert_same(tmp_path / "three", tmp_path / "one", names)
    assert_same(tmp_path / "threads", tmp_path / "one", names)
    first = min(path.name for path in (tmp_path / "one").glob("restart_*.nc"))
    run(case, "--output", tmp_path / "three", "--restart", tmp_path / "one" / first, ranks=2)
    assert_same(tmp_path / "three", tmp_path / "one", names)


def refusal(tmp_path, table, *words):
    refused(groundswell("run", write_case(tmp_path / "case.toml", table)), *words)


def test_bands_that_the_mechanisms_cannot_fit_are_refused(tmp_path):
    refusal(tmp_path, plane_wave("S", 20, [0.01, 10.0]), "attenuation.band", "3 mechanisms", "%")


def test_a_quality_without_a_band_is_refused(tmp_path):
    table = plane_wave("S", 20, [0.1, 10.0])
    del table["attenuation"]
    refusal(tmp_path, table, "qp", "[attenuation]")


def test_a_quality_that_no_rock_has_is_refused(tmp_path):
    refusal(tmp_path, plane_wave("S", 2, [0.1, 10.0]), "qp", "5 or more")


@pytest.mark.parametrize("quality, found", [({"qp": 60, "qs": 20}, "qp = 60"), ({"qs": 20}, "qp: expected")])
def test_rock_that_would_gain_energy_when_it_is_compressed_is_refused(tmp_path, quality, found):
    table = plane_wave("S", 20, [0.1, 10.0])
    table["material"]["rock"] = [{"density": 2700, "vp": 6000, "vs": 3464, **quality}]
    refusal(tmp_path, table, found, "at most 45", "compressed")


def rock_grid(path, **columns):
    """A file of rock by height alone: density, vp and vs as in plane_wave(), and what else is given."""
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("z", 2)
        units = {"z": "m", "density": "kg m-3", "vp": "m s-1", "vs": "m s-1"}
        for name, values in {"z": [-2, 2], "density": [1, 1], "vp": [2, 2], "vs": [1, 1], **columns}.items():
            variable = file.createVariable(name, "f8", ("z",))
            variable.units = units.get(name, "1")
            variable[:] = values
    return str(path)


def test_a_grid_has_a_quality_for_both_waves_or_none_and_says_when_nobody_asks_for_it(tmp_path):
    table = plane_wave("S", 20, [0.1, 10.0], order=3)
    table["time"]["end"] = "0.05s"
    table["mesh"]["box"]["cubes"] = [4, 4, 4]
    whole = rock_grid(tmp_path / "whole.nc", qp=[20, 20], qs=[20, 20])
    constant = run(write_case(tmp_path / "constant.toml", table), "--output", tmp_path / "constant")
    table["material"]["rock"] = [{"grid": whole}]
    told = run(write_case(tmp_path / "grid.toml", table), "--output", tmp_path / "grid")
    assert "[attenuation]" not in constant.stderr + told.stderr
    seen = [
        netCDF4.Dataset(tmp_path / name / "receivers.nc")["vx"][:].filled() for name in ("constant", "grid")
    ]
    np.testing.assert_allclose(seen[1], seen[0], rtol=1e-5)

    half = rock_grid(tmp_path / "half.nc", qs=[20, 20])
    table["material"]["rock"] = [{"grid": half}]
    refusal(tmp_path, table, "half.nc", "qs", "both of qp and qs")

    del table["attenuation"]
    table["material"]["rock"] = [{"grid": whole}]
    told = run(write_case(tmp_path / "lossless.toml", table), "--output", tmp_path / "lossless", ranks=2)
    assert told.stderr.count("whole.nc has qp or qs, but the case has no section [attenuation]") == 1
