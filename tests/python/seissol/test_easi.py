"""Models of easi: each component gives what its documentation says, and what is wrong is refused with file, line and place."""

import netCDF4
import numpy as np
import pytest
from easi_files import at, model_of

from groundswell.errors import Refusal


def test_filters_choose_the_first_that_takes_a_point(tmp_path):
    """Groups, boxes and spheres, edges included, in the order of the file."""
    model = model_of(
        tmp_path,
        """!Any
components:
  - !GroupFilter
    groups: [7, 8]
    components: !ConstantMap
      map: {a: 1}
  - !AxisAlignedCuboidalDomainFilter
    limits: {x: [0, 1], y: [-.inf, .inf], z: [-.Inf, 0]}
    components: !ConstantMap
      map: {a: 2}
  - !SphericalDomainFilter
    radius: 2
    centre: {x: 5, y: 0, z: 0}
    components: !ConstantMap
      map: {a: 3}
  - !ConstantMap
    map: {a: 4e0}
""",
    )
    places = [(1, 5, 0), (1.5, 0, 0), (5, 0, 2), (5, 0, 2.1), (0, 0, 1)]
    assert at(model, places, "a") == [[2, 4, 3, 4, 4]]
    assert at(model, places, "a", group=8) == [[1] * 5]


def test_maps_change_what_their_children_see(tmp_path):
    """Affine: y = A x + t, columns by the names of the dimensions; polynomial: by Horner; EvalModel: of a model's outputs."""
    model = model_of(
        tmp_path,
        """!AffineMap
matrix: {p: [1, 2, 3]}
translation: {p: 10}
components: !PolynomialMap
  map: {q: [2, 0, 1]}
  components: !EvalModel
    parameters: [r, s]
    model: !FunctionMap
      map: {r: "return q + 1;", s: "return -q;"}
    components: !FunctionMap
      map: {t: "return r * s;"}
""",
    )
    p = 10 + 1 * 1 + 2 * 2 + 3 * 3
    q = 2 * p**2 + 1
    assert at(model, [(1, 2, 3)], "t") == [[(q + 1) * -q]]


@pytest.mark.parametrize(
    ("way", "expected"), [("lower", [1, 1, 1, 1, 5]), ("upper", [1, 1, 5, 5, 5]), ("linear", [1, 1, 3, 5, 5])]
)
def test_layers_hold_between_their_nodes(tmp_path, way, expected):
    """Beyond the outermost nodes their values; at a node the layer below it."""
    model = model_of(
        tmp_path,
        f"""!LayeredModel
map: !AffineMap
  matrix: {{d: [0, 0, 1]}}
  translation: {{d: 0}}
interpolation: {way}
parameters: [b, a]
nodes:
  0: [50, 5]
  -10: [10, 1]
""",
    )
    found = at(model, [(0, 0, z) for z in (-20, -10, -5, 0, 1)], "a")
    assert found == [expected]


def test_functions_of_c_are_gone_through_by_each_point(tmp_path):
    """Assignments, if, else, return, the functions of mathematics; numbers are double; round goes away from 0."""
    model = model_of(
        tmp_path,
        """!FunctionMap
map:
  f: |
    r = sqrt(pow(x, 2.0) + y*y); // a comment
    if (r <= 5 && !(z > 0)) {
      if (x < 0) { r = -r; } else { r = r + 1/2; }
      return r;
    } else {
      r = 100;
    }
    return max(r, abs(z)) + round(-2.5);
  g: "return x < 0 ? 1 : 2;"
""",
    )
    assert at(model, [(3, 4, 0), (-3, 4, 0), (3, 4, 200), (30, 4, 0)], "f", "g") == [
        [5.5, -5, 197, 97],
        [2, 1, 2, 2],
    ]


LUA = """!LuaMap
returns: [a, b]
function: |
  function f (x)
    if x["z"] > 10 then error("too high") end
    return { a = x["x"]^2 + math.pow(2, 3) + math.tanh(0), b = x[2] }
  end
"""


def test_functions_of_lua_see_dimensions_by_name_and_number(tmp_path):
    """The first dimension is number 1; mathematics of older Lua is there too."""
    assert at(model_of(tmp_path, LUA), [(3, 4, 0), (1, 5, 0)], "b", "a") == [[4, 5], [17, 9]]


def test_a_function_of_lua_that_fails_is_refused_with_its_place(tmp_path):
    with pytest.raises(
        Refusal, match=r"model\.yaml:1: function: .*too high.* at \(1, 2, 11\) m, group 1: expected numbers"
    ):
        at(model_of(tmp_path, LUA), [(1, 2, 3), (1, 2, 11)], "a")
    with pytest.raises(Refusal, match=r"c = nil at \(0, 0, 0\) m"):
        at(model_of(tmp_path, LUA.replace("[a, b]", "[c]")), [(0, 0, 0)], "c")


def write_grid(path, compound):
    """a = x + 10 z and b = −x at x = 0, 2, 4 and z = −1, 1."""
    with netCDF4.Dataset(path, "w") as file:
        for name, values in (("u", [0.0, 2.0, 4.0]), ("v", [-1.0, 1.0])):
            file.createDimension(name, len(values))
            file.createVariable(name, "f8", (name,))[:] = values
        x, z = np.meshgrid([0, 2, 4], [-1, 1])
        if not compound:
            file.createVariable("plain", "f4", ("v", "u"))[:] = x + 10 * z
            return
        kind = file.createCompoundType(np.dtype([("b", "f4"), ("a", "f4")]), "material")
        data = np.zeros((2, 3), kind.dtype)
        data["a"], data["b"] = x + 10 * z, -x
        file.createVariable("data", kind, ("v", "u"))[:] = data


