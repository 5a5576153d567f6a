"""Wanted edge length of elements at a place: as short as waves, faults and places ask, longer away from them."""

import numpy as np

from groundswell.ground import faults

# What Gmsh's elements are, with edges about as long as asked for (measured on boxes of 19 000 to 1 100 000 elements, see
# tests/python/test_ground_mesh.py): the mean of their longest edges over the size asked for, and their number in its cube.
LONGEST_EDGE = 1.6
ELEMENTS_IN_CUBE = 4.6
MOST_POINTS = 1_500_000  # of the grid on which sizes are told to Gmsh


class SizeRule:
    """The size at flat places. It changes by at most `gradation` from place to place, but where layers are stretched."""

    def __init__(self, request):
        self.request, self.sizes = request, request.sizes
        self.gradation = self.sizes.gradation
        self.layers, top = [], 0.0
        for layer in request.layers:
            size = self.sizes.coarsest if layer.size is None else layer.size
            if self.sizes.frequency:
                longest = layer.slowest / (self.sizes.frequency * self.sizes.edges_per_wavelength)
                size = min(size, longest / LONGEST_EDGE)
            self.layers.append((-layer.bottom, -top, size))
            top = layer.bottom

    def at(self, points, slack=0.0):
        """Sizes at flat places (n, 3), m: the least that any place within `slack` m asks for."""
        points = np.asarray(points, float)
        wanted = np.full(len(points), self.sizes.coarsest)

        def ask(where, size, away):
            wanted[where] = np.minimum(wanted[where], size + self.gradation * np.maximum(0.0, away - slack))

        x, y, z = points.T
        for bottom, top, size in self.layers:
            away = np.maximum(np.maximum(bottom - z, z - top), 0.0)
            near = size + self.gradation * (away - slack) < wanted
            ask(near, size, away[near])
        for fault in self.request.faults:
            if fault.size is None:
                continue
            for triangle in faults.triangles(fault.pieces):
                near = self._near(points, triangle, fault.size, slack, wanted)
                ask(near, fault.size, faults.distance(points[near], triangle))
        for refinement in self.request.refinements:
            for place in refinement.at:
                near = self._near(points, place[None], refinement.size, slack + refinement.within, wanted)
                away = np.linalg.norm(points[near] - place, axis=1) - refinement.within
                ask(near, refinement.size, away)
        # Elements become thicker with their layer.
        return np.maximum(wanted / np.maximum(1.0, self.request.relief.stretch(x, y, z)), self.sizes.finest)

    def _near(self, points, corners, size, slack, wanted):
        """Points, by number, for which the place with these corners may ask for less than is wanted of them already: judged by
        their distance from the box around it."""
        reach = (self.sizes.coarsest - size) / self.gradation + slack
        low, high = corners.min(axis=0), corners.max(axis=0)
        near = np.arange(len(points))
        for axis in range(3):
            along = points[near, axis]
            near = near[(along >= low[axis] - reach) & (along <= high[axis] + reach)]
        beside = np.maximum(np.maximum(low - points[near], points[near] - high), 0.0)
        # A hair nearer, so that no rounding leaves out a point that asks for less.
        away = (1.0 - 1e-9) * np.sqrt(np.einsum("ij,ij->i", beside, beside)) - slack
        return near[size + self.gradation * np.maximum(0.0, away) < wanted[near]]


class SizeGrid:
    """Sizes on a regular grid over the box, between whose points they go straight: origin, spacing, values (nx, ny, nz)."""

    def __init__(self, rule, progress=lambda text: None, most=MOST_POINTS):
        request = rule.request
        self.origin = np.array([request.x[0], request.y[0], -request.depth])
        self.extent = np.array([request.x[1], request.y[1], 0.0]) - self.origin
        # Twice as fine in depth, because layers are flat.
        step = (2.0 * self.extent.prod() / most) ** (1 / 3)
        steps = np.maximum(8, np.ceil(self.extent / [step, step, 0.5 * step])).astype(int)
        self.spacing = self.extent / steps
        # The nearest point of the grid may be this far from a place that asks for less.
        slack = 0.5 * float(np.linalg.norm(self.spacing))
        axes = [o + s * np.arange(n + 1) for o, s, n in zip(self.origin, self.spacing, steps)]
        self.values = np.empty(steps + 1)
        y, z = np.meshgrid(axes[1], axes[2], indexing="ij")
        strip = max(1, 50_000 // y.size)
        for first in range(0, len(axes[0]), strip):
            x = axes[0][first : first + strip]
            places = np.empty((len(x), y.size, 3))
            places[:, :, 0], places[:, :, 1], places[:, :, 2] = x[:, None], y.ravel(), z.ravel()
            self.values[first : first + strip] = rule.at(places.reshape(-1, 3), slack).reshape(
                len(x), *y.shape
            )
            progress(f"sizes of elements, {min(1.0, (first + strip) / len(axes[0])):.0%}")

    def elements(self):
        """About how many tetrahedra a mesh of these sizes has."""
        v = self.values
        for axis in range(3):
            low = np.take(v, range(v.shape[axis] - 1), axis)
            v = 0.5 * (low + np.take(v, range(1, v.shape[axis]), axis))
        return ELEMENTS_IN_CUBE * float(self.spacing.prod()) * float((v**-3.0).sum())

    def finest(self):
        """The smallest size, and the place that asks for it."""
        at = np.unravel_index(int(np.argmin(self.values)), self.values.shape)
        return float(self.values[at]), self.origin + self.spacing * at

    def write(self, path):
        """In the form of Gmsh's field "Structured": three origins, spacings and numbers of points, then all values."""
        with open(path, "wb") as out:
            out.write(self.origin.astype("f8").tobytes() + self.spacing.astype("f8").tobytes())
            out.write(np.array(self.values.shape, "i4").tobytes())
            out.write(self.values.astype("f8").tobytes())
