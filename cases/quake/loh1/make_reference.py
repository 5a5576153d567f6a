#!/usr/bin/env python3
"""The reference of LOH.1: velocity at the surface of a layer over a half-space, of a double couple Mxy in the half-space.

Every horizontal wavenumber and frequency is a problem of plane waves: two upgoing ones come from the source (K. Aki and
P. G. Richards 2002, "Quantitative Seismology", section 6.1), and six go on from the interface and the surface such that the
interface is welded and the surface free. Wavenumbers are summed as by M. Bouchon (1981), doi:10.1785/BSSA0710040959: in
equal steps, at frequencies with an imaginary part, so that the sources that repeat in space arrive too late. See README.md.
"""

import argparse
import dataclasses
import math
import pathlib

import numpy as np
from scipy.special import jv

FOLDER = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Rock:
    density: float  # kg m-3
    vp: float  # m s-1
    vs: float

    @property
    def mu(self):
        return self.density * self.vs**2

    @property
    def lame(self):
        return self.density * self.vp**2 - 2 * self.mu


LAYER, BELOW, THICK = Rock(2600.0, 4000.0, 2000.0), Rock(2700.0, 6000.0, 3464.0), 1000.0
DEPTH, MOMENT = 2000.0, 1e18  # m; N m
WIDTH, CENTRE = 0.09, 0.5  # s: of the Gaussian moment rate
RECEIVER = (6000.0, 8000.0)


def up(square):
    """The vertical wavenumber of waves that go up, or fade upwards."""
    root = np.sqrt(square + 0j)
    return np.where(root.imag < 0, -root, root)


def plane_waves(rock, k, omega, way):
    """[(displacement along k, up; traction along k, up), P and SV] of plane waves that go up (way 1) or down (-1)."""
    found = []
    for vertical, is_p in (
        (up((omega / rock.vp) ** 2 - k**2), True),
        (up((omega / rock.vs) ** 2 - k**2), False),
    ):
        q = way * vertical
        along, upward = (k + 0j, q) if is_p else (vertical, -way * k + 0j)
        strain = k * along + q * upward
        shear = 1j * rock.mu * (q * along + k * upward)
        normal = 1j * (rock.lame * strain + 2 * rock.mu * q * upward)
        found.append([along, upward, shear, normal])
    return np.moveaxis(np.array(found), -1, 0).swapaxes(1, 2)  # [k, what, wave]


def response(k, omega):
    """Surface displacement along k, across and up, [k], of a unit moment Mxy, without the factors sin 2θ, cos 2θ and sin 2θ
    of the direction θ of the wavenumber."""
    fall = {c: np.exp(1j * up((omega / c) ** 2 - k**2) * THICK) for c in (LAYER.vp, LAYER.vs)}
    through = np.stack([fall[LAYER.vp], fall[LAYER.vs]], axis=-1)[:, None, :]
    p, s = (up((omega / c) ** 2 - k**2) for c in (BELOW.vp, BELOW.vs))
    factor = 1 / (2 * BELOW.density * omega**2)
    rise = [np.exp(1j * q * (DEPTH - THICK)) for q in (p, s)]
    comes = np.stack(
        [factor * k**2 / p * rise[0], factor * k * rise[1]], axis=-1
    )  # P and SV at the interface

    rising, falling = (plane_waves(LAYER, k, omega, way) for way in (1, -1))
    leaving, coming = plane_waves(BELOW, k, omega, -1), plane_waves(BELOW, k, omega, 1)
    system = np.zeros((len(k), 6, 6), complex)
    system[:, :2, :2], system[:, :2, 2:4] = (rising * through)[:, 2:], falling[:, 2:]  # at the surface
    system[:, 2:, :2], system[:, 2:, 2:4], system[:, 2:, 4:] = rising, falling * through, -leaving
    right = np.concatenate([np.zeros((len(k), 2)), np.einsum("kij,kj->ki", coming, comes)], axis=1)
    scale = np.array([1, 1, 0, 0, 1, 1]) / (LAYER.mu * abs(omega) / LAYER.vs) + np.array([0, 0, 1, 1, 0, 0])
    waves = np.linalg.solve(system * scale[:, None], (right * scale)[..., None])[..., 0]
    along, upward = (np.einsum("kij,kj->ki", (rising * through)[:, :2], waves[:, :2])
                     + np.einsum("kij,kj->ki", falling[:, :2], waves[:, 2:4])).T  # fmt: skip

    # SH waves: one up in the layer, one down, one down below; the surface sends all of it back.
    comes = factor * (omega / BELOW.vs) ** 2 * k / s * rise[1]
    above = LAYER.mu * up((omega / LAYER.vs) ** 2 - k**2)
    below = BELOW.mu * s
    echo = fall[LAYER.vs] ** 2
    across = 2 * fall[LAYER.vs] * 2 * below * comes / (below * (1 + echo) + above * (1 - echo))
    return along, across, upward


