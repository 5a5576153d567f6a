"""Components that choose: by the names asked for, by group, by place, by layers (easi's documentation, "Filters" and "Builders")."""

import numpy as np

from groundswell.easi.component import Component
from groundswell.easi.points import fail
from groundswell.errors import refuse


class Switch(Component):
    composite = False

    def begin(self):
        self.branches = []

    def read(self, node):
        for key, below in node.value:
            self.branches.append((set(self.words(key)), self.reader.component(below, self.inputs)))

    def supplied(self):
        return set().union(*(names for names, _ in self.branches))

    def evaluate(self, points, wanted):
        result = {}
        for name in wanted:
            if name not in self.supplied():
                fail(self, name, f"a branch for it next to {', '.join(sorted(self.supplied()))}")
        for names, child in self.branches:
            mine = [name for name in wanted if name in names]
            if mine:
                result |= child.evaluate(points, mine)
        return result


class GroupFilter(Component):
    keys = ("groups",)

    def begin(self):
        self.groups = [int(value) for value in self.numbers(self.need("groups"))]

    def accept(self, points):
        return np.isin(points.group, self.groups)


class BoxFilter(Component):
    keys = ("limits",)

    def begin(self):
        self.limits = self.of_map("limits", lambda node: self.numbers(node, 2))
        self.reader.require_dimensions(self, self.limits)

    def accept(self, points):
        inside = [
            (points.values[name] >= low) & (points.values[name] <= high)
            for name, (low, high) in self.limits.items()
        ]
        return np.logical_and.reduce(inside)


class SphereFilter(Component):
    keys = ("radius", "centre")

    def begin(self):
        self.radius = self.number(self.need("radius"))
        self.centre = self.of_map("centre", self.number)
        self.reader.require_dimensions(self, self.centre)

    def accept(self, points):
        return sum((points.values[name] - at) ** 2 for name, at in self.centre.items()) <= self.radius**2


class LayeredModel(Component):
    """Between nodes; at a node what lies below it counts."""

    keys = ("map", "interpolation", "parameters", "nodes")
    composite = False

    def begin(self):
        self.way = self.word("interpolation", None, ("lower", "upper", "linear"))
        self.model = self.reader.component(self.need("map"), self.inputs)
        if len(self.model.outputs()) != 1:
            refuse(self.at, "map", ", ".join(self.model.outputs()), "a map to one dimension")
        self.names = self.words(self.need("parameters"))
        table = self.need("nodes")
        rows = sorted((self.number(key), self.numbers(value, len(self.names))) for key, value in table.value)
        self.position, self.rows = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
        if self.way == "linear" and not np.isfinite(self.position).all():
            refuse(self.at, "nodes", None, "finite nodes for interpolation: linear")

    def outputs(self):
        return tuple(self.names)

    def map(self, points):
        x = self.model.evaluate(points, self.model.outputs())[self.model.outputs()[0]]
        last = len(self.position) - 1
        upper = np.searchsorted(self.position, x, side="left")
        below, above = np.clip(upper - 1, 0, last), np.clip(upper, 0, last)
        if self.way == "linear":
            step = self.position[above] - self.position[below]
            share = np.where(step > 0.0, (x - self.position[below]) / np.where(step > 0.0, step, 1.0), 0.0)
            values = self.rows[below] + share[:, None] * (self.rows[above] - self.rows[below])
        else:
            values = self.rows[
                np.where(upper == 0, above, below)
                if self.way == "lower"
                else np.where(upper > last, below, above)
            ]
        return points.changed({name: values[:, column] for column, name in enumerate(self.names)})
