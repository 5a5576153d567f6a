#!/usr/bin/env python3
"""Share of a wave that comes back from an absorbing side, by the angle at which it comes: from the boundary alone, and from behind layers.

    build/venv/bin/python tests/validation/reflection.py [--angles DEGREE ...] → build/validation/reflection: table.json, runs

A packet of plane waves that share one length along the boundary goes down through a column that is periodic along x and y, and comes
back. The root of its energy by what it was before is the amplitude that is reflected, of all kinds of waves together. Ends with exit
code 1 where a layer gives back more than the boundary alone does, beyond what rounding and the mesh make of nothing.
"""

import argparse
import json
import math
import sys

import numpy as np
from netCDF4 import Dataset
from study import ROOT, call

FOLDER = ROOT / "build/validation/reflection"
VP, VS, DENSITY = 1732.05, 1000.0, 2000.0
PERIOD = 1.0  # s, so the S wave is a kilometre long
ANGLES = (0, 30, 60, 75, 85)
KINDS = ("P", "SV", "SH")
LAYERS = (0.0, 1.0, 2.0)  # lengths of an S wave
WIDTH = 0.6  # of the packet, as a standard deviation, in wavelengths along z
AHEAD = 2.5  # standard deviations from the middle of the packet to the boundary, and to the ground
NOTHING = 0.02
STRESSES = ("xx", "yy", "zz", "xy", "yz", "xz")


class Packet:
    """Plane waves with one k_x and a normal distribution of k_z, which go down."""

    def __init__(self, kind, degrees):
        self.kind, self.speed = kind, VP if kind == "P" else VS
        angle = math.radians(degrees)
        number = 2 * math.pi / (self.speed * PERIOD)
        self.length = self.speed * PERIOD  # of the wave, m
        self.across = number * math.sin(angle)
        down = number * math.cos(angle)
        self.width = WIDTH * 2 * math.pi / down
        self.fall = self.speed * math.cos(angle)  # m s⁻¹, of the packet
        # The packet comes again after 2π over the distance of the numbers: far beyond the column.
        steps = np.arange(-40, 41) / 40.0
        self.down = down + steps * min(3.2 / self.width, 0.98 * down)
        self.weight = np.exp(-0.5 * ((self.down - down) * self.width) ** 2)
        self.weight /= self.weight.sum()

    def fields(self, x, z, middle):
        """{name: [z, x]} of a packet about z = middle."""
        found = {}
        for down, weight in zip(self.down, self.weight):
            number = math.hypot(self.across, down)
            way = np.array([self.across, 0.0, -down]) / number
            moves = {"P": way, "SH": np.array([0.0, 1.0, 0.0]), "SV": np.array([way[2], 0.0, -way[0]])}[
                self.kind
            ]
            strain = np.outer(moves, way) + np.outer(way, moves)
            mu, stiff = DENSITY * VS**2, DENSITY * (VP**2 - 2 * VS**2)
            stress = -(stiff * (moves @ way) * np.eye(3) + mu * strain) / self.speed
            wave = weight * np.cos(self.across * x[None, :] - down * (z[:, None] - middle))
            for axis, name in enumerate("xyz"):
                found["v" + name] = found.get("v" + name, 0.0) + moves[axis] * wave
            for name in STRESSES:
                part = stress["xyz".index(name[0]), "xyz".index(name[1])]
                found["s" + name] = found.get("s" + name, 0.0) + part * wave
        return found

    def by_the_boundary_alone(self):
        """The same by the formula, of SH waves: (1 − cos θ)/(1 + cos θ) of each."""
        cosine = self.down / np.hypot(self.across, self.down)
        power = self.weight**2
        return float(np.sqrt((power * ((1 - cosine) / (1 + cosine)) ** 2).sum() / power.sum()))