def velocity(places, end=12.0, interval=0.01, width=WIDTH, centre=CENTRE):
    """(times s, [place, (radial, transverse, vertical), time] m s-1) at places (x, y) of the surface. Radial points away from
    the source, transverse a quarter turn to the left of it, seen from above, vertical up."""
    length = 1 << math.ceil(math.log2(1.6 * end / interval))
    period = length * interval
    fade = math.log(1e3) / period  # what comes after the period comes back a thousand times smaller
    far = np.hypot(*np.array(places).T)
    angle = 2 * np.arctan2(*np.array(places).T[::-1])
    step = 2 * np.pi / (1.2 * BELOW.vp * period + 2 * max(far))
    spectrum = np.zeros((len(places), 3, length // 2 + 1), complex)
    for n in range(spectrum.shape[2]):
        omega = 2 * np.pi * n / period + 1j * fade
        rate = np.exp(1j * omega * centre - 0.5 * (omega * width) ** 2)
        if abs(rate) < 1e-7:
            break
        k = step * np.arange(1, math.ceil((1.05 * omega.real / LAYER.vs + 16.0 / (DEPTH - THICK)) / step))
        along, across, upward = response(k, omega)
        for place, (r, two) in enumerate(zip(far, angle)):
            first, second, third = (jv(m, k * r) for m in (1, 2, 3))
            one, other = 1j * np.pi * (first - third), 1j * np.pi * (first + third)
            parts = (
                math.sin(two) * (along * one + across * other),
                math.cos(two) * (along * other + across * one),
                -2 * np.pi * math.sin(two) * upward * second,
            )
            spectrum[place, :, n] = np.sum(k * np.array(parts), axis=1) * (
                MOMENT * rate * step / (4 * np.pi**2)
            )
    time = interval * np.arange(length)
    series = np.fft.irfft(np.conj(spectrum), length) / interval * np.exp(fade * time)
    keep = time <= end + 1e-9
    return time[keep], series[..., keep]


def published(folder, width=WIDTH, centre=CENTRE, end=9.0):
    """(times, (radial, transverse, vertical)) at (6, 8, 0) km from the files LOH1-ProseFK-*.npy of that folder, a solution by
    frequency and wavenumber for a moment rate that is a pulse at time 0: made m/s and vertical up, and convolved with the
    Gaussian. Radial has a slow wave in it, 2 % of its peak, which is there before the first arrival."""
    read = {name: np.load(pathlib.Path(folder) / f"LOH1-ProseFK-{name}.npy").astype(float)
            for name in ("Time", "V-Radial", "V-Transverse", "V-Vertical")}  # fmt: skip
    pulse = np.stack([1e5 * read[f"V-{name}"] for name in ("Radial", "Transverse", "Vertical")])
    interval = read["Time"][-1] / (len(read["Time"]) - 1)
    time = interval * np.arange(math.floor(end / interval) + 1)
    lag = time[:, None] - interval * np.arange(pulse.shape[1]) - centre
    gaussian = np.exp(-0.5 * (lag / width) ** 2) / (width * math.sqrt(2 * np.pi))
    return time, pulse @ gaussian.T * interval


def main():
    options = argparse.ArgumentParser(description="Writes the reference of LOH.1 at (6, 8, 0) km.")
    options.add_argument(
        "--width", type=float, default=WIDTH, metavar="S", help=f"of the Gaussian (default {WIDTH})"
    )
    options.add_argument(
        "--centre", type=float, default=CENTRE, metavar="S", help=f"of the Gaussian (default {CENTRE})"
    )
    options.add_argument(
        "--published", metavar="FOLDER", help="take LOH1-ProseFK-*.npy from this folder in place of computing"
    )
    options.add_argument(
        "--output", metavar="FILE.csv", help="default: output/reference.csv beside this script"
    )
    chosen = options.parse_args()
    output = pathlib.Path(chosen.output) if chosen.output else FOLDER / "output" / "reference.csv"
    output.parent.mkdir(parents=True, exist_ok=True)
    if chosen.published:
        said = "frequency and wavenumber, published"
        time, found = published(chosen.published, chosen.width, chosen.centre)
    else:
        said = "plane waves of a layer over a half-space"
        time, (found,) = velocity([RECEIVER], width=chosen.width, centre=chosen.centre)
    with output.open("w", encoding="utf-8") as out:
        out.write(f"# source: {said}\n")
        out.write(
            f"# LOH.1 at (6, 8, 0) km, m/s; Gaussian moment rate of width {chosen.width:g} s about {chosen.centre:g} s\n"
        )
        out.write("time,radial,transverse,vertical\n")
        np.savetxt(out, np.column_stack([time, *found]), "%.6f,%.9e,%.9e,%.9e")
    print(f"{output}: {len(time)} samples")


if __name__ == "__main__":
    main()