GRID = """!AffineMap
matrix: {ua: [1, 0, 0], ub: [0, 0, 1]}
translation: {ua: 0, ub: 0}
components: !Any
  components:
    - !ASAGI
      file: grid.nc
      parameters: [b, a]
    - !ConstantMap
      map: {a: -1, b: -2}
"""


def test_grids_of_asagi_are_linear_or_nearest_and_end_at_their_edges(tmp_path):
    """The first dimension goes along the last of the file; parameters follow the members; what is beyond goes to the next component."""
    write_grid(tmp_path / "grid.nc", True)
    places = [(1, 9, 0.5), (3.2, 9, -1), (4.1, 0, 0)]
    for found, expected in zip(
        at(model_of(tmp_path, GRID), places, "a", "b"), ([6, -6.8, -1], [-1, -3.2, -2])
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-6)
    nearest = GRID.replace("parameters: [b, a]", "parameters: [b, a]\n      interpolation: nearest")
    assert at(model_of(tmp_path, nearest), places, "a", "b") == [[12, -6, -1], [-2, -4, -2]]
    write_grid(tmp_path / "grid.nc", False)
    plain = GRID.replace("parameters: [b, a]", "parameters: [a]\n      var: plain")
    np.testing.assert_allclose(at(model_of(tmp_path, plain), places, "a"), [[6, -6.8, -1]], rtol=1e-6)
    alone = (
        plain.split("components: !Any")[0]
        + "components: !ASAGI\n  file: grid.nc\n  parameters: [a]\n  var: plain\n"
    )
    with pytest.raises(
        Refusal, match=r"model\.yaml:1: no component takes the point at \(4\.1, 0, 0\) m, group 1"
    ):
        at(model_of(tmp_path, alone), places, "a")


def test_stress_files_of_the_community_are_grids(tmp_path):
    """Lines of i, j, x, y, normal, strike, dip, two ratios, μ_s, μ_d, D_c, cohesion, time; clamped at the edges."""
    rows = [
        f"{i} {j} {100 * i} {50 * j} {-i - j} {10 * i} {j} 0 0 0.{i}5 0.{j}5 0.4 {1000 * j} {i + 0.5}"
        for j in range(2)
        for i in range(3)
    ]
    (tmp_path / "stress.txt").write_text("\n".join(["1 2", "2 1 200 50", "0 0 0 0 0 0", *rows]))
    text = """!AffineMap
matrix: {ua: [1, 0, 0], ub: [0, 0, -1]}
translation: {ua: 0, ub: 0}
components: !SCECFile
  file: stress.txt
"""
    model = model_of(tmp_path, text)
    found = at(
        model, [(50, 0, -25), (900, 0, 5)], "s_normal", "s_strike", "mu_s", "forced_rupture_time", "cohesion"
    )
    np.testing.assert_allclose(found, [[-1, -2], [5, 20], [0.1, 0.25], [1.0, 2.5], [500, 0]])


def test_a_switch_asks_each_branch_for_its_own(tmp_path):
    (tmp_path / "other.yaml").write_text("!ConstantMap\nmap: {c: 3, unused: 0}\n")
    model = model_of(
        tmp_path, "!Switch\n[a, b]: !ConstantMap\n  map: {a: 1, b: 2}\n[c]: !Include other.yaml\n"
    )
    assert model.supplied() == {"a", "b", "c"} and at(model, [(0, 0, 0)], "c", "a") == [[3], [1]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("!ConstantMop\nmap: {a: 1}\n", r"model\.yaml:1: tag = !ConstantMop: expected .*'!ConstantMap'"),
        ("!ConstantMap\nmop: {a: 1}\n", r"model\.yaml:2: !ConstantMap\.mop: expected .*'map'"),
        (
            "!Any\ncomponents:\n  - !ConstantMap\n    map:\n      a: one\n",
            r"model\.yaml:5: expected a number, not one",
        ),
        ("!ConstantMap\nmap: {a: .nan}\n", r"a = nan at \(0, 0, 0\) m"),
        (
            "!FunctionMap\nmap:\n  a: return hypotenuse(x);\n",
            r"model\.yaml:1: a: hypotenuse\(\): expected one of abs",
        ),
        ("!FunctionMap\nmap:\n  a: return w;\n", r"model\.yaml:1: a: w: expected a known name: x, y, z"),
        ("!FunctionMap\nmap:\n  a: if (x > 1) { return 2; }\n", r"a returns nothing at \(0, 0, 0\) m"),
        (
            "!FunctionMap\nmap:\n  a: return (x;\n",
            r"model\.yaml:1: a = return \(x;: expected a function as C",
        ),
        (
            "!GroupFilter\ngroups: 3\ncomponents: !Any\n  components: !GroupFilter\n    groups: 2\n",
            r"no component takes the point at",
        ),
        (
            "!Include model.yaml\n",
            r"model\.yaml:1: !Include = model\.yaml: expected a file that does not include",
        ),
        ("!ConstantMap\nmap: {a: [\n", r"model\.yaml:\d: expected YAML"),
    ],
)
def test_what_is_no_model_is_refused_with_its_line(tmp_path, text, words):
    with pytest.raises(Refusal, match=words):
        at(model_of(tmp_path, text), [(0, 0, 0)], "a")
