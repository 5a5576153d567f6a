"""The base of all components of easi's models."""

import math

import numpy as np
import yaml

from groundswell.easi.points import fail
from groundswell.errors import nearest, refuse

WORDS = {
    ".nan": math.nan,
    **{sign + word: float(sign + "inf") for sign in ("", "+", "-") for word in (".inf", "inf")},
}


class Component:
    """Keys, children, and the choice of the first child that takes a point."""

    keys = ()
    composite = True

    def __init__(self, reader, node, inputs):
        self.at, self.inputs, self.reader = f"{reader.path}:{node.start_mark.line + 1}", tuple(inputs), reader
        plain = self.composite or self.keys  # a switch has lists of names as keys
        self.node = self.table(node) if plain and isinstance(node, yaml.MappingNode) else {}
        known = (*self.keys, *(("components",) if self.composite else ()))
        for key, (_, mark) in self.node.items():
            if known and key not in known:
                guess = nearest(key, known)
                refuse(
                    f"{reader.path}:{mark}", f"{node.tag}.{key}", None,
                    f"a key of {node.tag}: " + (f"did you mean '{guess}'?" if guess else ", ".join(known)),
                )  # fmt: skip
        self.children = []
        self.begin()
        if self.composite and "components" in self.node:
            below = self.node["components"][0]
            nodes = below.value if isinstance(below, yaml.SequenceNode) else [below]
            self.children = [reader.component(one, self.outputs()) for one in nodes]

    def begin(self):
        """Reads the keys."""

    def outputs(self):
        return self.inputs

    def accept(self, points):
        return np.ones(len(points), bool)

    def map(self, points):
        return points

    def supplied(self):
        """Names that a request may have."""
        if not self.children:
            return set(self.outputs())
        return set().union(*(child.supplied() for child in self.children))

    def evaluate(self, points, wanted):
        """{name: values} of those that are wanted."""
        if not len(points):
            return {name: np.empty(0) for name in wanted}
        points = self.map(points)
        if not self.children:
            for name in wanted:
                if name not in points.values:
                    fail(self, name, f"one of what stands here: {', '.join(points.names)}", points, 0)
            return {name: points.values[name] for name in wanted}
        result = {name: np.full(len(points), np.nan) for name in wanted}
        left = np.ones(len(points), bool)
        for child in self.children:
            which = left.copy()
            which[left] = child.accept(points.subset(left))
            for name, values in child.evaluate(points.subset(which), wanted).items():
                result[name][which] = values
            left &= ~which
            if not left.any():
                return result
        return fail(self, "no component takes the point", "one that does", points, int(np.argmax(left)))

    # Values of nodes.

    def table(self, node):
        if not isinstance(node, yaml.MappingNode):
            self.strange(node, "keys with values")
        return {key.value: (value, key.start_mark.line + 1) for key, value in node.value}

    def strange(self, node, expected):
        value = node.value if isinstance(node, yaml.ScalarNode) else None
        refuse(
            f"{self.reader.path}:{node.start_mark.line + 1}",
            None,
            None,
            expected + (f", not {value}" if value else ""),
        )

    def number(self, node):
        if isinstance(node, yaml.ScalarNode):
            word = node.value.strip().lower()
            try:
                return WORDS[word] if word in WORDS else float(word)
            except ValueError:
                pass
        return self.strange(node, "a number")

    def words(self, node):
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        return [
            one.value if isinstance(one, yaml.ScalarNode) else self.strange(one, "a name") for one in nodes
        ]

    def numbers(self, node, count=None):
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        values = [self.number(one) for one in nodes]
        if count is not None and len(values) != count:
            self.strange(node, f"{count} numbers")
        return values

    def need(self, key):
        if key not in self.node:
            refuse(self.at, key, None, f"the key {key}")
        return self.node[key][0]

    def of_map(self, key, read):
        return {name: read(value) for name, (value, _) in self.table(self.need(key)).items()}

    def word(self, key, usual, known):
        value = self.node[key][0].value if key in self.node else usual
        if str(value).lower() not in known:
            refuse(self.at, key, value, " or ".join(known))
        return str(value).lower()
