"""Components that map points: constants, functions, grids, other models (easi's documentation, "Maps")."""

import numpy as np
import yaml

from groundswell.easi.component import Component
from groundswell.easi.functions import CFunction, LuaFunction
from groundswell.easi.grids import SCEC, read_asagi, read_scec
from groundswell.easi.points import fail
from groundswell.easi.stresses import COMPONENTS, OTHER_NAMES
from groundswell.errors import refuse


class ConstantMap(Component):
    keys = ("map",)

    def begin(self):
        self.constants = self.of_map("map", self.number)

    def outputs(self):
        return tuple(sorted(self.constants))

    def map(self, points):
        return points.changed({name: np.full(len(points), value) for name, value in self.constants.items()})


class AffineMap(Component):
    keys = ("matrix", "translation")

    def begin(self):
        self.matrix = self.of_map("matrix", lambda node: self.numbers(node, len(self.inputs)))
        self.translation = self.of_map("translation", self.number)
        if sorted(self.matrix) != sorted(self.translation):
            refuse(
                self.at,
                "translation",
                ", ".join(self.translation),
                f"those of matrix: {', '.join(self.matrix)}",
            )

    def outputs(self):
        return tuple(sorted(self.matrix))

    def map(self, points):
        columns = points.columns()
        return points.changed(
            {
                name: sum(
                    (a * x for a, x in zip(row, columns) if a != 0.0),
                    np.full(len(points), self.translation[name]),
                )
                for name, row in self.matrix.items()
            }
        )


class PolynomialMap(Component):
    keys = ("map",)

    def begin(self):
        self.coefficients = self.of_map("map", self.numbers)
        if len(self.inputs) != 1:
            refuse(self.at, "!PolynomialMap", ", ".join(self.inputs), "one dimension")

    def outputs(self):
        return tuple(sorted(self.coefficients))

    def map(self, points):
        (x,) = points.columns()
        values = {}
        for name, coefficients in self.coefficients.items():
            values[name] = np.full(len(points), coefficients[0])
            for one in coefficients[1:]:
                values[name] = one + values[name] * x
        return points.changed(values)


class FunctionMap(Component):
    keys = ("map",)

    def begin(self):
        def read(node):
            return node.value if isinstance(node, yaml.ScalarNode) else self.strange(node, "a function")

        self.functions = {
            name: CFunction(self, name, body) for name, body in self.of_map("map", read).items()
        }

    def outputs(self):
        return tuple(sorted(self.functions))

    def map(self, points):
        return points.changed({name: function(points) for name, function in self.functions.items()})


class LuaMap(Component):
    keys = ("returns", "function")

    def begin(self):
        self.returns = tuple(sorted(self.words(self.need("returns"))))
        self.function = LuaFunction(self, self.returns, self.need("function").value)

    def outputs(self):
        return self.returns

    def map(self, points):
        return points.changed(dict(zip(self.returns, self.function(points))))


class Asagi(Component):
    keys = ("file", "parameters", "var", "interpolation")

    def begin(self):
        self.names = self.words(self.need("parameters"))
        variable = self.node["var"][0].value if "var" in self.node else "data"
        self.interpolation = self.word("interpolation", "linear", ("nearest", "linear"))
        self.path = self.reader.beside(self.need("file").value)
        self.grid, _ = read_asagi(self, self.path, variable)
        if len(self.grid.count) != len(self.inputs):
            fail(
                self,
                f"{self.path}: {len(self.grid.count)} dimensions",
                f"{len(self.inputs)}: {', '.join(self.inputs)}",
            )
        if self.grid.values.shape[-1] != len(self.names):
            fail(
                self,
                f"parameters = {self.names}",
                f"as many as {self.path} has: {self.grid.values.shape[-1]}",
            )

    def outputs(self):
        return tuple(sorted(self.names))

    def accept(self, points):
        return self.grid.inside(np.stack(points.columns(), axis=1))

    def map(self, points):
        x = np.stack(points.columns(), axis=1)
        inside = self.grid.inside(x)
        if not inside.all():
            fail(
                self,
                f"{self.path}: no value",
                "a grid that reaches all points",
                points,
                int(np.argmin(inside)),
            )
        values = getattr(self.grid, self.interpolation)(x)
        return points.changed({name: values[:, column] for column, name in enumerate(self.names)})


class ScecFile(Component):
    keys = ("file", "interpolation")

    def begin(self):
        self.interpolation = self.word("interpolation", "linear", ("nearest", "linear"))
        if len(self.inputs) != 2:
            refuse(self.at, "!SCECFile", ", ".join(self.inputs), "two dimensions")
        self.grid = read_scec(self, self.reader.beside(self.need("file").value))

    def outputs(self):
        return SCEC

    def map(self, points):
        values = getattr(self.grid, self.interpolation)(np.stack(points.columns(), axis=1))
        return points.changed({name: values[:, column] for column, name in enumerate(SCEC)})


class EvalModel(Component):
    keys = ("parameters", "model")

    def begin(self):
        self.parameters = tuple(sorted(self.words(self.need("parameters"))))
        self.model = self.reader.component(self.need("model"), self.inputs)

    def outputs(self):
        return self.parameters

    def map(self, points):
        return points.changed(self.model.evaluate(points, self.parameters))


class Special(Component):
    keys = ("constants",)

    def __init__(self, reader, node, inputs, needs=(), function=None):
        self.needs, self.function = needs, function
        super().__init__(reader, node, inputs)

    def begin(self):
        known = self.of_map("constants", self.number) if "constants" in self.node else {}
        self.constants = {OTHER_NAMES.get(name, name): value for name, value in known.items()}
        given = {OTHER_NAMES.get(name, name) for name in self.inputs} | set(self.constants)
        for name in (*self.needs, *given):
            if (name in self.needs) != (name in given):
                fail(self, name, f"the constants and dimensions {', '.join(self.needs)}")

    def outputs(self):
        return tuple(sorted(COMPONENTS))

    def map(self, points):
        values = {OTHER_NAMES.get(name, name): one for name, one in points.values.items()}
        values |= {name: np.full(len(points), value) for name, value in self.constants.items()}
        return points.changed(self.function(values))
