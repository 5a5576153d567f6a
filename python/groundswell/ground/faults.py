"""Faults as planar pieces: below a trace with a dip, or polygons given by their corners."""

import dataclasses

import numpy as np


@dataclasses.dataclass
class Fault:
    """Planar polygons (corners, 3) of flat places in m. size: of elements there in m, or None; tag: its boundary number."""

    name: str
    tag: int
    size: float | None
    pieces: list


class Unfit(ValueError):
    """Words of what cannot be: what was found and what was expected."""

    def __init__(self, found, expected):
        super().__init__(found, expected)
        self.found, self.expected = found, expected


def below_trace(trace, dip, top, bottom):
    """Pieces between the depths `top` and `bottom` (m, positive) below a trace of (x, y) at the surface.

    The fault goes down to the right of the trace, at `dip` degrees in every piece: neighbouring pieces meet where their
    planes do.
    """
    trace = np.asarray(trace, float)
    along = np.diff(trace, axis=0)
    length = np.hypot(*along.T)
    if (length <= 0).any():
        raise Unfit(
            f"two equal points, {trace[int(np.argmin(length))].tolist()}", "points that follow each other"
        )
    along = along / length[:, None]
    right = np.column_stack([along[:, 1], -along[:, 0]])
    # How far points go sideways for each metre down that pieces go to their right.
    side = np.empty_like(trace)
    side[0], side[-1] = right[0], right[-1]
    cosine = 1.0 + (right[:-1] * right[1:]).sum(axis=1)
    if (cosine < 0.3).any():
        at = trace[1 + int(np.argmin(cosine))]
        raise Unfit(
            f"a turn by more than 135° at {at.tolist()}", "a trace without hairpins; make it two faults"
        )
    side[1:-1] = (right[:-1] + right[1:]) / cosine[:, None]
    reach = 1.0 / np.tan(np.radians(dip)) if dip < 90.0 else 0.0

    def at_depth(depth):
        return np.column_stack([trace + side * reach * depth, np.full(len(trace), -depth)])

    upper, lower = at_depth(top), at_depth(bottom)
    left = (np.diff(lower[:, :2], axis=0) * along).sum(axis=1)
    if (left < 0.05 * length).any():
        at = int(np.argmin(left / length))
        raise Unfit(
            f"the piece from {trace[at].tolist()} to {trace[at + 1].tolist()} shrinks to nothing above {bottom:g} m",
            "a trace that bends less where the fault dips into the bend, or a shallower fault",
        )
    return [np.array([upper[i], upper[i + 1], lower[i + 1], lower[i]]) for i in range(len(along))]


def polygon(corners, tolerance=1e-6):
    """One planar piece with these corners (x, y, z)."""
    corners = np.asarray(corners, float)
    spread = corners - corners.mean(axis=0)
    _, extent, axes = np.linalg.svd(spread, full_matrices=False)
    if extent[1] < 1e-6 * extent[0]:
        raise Unfit("corners on a line", "corners of a polygon")
    off = np.abs(spread @ axes[2]).max()
    if off > max(tolerance * extent[0], 1e-3):
        raise Unfit(
            f"a corner {off:.3g} m off the plane of the others", "corners in one plane; cut it into triangles"
        )
    return corners


def read_tsurf(path):
    """Triangles of a GOCAD TSurf file (lines `VRTX n x y z` or `PVRTX …`, `TRGL a b c`), as the pieces of a fault."""
    places, found = {}, []
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as failure:
        raise Unfit(path, f"a file that can be read ({failure.strerror})") from failure
    up = 1.0
    for number, line in enumerate(lines, start=1):
        words = line.split()
        try:
            if words[:1] == ["ZPOSITIVE"]:
                up = -1.0 if words[1].lower() == "depth" else 1.0
            elif words[:1] in (["VRTX"], ["PVRTX"]):
                x, y, z = map(float, words[2:5])
                places[int(words[1])] = np.array([x, y, up * z])
            elif words[:1] == ["TRGL"]:
                found.append(np.array([places[int(word)] for word in words[1:4]]))
        except (ValueError, IndexError, KeyError) as failure:
            raise Unfit(f"{path}:{number}: {line.strip()}", "a line of the format TSurf") from failure
    if not found:
        raise Unfit(path, "a GOCAD TSurf file with lines VRTX and TRGL")
    return found


def triangles(pieces):
    """All pieces as triangles (n, 3, 3); right for convex pieces, and a cover of the others."""
    found = [piece[[0, i, i + 1]] for piece in pieces for i in range(1, len(piece) - 1)]
    return np.array(found)


def area(piece):
    """Area of a planar polygon, m²."""
    moved = piece - piece[0]
    return 0.5 * float(np.linalg.norm(np.cross(moved, np.roll(moved, -1, axis=0)).sum(axis=0)))


def distance(points, triangle):
    """Distance of points (n, 3) to a triangle (3, 3), m (Ericson 2005, Real-Time Collision Detection, 5.1.5: by its regions)."""
    a, b, c = triangle
    normal = np.cross(b - a, c - a)
    normal = normal / np.linalg.norm(normal)
    above = (points - a) @ normal
    within = np.ones(len(points), bool)
    nearest = np.full(len(points), np.inf)
    for start, end in ((a, b), (b, c), (c, a)):
        edge = end - start
        from_start = points - start
        within &= from_start @ np.cross(normal, edge) >= 0.0
        share = np.clip(from_start @ edge / (edge @ edge), 0.0, 1.0)
        beside = from_start - share[:, None] * edge
        np.minimum(nearest, np.einsum("ij,ij->i", beside, beside), out=nearest)
    return np.where(within, np.abs(above), np.sqrt(nearest))
