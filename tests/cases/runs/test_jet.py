"""Refraction by a jet, through the program, against rays that scipy integrates."""

import netCDF4
import numpy as np
import pytest
from launching import moment, run, write_case
from scipy.integrate import solve_ivp

GRAVITY, RADIUS, KM = 9.80665, 6371.229e3, 1.0 / 111.1989  # degrees
PEAK, SPREAD, TOWARDS = 10.0, np.radians(10.0), np.radians(60.0)  # s; from east, anticlockwise
WIDTH = 3e3  # m, of the jet exp(-y²/2w²)
SOUTH, WEST, EAST = -9.5e3, -24e3, 10e3  # m: where the swell is held, sides of the sea


def held(frequency, direction):
    """N of the wave maker but for a factor: JONSWAP (γ = 3.3) over frequency, cos²ˢ of half the angle."""
    nu = frequency * PEAK
    width = np.where(nu <= 1.0, 0.07, 0.09)
    shape = nu**-5 * np.exp(-1.25 * nu**-4) * 3.3 ** np.exp(-0.5 * ((nu - 1.0) / width) ** 2)
    power = 2.0 * (2.0 / SPREAD**2 - 1.0)
    return shape / frequency * np.abs(np.cos(0.5 * (direction - TOWARDS))) ** power


def by_rays(fastest, y, frequency, direction):
    """N at (0, y), m from the middle of the jet: rays back in time, along which dx/dt = cg + U, dk/dt = -(∇U) k, and N/J is kept, J =
    k/cg. Some come back from the jet, or run along it and never came in."""
    sigma = 2.0 * np.pi * frequency
    k = sigma**2 / GRAVITY
    start = np.concatenate([0.0 * k, y + 0.0 * k, k * np.cos(direction), k * np.sin(direction)])

    def rate(_, state):
        _, north, k_x, k_y = np.split(state, 4)
        size = np.hypot(k_x, k_y)
        group = 0.5 * np.sqrt(GRAVITY / size)
        speed = fastest * np.exp(-0.5 * (north / WIDTH) ** 2)
        pushed = speed * north / WIDTH**2 * k_x
        return -np.concatenate([group * k_x / size + speed, group * k_y / size, 0.0 * k_x, pushed])

    x, north, k_x, k_y = np.split(solve_ivp(rate, (0.0, 7200.0), start, rtol=1e-6, atol=1e-7).y[:, -1], 4)
    before, towards = np.sqrt(GRAVITY * np.hypot(k_x, k_y)), np.arctan2(k_y, k_x)
    # In still water south of the maker's edge: where it crossed that.
    x += (SOUTH - north) * k_x / np.where(k_y > 0.0, k_y, 1.0)
    comes_in = (north < SOUTH) & (k_y > 0.0) & (x > WEST) & (x < EAST)
    return np.where(comes_in, (sigma / before) ** 3 * held(before / (2.0 * np.pi), towards), 0.0)


def sea(density, frequency, direction):
    """Variance and mean direction of E = σN, by sums over even bins."""
    energy = density * frequency
    return energy.sum(), np.degrees(
        np.arctan2((energy * np.sin(direction)).sum(), (energy * np.cos(direction)).sum())
    )


@pytest.fixture(scope="module")
def mesh(make_mesh):
    return make_mesh(
        "jet",
        "--depth",
        "4000",
        f"--region={WEST / 1e3 * KM},{EAST / 1e3 * KM},{-12 * KM},{8 * KM}",
        "--spacing",
        "1",
    )


@pytest.mark.parametrize("fastest", [2.0, -2.0])
def test_a_jet_turns_and_raises_swell_as_rays_have_it(mesh, tmp_path, fastest):
    """Cells of 1 km, a third of the jet's width; directions of 7.5°, frequencies 3 % apart: 1° and 2 % of Hs."""
    across = np.arange(-5.0, 6.1, 1.8)
    places = [[0.0, y * KM] for y in (-10.5, *across)]
    table = {
        "time": {"start": moment(0), "end": moment(1.6), "source_step": "6min"},
        "mesh": {"file": mesh},
        "spectrum": {"directions": 48, "frequencies": 30, "first_frequency": 0.072, "ratio": 1.03},
        "current": [
            {
                "shape": "jet",
                "amplitude": [fastest, 0.0],
                "centre": [0.0, 0.0],
                "along": 90.0,
                "width": WIDTH / 1e3,
            }
        ],
        "wave_maker": [
            {
                "region": [-30 * KM, 30 * KM, -30 * KM, SOUTH / 1e3 * KM],
                "hs": 1.0,
                "tp": PEAK,
                "direction": 210.0,
                "spread": 10.0,
            }
        ],
        "initial": {"state": "calm"},
        "physics": {"package": "none"},
        "output": {"points": [{"file": "spectra.nc", "every": "96min", "at": places}]},
    }
    run(write_case(tmp_path / "case.toml", table))
    with netCDF4.Dataset(tmp_path / "output/spectra.nc") as data:
        density = np.asarray(data["efth"][-1])
        frequency, bearing = np.asarray(data["frequency"][:]), np.radians(data["direction"][:])
        y = RADIUS * np.radians(np.asarray(data["latitude"][:]).reshape(-1, len(places))[-1])
    # Up to 0.16 Hz: shorter waves have not arrived.
    sides = np.concatenate([[frequency[0]], 0.5 * (frequency[1:] + frequency[:-1]), [frequency[-1]]])
    last = np.searchsorted(frequency, 0.16)
    band = (sides[1:] - sides[:-1])[:last, None] * np.ones(bearing.size)
    direction = (0.5 * np.pi - bearing)[None, :] * np.ones((last, 1))
    fine_f = sides[0] + (sides[last] - sides[0]) * (np.arange(40) + 0.5) / 40
    fine_d = np.radians(np.arange(-60.0, 101.0, 2.0))
    fine_f, fine_d = (grid.ravel() for grid in np.meshgrid(fine_f, fine_d, indexing="ij"))

    found = [sea(each[:last] * band, 1.0, direction) for each in density]
    begin = sea(held(fine_f, fine_d), fine_f, fine_d)
    turned = []
    for place, (variance, towards) in zip(y[1:], found[1:], strict=True):
        truth = sea(by_rays(fastest, place, fine_f, fine_d), fine_f, fine_d)
        height = np.sqrt(variance / found[0][0] / (truth[0] / begin[0]))
        assert height == pytest.approx(1.0, abs=0.02), place
        assert towards == pytest.approx(truth[1], abs=1.0), place
        turned.append(truth[1] - begin[1])
    # What there is to be found is much more than that.
    assert np.abs(turned).max() > 3.0
