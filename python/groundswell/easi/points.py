"""Points that a model is asked about, and what a branch of it knows of them."""

import dataclasses

import numpy as np

from groundswell.errors import Refusal, shortened


@dataclasses.dataclass
class Points:
    """Values by the names of a component's dimensions, the groups of the points, and where they lie, whatever has become of x, y and
    z on the way."""

    values: dict
    group: np.ndarray
    place: np.ndarray

    def __len__(self):
        return len(self.group)

    @property
    def names(self):
        """Dimensions in the order in which easi has them: by their bytes."""
        return sorted(self.values)

    def columns(self):
        return [self.values[name] for name in self.names]

    def subset(self, which):
        return Points(
            {name: values[which] for name, values in self.values.items()},
            self.group[which],
            self.place[which],
        )

    def changed(self, values):
        return Points(values, self.group, self.place)

    def where(self, index):
        """The place of a point, for people."""
        place = ", ".join(f"{value:.6g}" for value in self.place[index])
        return f"at ({place}) m, group {self.group[index]}"


def points_of(place, group):
    """Points by their places, [point][x, y, z], and their groups."""
    place = np.asarray(place, float).reshape(-1, 3)
    return Points(
        {name: place[:, axis] for axis, name in enumerate("xyz")},
        np.broadcast_to(np.asarray(group, np.int64), len(place)),
        place,
    )


def fail(component, what, expected, points=None, index=None):
    """Refuse a component's part of a file: FILE:LINE: what [place]: expected …"""
    place = f" {points.where(index)}" if points is not None else ""
    raise Refusal(f"{component.at}: {shortened(what)}{place}: expected {expected}")
