"""Functions that models of easi contain: the language of ImpalaJIT, a part of C in which all numbers are double, and Lua."""

import functools
import re

import numpy as np

from groundswell.easi.points import fail
from groundswell.errors import refuse


def _round(x):
    return np.copysign(np.floor(np.abs(x) + 0.5), x)  # away from 0, as C does it


FUNCTIONS = {
    **{name: getattr(np, name) for name in ("sqrt", "exp", "log", "log2", "log10", "sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{name: getattr(np, f"arc{name[1:]}") for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh")},
    **{name: getattr(np, name) for name in ("floor", "ceil", "trunc", "cbrt", "expm1", "log1p", "fmod")},
    "abs": np.abs, "fabs": np.abs, "round": _round, "pow": np.power, "atan2": np.arctan2,
    "min": np.minimum, "fmin": np.minimum, "max": np.maximum, "fmax": np.maximum,
}  # fmt: skip
BINARY = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "%": np.fmod,
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal,
    "&&": np.logical_and, "||": np.logical_or,
}  # fmt: skip
UNARY = {"-": np.negative, "+": np.positive, "!": np.logical_not}


class CFunction:
    """The body of a function in that language, for many points at once: both branches of an `if` are gone through, each by the points
    that take it."""

    def __init__(self, component, name, body):
        from pycparser import c_ast, c_parser

        self.component, self.name, self.ast = component, name, c_ast
        plain = re.sub(
            r"//[^\n]*|/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), body, flags=re.DOTALL
        )
        try:
            tree = c_parser.CParser().parse(f"double f() {{\n{plain}\n}}", filename="")
        except Exception as failure:  # the parser has errors of several classes
            fail(component, f"{name} = {body.strip()}", f"a function as C has them ({failure})")
        self.body = tree.ext[0].body.block_items or []

    def __call__(self, points):
        count = len(points)
        known = {name: np.asarray(values, float) for name, values in points.values.items()}
        result, active = np.full(count, np.nan), np.ones(count, bool)
        with np.errstate(all="ignore"):
            left = self._run(self.body, known, active, result)
        if left.any():
            fail(
                self.component,
                f"{self.name} returns nothing",
                "a return for every point",
                points,
                int(np.argmax(left)),
            )
        return result

    def _run(self, statements, known, active, result):
        """Marks the active points that have not returned."""
        c = self.ast
        for statement in statements:
            if not active.any():
                break
            if isinstance(statement, c.Compound):
                active = self._run(statement.block_items or [], known, active, result)
            elif isinstance(statement, c.Return):
                result[active] = np.broadcast_to(self._value(statement.expr, known), len(active))[active]
                active = np.zeros_like(active)
            elif isinstance(statement, c.If):
                true = np.broadcast_to(np.asarray(self._value(statement.cond, known), bool), len(active))
                branches = [(statement.iftrue, active & true), (statement.iffalse, active & ~true)]
                left = [self._run([one], known, which, result) if one else which for one, which in branches]
                active = left[0] | left[1]
            elif isinstance(statement, c.Assignment) and isinstance(statement.lvalue, c.ID):
                new = self._value(statement.rvalue, known)
                if statement.op != "=":
                    new = BINARY[statement.op[:-1]](self._value(statement.lvalue, known), new)
                self._assign(statement.lvalue.name, new, known, active)
            elif isinstance(statement, c.Decl) and statement.name:
                if statement.init is not None:
                    self._assign(statement.name, self._value(statement.init, known), known, active)
            elif not isinstance(statement, c.EmptyStatement):
                self._strange(statement)
        return active

    def _assign(self, name, new, known, active):
        old = known.get(name, np.nan)
        known[name] = np.where(active, np.asarray(new, float), old)

    def _value(self, node, known):
        c = self.ast
        if isinstance(node, c.Constant) and node.type != "string":
            return float(node.value.rstrip("fFlL"))
        if isinstance(node, c.ID):
            if node.name not in known:
                fail(self.component, f"{self.name}: {node.name}", f"a known name: {', '.join(sorted(known))}")
            return known[node.name]
        if isinstance(node, c.BinaryOp) and node.op in BINARY:
            return BINARY[node.op](self._value(node.left, known), self._value(node.right, known))
        if isinstance(node, c.UnaryOp) and node.op in UNARY:
            return UNARY[node.op](self._value(node.expr, known))
        if isinstance(node, c.TernaryOp):
            parts = (self._value(part, known) for part in (node.cond, node.iftrue, node.iffalse))
            return np.where(*parts)
        if isinstance(node, c.FuncCall):
            name = getattr(node.name, "name", "")
            if name not in FUNCTIONS:
                fail(self.component, f"{self.name}: {name}()", f"one of {', '.join(sorted(FUNCTIONS))}")
            parts = [self._value(part, known) for part in (node.args.exprs if node.args else [])]
            try:
                return FUNCTIONS[name](*parts)
            except (TypeError, ValueError) as failure:
                fail(self.component, f"{self.name}: {name}()", f"the arguments of {name} ({failure})")
        return self._strange(node)

    def _strange(self, node):
        fail(
            self.component,
            f"{self.name}: {type(node).__name__}",
            "assignments, if, else, return and arithmetic",
        )