def write_field(path, packet, length, depth, across):
    """The packet on a grid so fine that straight lines between its points are the wave."""
    middle = -AHEAD * packet.width
    x = np.linspace(-0.01 * length, 1.01 * length, 1 + math.ceil(50 * length / packet.length))
    shortest = 2 * math.pi / packet.down.max()
    z = np.linspace(-depth - 1.0, 1.0, 1 + math.ceil(50 * depth / shortest))
    with Dataset(path, "w", format="NETCDF3_64BIT_DATA") as file:
        for axis, values in (("z", z), ("y", np.array([-1.0, across + 1.0])), ("x", x)):
            file.createDimension(axis, len(values))
            variable = file.createVariable(axis, "f8", (axis,))
            variable.units, variable[:] = "m", values
        for name, values in packet.fields(x, z, middle).items():
            variable = file.createVariable(name, "f4", ("z", "y", "x"))
            variable.units = "m s-1" if name[0] == "v" else "Pa"
            variable[:] = np.repeat(values[:, None, :], 2, axis=1)


def case_of(folder, kind, degrees, layer, order=4, per_length=3.0):
    """A case in a folder: its file, and the packet. `layer`: in lengths of an S wave; `per_length`: cubes in that length, along z."""
    packet = Packet(kind, degrees)
    shortest = VS * PERIOD
    # Until what comes back from the boundary is where the packet was.
    seconds = 2 * (AHEAD * packet.width + layer * shortest) / packet.fall
    length = 2 * math.pi / packet.across if packet.across > 0 else 4 * shortest / per_length
    across, inside = 4 * shortest / per_length, 2 * AHEAD * packet.width
    depth = inside + layer * shortest
    cubes = [max(4, 2 * math.ceil(0.5 * per_length * length / shortest)), 4, math.ceil(per_length * depth / shortest)]  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    write_field(folder / "packet.nc", packet, length, depth, across)
    thickness = f"[absorbing_layer]\nthickness = {layer * shortest}\n" if layer else ""
    (folder / "case.toml").write_text(f'''model = "quake"

[time]
end = "{seconds:.6f}s"

[mesh.box]
cubes = {cubes}
length = [{length!r}, {across!r}, {depth!r}]
origin = [0.0, 0.0, {-depth!r}]
periodic = ["x", "y"]

[solver]
order = {order}

[material]
rock = [{{ density = {DENSITY}, vp = {VP}, vs = {VS} }}]

[initial]
file = "packet.nc"

{thickness}
[output.energies]
file = "energy.nc"
every = "{seconds:.6f}s"
''')
    return folder / "case.toml", packet


def reflected(output):
    """Of the folder of a run."""
    with Dataset(output / "energy.nc") as file:
        energy = file["kinetic"][:] + file["elastic"][:]
    return float(np.sqrt(energy[-1] / energy[0]))


def measure(kind, degrees, layer):
    """The amplitude that comes back."""
    case, packet = case_of(FOLDER / f"{kind}-{degrees:g}-{layer:g}", kind, degrees, layer)
    output = case.parent / "output"
    call("mpirun", "-n", 2, ROOT / "groundswell", "run", case, "--quiet", "--overwrite", "--output", output)
    found = reflected(output)
    formula = f", by the formula {packet.by_the_boundary_alone():.3f}" if kind == "SH" and not layer else ""
    print(f"{kind}, {degrees:g}°, layer of {layer:g} wavelengths: {found:.3f}{formula}", flush=True)
    return found


def main():
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--angles", type=float, nargs="+", default=ANGLES, help="degrees from the normal, below 90"
    )
    angles = parser.parse_args().angles
    table = {
        kind: {f"{angle:g}": [measure(kind, angle, layer) for layer in LAYERS] for angle in angles}
        for kind in KINDS
    }
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "table.json").write_text(json.dumps({"layers": LAYERS, "reflected": table}, indent=1) + "\n")
    worse = [
        (kind, angle)
        for kind, by_angle in table.items()
        for angle, (alone, *behind) in by_angle.items()
        if max(behind) > max(alone, NOTHING)
    ]
    for kind, angle in worse:
        print(
            f"reflection.py: error: {kind}, {angle}°: a layer gives back more than the boundary alone",
            file=sys.stderr,
        )
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
