"""Models of easi, read from YAML: a tree of components (easi's documentation, "Components")."""

import pathlib
import re

import numpy as np
import yaml

from groundswell.easi import filters, maps
from groundswell.easi.component import Component
from groundswell.easi.points import fail, points_of
from groundswell.easi.stresses import SPECIAL
from groundswell.errors import nearest, refuse

INPUT = ("x", "y", "z")
TAGS = {
    "Any": Component, "IdentityMap": Component, "ConstantMap": maps.ConstantMap, "AffineMap": maps.AffineMap, "PolynomialMap": maps.PolynomialMap,
    "FunctionMap": maps.FunctionMap, "LuaMap": maps.LuaMap, "ASAGI": maps.Asagi, "SCECFile": maps.ScecFile, "EvalModel": maps.EvalModel, "Switch": filters.Switch,
    "GroupFilter": filters.GroupFilter, "AxisAlignedCuboidalDomainFilter": filters.BoxFilter, "SphericalDomainFilter": filters.SphereFilter,
    "LayeredModel": filters.LayeredModel,
}  # fmt: skip


class Reader:
    """Makes components of one file; another one for each file that it includes."""

    def __init__(self, path, within=()):
        self.path, self.within = pathlib.Path(path), (*within, pathlib.Path(path).resolve())

    def root(self, inputs=INPUT):
        try:
            with open(self.path, encoding="utf-8") as source:
                node = yaml.compose(source)
        except (OSError, UnicodeDecodeError) as failure:
            refuse(
                self.path, None, None, f"a file that can be read ({getattr(failure, 'strerror', failure)})"
            )
        except yaml.YAMLError as failure:
            mark = getattr(failure, "problem_mark", None)
            line = f":{mark.line + 1}" if mark else ""
            refuse(f"{self.path}{line}", None, None, f"YAML ({getattr(failure, 'problem', failure)})")
        if node is None:
            refuse(self.path, None, None, "a component of easi")
        return self.component(node, inputs)

    def component(self, node, inputs):
        tag = node.tag.removeprefix("!")
        if tag == "Include":
            path = self.beside(node.value)
            if path.resolve() in self.within:
                refuse(
                    f"{self.path}:{node.start_mark.line + 1}",
                    "!Include",
                    node.value,
                    "a file that does not include this one",
                )
            return Reader(path, self.within).root()
        if tag in SPECIAL:
            return maps.Special(self, node, inputs, *SPECIAL[tag])
        if tag not in TAGS:
            known = [*TAGS, *SPECIAL, "Include"]
            guess = nearest(tag, known)
            refuse(
                f"{self.path}:{node.start_mark.line + 1}",
                "tag",
                node.tag,
                f"a component of easi: did you mean '!{guess}'?" if guess else f"one of !{', !'.join(known)}",
            )
        made = TAGS[tag](self, node, inputs)
        if tag == "Switch":
            made.read(node)
        return made

    def beside(self, name):
        """A file that is named relative to this one."""
        return self.path.parent / name

    def require_dimensions(self, component, named):
        if sorted(named) != sorted(component.inputs):
            refuse(
                component.at,
                "dimensions",
                ", ".join(named),
                f"those that stand here: {', '.join(component.inputs)}",
            )


class Model:
    """A file's model."""

    def __init__(self, path):
        self.path, self.tree = path, Reader(path).root()

    def supplied(self):
        return self.tree.supplied()

    def line_of(self, name):
        """FILE:LINE at which a name first stands, else the file."""
        text = pathlib.Path(self.path).read_text(encoding="utf-8")
        found = re.search(rf"\b{re.escape(name)}\b", text)
        return f"{self.path}:{text.count(chr(10), 0, found.start()) + 1}" if found else str(self.path)

    def at(self, place, group, wanted):
        """{name: values}, of finite numbers; `place`: [point][x, y, z], m."""
        points = points_of(place, group)
        found = self.tree.evaluate(points, list(wanted))
        for name, values in found.items():
            bad = ~np.isfinite(values)
            if bad.any():
                index = int(np.argmax(bad))
                fail(self.tree, f"{name} = {values[index]}", "a finite number", points, index)
        return found