# Of Lua 5.1 and 5.2, and of the library of mathematics that easi brings, where Lua has it not.
LUA_MORE = ("cosh", "sinh", "tanh", "acosh", "asinh", "atanh", "log10", "log2", "log1p", "expm1", "pow", "atan2",
            "cbrt", "erf", "erfc", "gamma", "lgamma", "hypot", "copysign", "trunc", "round", "fmod", "fmin", "fmax")  # fmt: skip
LUA_LOOP = """
return function(f, names, outs, columns, n)
    local result = {}
    for k = 1, #outs do result[k] = {} end
    for i = 1, n do
        local x = {}
        for d = 1, #names do
            local value = columns[d][i]
            x[names[d]] = value
            x[d] = value
        end
        local good, y = pcall(f, x)
        if not good then return i, tostring(y) end
        if type(y) ~= 'table' then return i, 'f returned ' .. tostring(y) end
        for k = 1, #outs do
            local value = y[outs[k]]
            if type(value) ~= 'number' then return i, outs[k] .. ' = ' .. tostring(value) end
            result[k][i] = value
        end
    end
    return 0, result
end
"""


@functools.cache
def _more_mathematics():
    import math

    own = {"gamma": math.gamma, "fmin": min, "fmax": max, "round": lambda x: float(_round(x))}
    return {name: own.get(name) or getattr(math, name, None) for name in LUA_MORE}


class LuaFunction:
    """A function f of Lua that gets a table of a point's dimensions, by name and from 1 on, and returns a table by name."""

    def __init__(self, component, returns, source):
        try:
            import lupa.lua53 as lua
        except ImportError:
            refuse(component.at, "!LuaMap", None, "the Python package lupa (pip install lupa)")
        self.component, self.returns = component, returns
        self.machine, self.error = lua.LuaRuntime(unpack_returned_tuples=True), lua.LuaError
        mathematics = self.machine.globals()["math"]
        for name, function in _more_mathematics().items():
            if function is not None and mathematics[name] is None:
                mathematics[name] = function
        try:
            self.machine.execute(source)
        except self.error as failure:
            fail(component, "function", f"Lua ({failure})")
        self.function = self.machine.globals()["f"]
        if self.function is None:
            fail(component, "function", "a function of the name f")
        self.loop = self.machine.execute(LUA_LOOP)

    def __call__(self, points):
        table = self.machine.table_from
        columns = table([table(values.tolist()) for values in points.columns()])
        outs = table(list(self.returns))
        failed, result = self.loop(self.function, table(points.names), outs, columns, len(points))
        if failed:
            fail(self.component, f"function: {result}", "numbers", points, failed - 1)
        return [np.fromiter(result[k + 1].values(), float, len(points)) for k in range(len(self.returns))]
