"""The references of the cases in cases/quake obey the physics that they stand for; the mesh of LOH.1 is what its case asks for."""

import importlib.util
import math
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from pages import ROOT

from groundswell.misfit import relative_rms
from groundswell.plot.quake.receivers import Reference
from groundswell.plot.quake.seismograms import filtered

PUBLISHED = pathlib.Path(os.environ.get("GROUNDSWELL_TEST_DATA", "/nowhere")) / "quake/loh1/reference"


def script(name):
    spec = importlib.util.spec_from_file_location(name.replace("/", "_"), ROOT / f"cases/quake/{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for themselves
    spec.loader.exec_module(module)
    return module


loh1, layers, waves = (script(f"{case}/make_reference") for case in ("loh1", "two-layers", "plane-wave"))
sys.modules["make_rupture"] = rupture = script("kinematic/make_rupture")  # where the next one looks for it
kinematic = script("kinematic/make_reference")


@pytest.fixture(scope="module")
def surface():
    """(times, [place, component, time]) at LOH.1's receiver, north of the source, and half as far."""
    return loh1.velocity([loh1.RECEIVER, (0.0, 6000.0), (3000.0, 4000.0)], end=6.0, interval=0.02)


def ray(above, below, far, deep=2000.0, thick=1000.0):
    """Seconds of the fastest way from the depth to the surface, with one corner at the interface."""
    corner = np.linspace(0.0, far, 20001)
    return np.min(np.hypot(corner, thick) / above + np.hypot(far - corner, deep - thick) / below)


def onset(time, series, share=0.02):
    return time[np.argmax(np.abs(series) > share * np.abs(series).max())]


@pytest.mark.parametrize("place, far", [(0, 10000.0), (2, 5000.0)])
def test_loh1_begins_with_p_away_and_up_where_the_source_presses(surface, place, far):
    time, seen = surface
    radial, _, vertical = seen[place]
    direct = loh1.CENTRE + ray(4000.0, 6000.0, far)
    for series in (radial, vertical):
        before = time < direct - 5 * loh1.WIDTH
        assert np.abs(series[before]).max() < 1e-4 * np.abs(series).max()
        assert direct - 4 * loh1.WIDTH < onset(time, series) < direct + loh1.WIDTH
    first = (time > direct - loh1.WIDTH) & (time < direct + loh1.WIDTH)
    assert radial[first].mean() > 0 and vertical[first].mean() > 0


def test_loh1_moves_sideways_from_s_on(surface):
    time, seen = surface
    transverse = seen[0, 1]
    direct = loh1.CENTRE + ray(2000.0, 3464.0, 10000.0)
    peak = np.abs(transverse).max()
    assert np.abs(transverse[time < direct - 3 * loh1.WIDTH]).max() < 0.06 * peak
    assert np.abs(transverse[np.abs(time - direct) < 2 * loh1.WIDTH]).max() > 0.9 * peak


def test_loh1_is_silent_but_for_the_transverse_where_the_source_has_its_planes(surface):
    """Along the axes a double couple Mxy sends no P and no SV."""
    radial, transverse, vertical = surface[1][1]
    assert max(np.abs(radial).max(), np.abs(vertical).max()) < 1e-9 * np.abs(transverse).max()


def test_loh1_without_a_layer_has_the_p_wave_of_one_rock(monkeypatch):
    """Far from a deep source: u = Ṁ sin²i sin 2φ / 4πρvp³r (Aki & Richards 2002, equation 4.33), times what the free surface
    makes of it (their problem 5.6)."""
    monkeypatch.setattr(loh1, "LAYER", loh1.BELOW)
    monkeypatch.setattr(loh1, "DEPTH", 20000.0)
    x, y, rock = 9000.0, 12000.0, loh1.BELOW
    width = 0.02
    time, seen = loh1.velocity([(x, y)], end=6.0, interval=0.005, width=width)
    way = math.hypot(x, y, loh1.DEPTH)
    direct = loh1.CENTRE + way / rock.vp
    sine, cosine = math.hypot(x, y) / way, loh1.DEPTH / way
    slow, steep = sine / rock.vp, math.sqrt(rock.vs**-2 - (sine / rock.vp) ** 2)
    flat = rock.vs**-2 - 2 * slow**2
    surface = 2 / rock.vs**2 / (flat**2 + 4 * slow**2 * cosine / rock.vp * steep)
    up, along = cosine * flat * surface, 2 * sine * cosine / rock.vp * steep * surface
    pressed = 2 * x * y / way**2 / (4 * np.pi * rock.density * rock.vp**3 * way)
    steepest = (
        loh1.MOMENT * math.exp(-0.5) / (width**2 * math.sqrt(2 * np.pi))
    )  # N m s-2, one width before the middle
    for series, share in ((seen[0, 0], along), (seen[0, 2], up)):
        peak = np.argmax(series * (time < direct + width))
        assert time[peak] == pytest.approx(direct - width, abs=0.006)
        assert series[peak] == pytest.approx(steepest * pressed * share, rel=0.05)


@pytest.mark.skipif(not PUBLISHED.exists(), reason="needs quake/loh1 of GROUNDSWELL_TEST_DATA")
def test_loh1_agrees_with_the_published_solution(surface):
    """Which holds for frequencies from 0.2 Hz on: below, its radial component has a slow wave before the first arrival."""
    axis, published = loh1.published(PUBLISHED)
    highest = published[:, np.argmax(np.abs(published), axis=1)].diagonal()
    assert highest == pytest.approx([-0.759, -0.729, -0.899], abs=0.002)
    time, seen = surface
    for mine, other in zip(seen[0], published):
        mine, other = (filtered(time, v, (0.2, 6.0)) for v in (mine, np.interp(time, axis, other)))
        assert relative_rms(mine, other) < 0.05


# ------------------------------------------------------------------------------------------------------- other cases

TIME = np.linspace(0.0, 4.0, 4001)


@pytest.mark.parametrize("wave", ["P", "S"])
def test_two_layers_are_welded_and_their_surface_is_free(wave):
    above, below = (layers.motion(wave, layers.INTERFACE + side * 1e-9, TIME) for side in (1, -1))
    scale = np.abs(below[1]).max()
    assert np.allclose(above[0], below[0], atol=1e-9) and np.allclose(above[1], below[1], atol=1e-9 * scale)
    assert np.abs(layers.motion(wave, 0.0, TIME)[1]).max() < 1e-9 * scale


@pytest.mark.parametrize("wave, z", [("P", -400.0), ("S", -400.0), ("P", -1800.0), ("S", -1800.0)])
def test_two_layers_obey_newton_and_hooke(wave, z):
    """ρ ∂v/∂t = ∂σ/∂z and ∂σ/∂t = ρ c² ∂v/∂z."""
    rock, step = "above" if z > layers.INTERFACE else "below", 0.01
    density, speed = layers.DENSITY[rock], layers.SPEED[wave][rock]
    low, here, high = (layers.motion(wave, z + shift, TIME) for shift in (-step, 0.0, step))
    by_time = [np.gradient(part, TIME, edge_order=2)[5:-5] for part in here]
    by_height = [((b - a) / (2 * step))[5:-5] for a, b in zip(low, high)]
    for found, wanted in (
        (density * by_time[0], by_height[1]),
        (by_time[1], density * speed**2 * by_height[0]),
    ):
        assert np.allclose(found, wanted, atol=2e-3 * np.abs(wanted).max())


def test_two_layers_give_back_the_energy_of_the_pulse():
    """What comes up through a level leaves again, once the echoes are over: none is lost in the rock or at the surface."""
    long = np.linspace(0.0, 40.0, 40001)
    for wave in "PS":
        power = np.prod(layers.motion(wave, -1800.0, long), axis=0)
        assert abs(np.sum(power)) < 1e-6 * np.sum(np.abs(power))
    start, _ = layers.motion("P", layers.START, np.array([0.0]))
    assert start == pytest.approx([1.0], abs=1e-12)


@pytest.mark.parametrize("wave", ["P", "S"])
def test_plane_waves_solve_the_equations_of_waves(wave):
    """∂²v/∂t² = vp² ∇(∇·v) - vs² ∇×∇×v, by differences in space and time."""
    step, place, when = 1e-3, waves.RECEIVER, np.array([0.37])
    axes = step * np.eye(3)

    def at(shift=0.0, later=0.0):
        return waves.velocity(wave, place + shift, when + later)[:, 0]

    by_time = (at(later=step) - 2 * at() + at(later=-step)) / step**2
    second = np.empty((3, 3, 3))  # [i, j, component]
    for i in range(3):
        for j in range(3):
            second[i, j] = (
                at(axes[i] + axes[j]) - at(axes[i] - axes[j]) - at(axes[j] - axes[i]) + at(-axes[i] - axes[j])
            ) / (4 * step**2)
    gradient = np.einsum("ijj->i", second)
    laplacian = np.einsum("iij->j", second)
    wanted = waves.VP**2 * gradient - waves.VS**2 * (gradient - laplacian)
    assert by_time == pytest.approx(wanted, abs=1e-3 * np.abs(wanted).max())
    assert waves.velocity(wave, place + np.array([2.0, 0.0, 0.0]), when) == pytest.approx(
        at()[:, None]
    )  # periodic


@pytest.mark.parametrize("case, files", [("two-layers", layers.RECEIVERS), ("plane-wave", ["reference"])])
def test_the_scripts_write_what_the_plots_read(case, files, tmp_path, monkeypatch):
    target = tmp_path if case == "two-layers" else tmp_path / "reference.csv"
    monkeypatch.setattr(sys, "argv", ["make_reference.py", "--output", str(target)])
    (layers if case == "two-layers" else waves).main()
    for name in files:
        reference = Reference(tmp_path / f"{name}.csv")
        assert reference.label != f"{name}.csv" and {"vx", "vy", "vz"} <= set(reference.only.values)


# ------------------------------------------------------------------------------------------------------- the mesh of LOH.1


@pytest.fixture(scope="module")
def mesh(tmp_path_factory):
    """Gmsh's own model of the coarse mesh."""
    gmsh = pytest.importorskip("gmsh", exc_type=ImportError)
    file = tmp_path_factory.mktemp("loh1") / "coarse.msh"
    command = [sys.executable, ROOT / "cases/quake/loh1/make_mesh.py", "--coarse", "--output", file]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert answer.returncode == 0, answer.stderr
    assert file.read_bytes()[:20].startswith(b"$MeshFormat\n4.1 1 8\n"[:20])
    gmsh.initialize()
    gmsh.option.setNumber("General.Verbosity", 1)
    gmsh.open(str(file))
    yield gmsh
    gmsh.finalize()


def entities(gmsh, dimension, name):
    for _, tag in gmsh.model.getPhysicalGroups(dimension):
        if gmsh.model.getPhysicalName(dimension, tag) == name:
            return gmsh.model.getEntitiesForPhysicalGroup(dimension, tag)
    return []


def corners(gmsh, dimension, name):
    """[element, corner, xyz]."""
    tags, places, _ = gmsh.model.mesh.getNodes()
    row = dict(zip(tags, range(len(tags))))
    nodes = np.concatenate(
        [
            gmsh.model.mesh.getElementsByType({2: 2, 3: 4}[dimension], e)[1]
            for e in entities(gmsh, dimension, name)
        ]
    )
    found = places.reshape(-1, 3)[[row[n] for n in nodes]]
    return found.reshape(-1, dimension + 1, 3)


def test_the_mesh_has_the_layer_the_surface_and_the_edges(mesh):
    layer, below = (corners(mesh, 3, name) for name in ("layer", "half-space"))
    assert layer[..., 2].min() == -1000.0 == below[..., 2].max() and layer[..., 2].max() == 0.0
    surface, edges = (corners(mesh, 2, name) for name in ("free surface", "absorbing"))
    assert not surface[..., 2].any() and (edges[..., 2].min(axis=1) < 0.0).all()
    low, high = (f(below.reshape(-1, 3), axis=0) for f in (np.min, np.max))

    def area(triangles):
        a, b, c = np.moveaxis(triangles, 1, 0)
        return np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2

    (x, y, depth) = np.abs(np.subtract(high, low)) + (0.0, 0.0, 1000.0)
    assert area(surface) == pytest.approx(x * y)
    assert area(edges) == pytest.approx(x * y + 2 * (x + y) * depth)
    assert 20000 < len(layer) + len(below) < 30000


def test_no_edge_of_the_mesh_sends_p_waves_back_within_the_run(mesh):
    places = corners(mesh, 2, "absorbing").reshape(-1, 3)
    source, receiver = np.array([0.0, 0.0, -2000.0]), np.array([6000.0, 8000.0, 0.0])
    for axis, end in ((0, np.min), (0, np.max), (1, np.min), (1, np.max), (2, np.min)):
        mirrored = receiver.copy()
        mirrored[axis] = 2 * end(places[:, axis]) - receiver[axis]
        assert np.linalg.norm(mirrored - source) / 6000.0 > 9.0


def test_elements_of_the_mesh_are_round(mesh):
    tags = mesh.model.mesh.getElementsByType(4)[0]
    # Far away edges are as long as the layer is thick.
    found = np.sort(mesh.model.mesh.getElementQualities(tags, "gamma"))
    assert found[0] > 0.05 and found[len(found) // 50] > 0.2 and np.median(found) > 0.7


class Bell:
    """A Gaussian rate of slip about time 0."""

    width = 0.25

    def at(self, time):
        return np.exp(-0.5 * (time / self.width) ** 2)

    def slope(self, time):
        return -time / self.width**2 * self.at(time)


def test_the_exact_field_of_a_moment_obeys_newton_and_hooke():
    """ρ ∂²v/∂t² = (λ + μ) ∇(∇·v) + μ ∇²v, by differences of fourth order, near the source and far, in P, in S and between."""
    tensor = np.array([[1.0, -2.0, 0.5], [-2.0, 3.0, 1.5], [0.5, 1.5, -1.0]]) * 1e17
    mu = kinematic.DENSITY * kinematic.VS**2
    lam = kinematic.DENSITY * kinematic.VP**2 - 2 * mu
    step, tick = 60.0, 0.02
    first = np.array([1, -8, 0, 8, -1]) / 12
    second = np.array([-1, 16, -30, 16, -1]) / 12
    for place in ((900.0, -400.0, 600.0), (3000.0, 5000.0, -2000.0)):
        far = np.linalg.norm(place)
        times = np.array(
            [far / kinematic.VP, 0.5 * far * (1 / kinematic.VP + 1 / kinematic.VS), far / kinematic.VS]
        )

        def field(offset, when=times, place=place):
            return kinematic.velocity(np.array(place) + step * np.array(offset), tensor, Bell(), when)

        axes = np.eye(3)
        gradient = np.empty((3, 3, 3, times.size))  # [axis, axis, component, time]
        for i in range(3):
            for j in range(3):
                if i == j:
                    parts = [second[k] * field((k - 2) * axes[i]) for k in range(5)]
                else:
                    parts = [
                        first[k] * first[m] * field((k - 2) * axes[i] + (m - 2) * axes[j])
                        for k in range(5)
                        for m in range(5)
                    ]
                gradient[i, j] = sum(parts) / step**2
        divergence = np.array([sum(gradient[i, j, j] for j in range(3)) for i in range(3)])
        force = (lam + mu) * divergence + mu * sum(gradient[i, i] for i in range(3))
        inertia = sum(second[k] * field((0, 0, 0), times + (k - 2) * tick) for k in range(5))
        inertia = kinematic.DENSITY * inertia / tick**2
        np.testing.assert_allclose(inertia, force, rtol=0, atol=0.01 * np.abs(force).max())


def test_the_rupture_of_the_kinematic_case_is_its_slip_and_reaches_its_end():
    rates, points = rupture.slip_rates(), list(rupture.points())
    assert rupture.INTERVAL * sum(rates) == pytest.approx(rupture.SLIP, rel=1e-12)
    assert rates[0] == rates[-1] == 0
    half = 0.5 * rupture.LENGTH / rupture.COLUMNS
    assert max(begin for *_, begin in points) == pytest.approx(
        (rupture.LENGTH - half) / rupture.RUPTURE_SPEED
    )
    rate = kinematic.Rate(rupture.INTERVAL, rates)
    assert rate.at(np.array([0.6]))[0] == pytest.approx(2 * rupture.SLIP / rupture.RISE_TIME)
    assert rate.slope(np.array([0.02]))[0] == pytest.approx((rates[1] - rates[0]) / rupture.INTERVAL)
