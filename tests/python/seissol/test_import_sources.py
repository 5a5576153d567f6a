"""Kinematic sources: NRF becomes point sources of the same moment tensors, finite-fault models become ruptures of the same slip."""

import netCDF4
import numpy as np
import pytest
from seissol_files import PARAMETERS, imported

from groundswell.errors import Refusal
from groundswell.ruptures.command import command_line, rates_of
from groundswell.ruptures.finite_fault import Subfault, read

VECTOR = np.dtype([(axis, "f8") for axis in "xyz"])
SUBFAULT = np.dtype(
    [(name, "f8") for name in ("tinit", "timestep", "mu", "area")]
    + [(name, VECTOR) for name in ("tan1", "tan2", "normal")]
)


def rotation(strike, dip, rake):
    """Columns: slip, across it in the plane, normal; any orthonormal frame."""
    a, b, c = np.radians([strike, dip, rake])
    about_z = lambda t: np.array([[np.cos(t), -np.sin(t), 0], [np.sin(t), np.cos(t), 0], [0, 0, 1]])  # noqa: E731
    about_x = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    return about_z(a) @ about_x @ about_z(c)


def write_nrf(path, frames, rates, mu=3e10, shift=0.0):
    """A subfault for each frame; rates: [direction][subfault][sample]."""
    with netCDF4.Dataset(path, "w") as file:
        vector = file.createCompoundType(VECTOR, "Vector3")
        kind = file.createCompoundType(SUBFAULT, "Subfault")
        for name, size in (("source", len(frames)), ("sroffset", len(frames) + 1), ("direction", 3)):
            file.createDimension(name, size)
        table, centres = np.zeros(len(frames), SUBFAULT), np.zeros(len(frames), VECTOR)
        for i, frame in enumerate(frames):
            centres[i] = (200 + 10 * i + shift, 50, -300)
            table[i]["tinit"], table[i]["timestep"], table[i]["mu"], table[i]["area"] = (
                0.5 * i,
                0.1,
                mu,
                1e4 * (i + 1),
            )
            for column, name in enumerate(("tan1", "tan2", "normal")):
                table[i][name] = tuple(frame[:, column])
        file.createVariable("centres", vector, ("source",))[:] = centres
        file.createVariable("subfaults", kind, ("source",))[:] = table
        offsets = np.zeros((len(frames) + 1, 3), "u4")
        for d in range(3):
            offsets[1:, d] = np.cumsum([len(one) for one in rates[d]])
            samples = np.concatenate([*rates[d], []])
            file.createDimension(f"sample{d + 1}", max(len(samples), 1))
            variable = file.createVariable(f"sliprates{d + 1}", "f8", (f"sample{d + 1}",))
            variable[: len(samples)] = samples
        file.createVariable("sroffsets", "u4", ("sroffset", "direction"))[:] = offsets


SOURCE = PARAMETERS.replace(
    "&DynamicRupture\nFL = 16", "&SourceType\nType = 42\nFileName = 'source.nrf'\n/\n&DynamicRupture\nFL = 0"
)


def tensors_of(path):
    """{(place, onset): tensor of each sample}, by the frame of FSRM as the manual states it: slip, across, normal in x, y, z."""
    lines = path.read_text().splitlines()
    matrix = np.array([line.split() for line in lines[1:4]], float)
    count = int(lines[5])
    points = np.array([line.split() for line in lines[7 : 7 + count]], float)
    samples = int(lines[8 + count].split()[1])
    series = np.array(lines[10 + count :], float).reshape(count, samples)
    found = {}
    for point, rates in zip(points, series):
        s, d, r = np.radians(point[3:6])
        cs, ss, cd, sd, cr, sr = np.cos(s), np.sin(s), np.cos(d), np.sin(d), np.cos(r), np.sin(r)
        axes = np.array(
            [
                [cr * cs + cd * sr * ss, cd * cr * ss - cs * sr, sd * ss],
                [cd * cs * sr - cr * ss, sr * ss + cd * cr * cs, sd * cs],
                [-sd * sr, -sd * cr, cd],
            ]
        )
        key = (*point[:3], point[7])
        found[key] = found.get(key, 0) - point[6] * (axes @ matrix @ axes.T)[None] * rates[:, None, None]
    return found


FRAMES = [
    rotation(*angles) for angles in ((0, 0, 0), (30, 60, 90), (200, 90, -10), (75, 180, 20), (-40, 120, 170))
]


def test_subfaults_keep_their_moment_tensors(tmp_path):
    """μ A (t ⊗ n + n ⊗ t) s of each of two directions of slip, whatever way the plane lies."""
    first = [np.array([0.0, 1.0, 0.5, 0.0])] * len(FRAMES)
    second = [np.array([0.0, 0.2 * i, 0.1, 0.0]) for i in range(len(FRAMES))]
    source = tmp_path / "source.nrf"
    write_nrf(source, FRAMES, [first, second, [[]] * len(FRAMES)])
    case = imported(tmp_path, parameters=SOURCE)
    assert case["source"] == {"rupture": [{"file": "source.dat", "format": "fsrm"}]} and "fault" not in case
    found = tensors_of(tmp_path / "made/source.dat")
    for i, frame in enumerate(FRAMES):
        expected = 0.0
        for column, rates in ((0, first[i]), (1, second[i])):
            pair = np.outer(frame[:, column], frame[:, 2])
            expected = expected + 3e10 * 1e4 * (i + 1) * (pair + pair.T)[None] * rates[:, None, None]
        np.testing.assert_allclose(
            found[(200 + 10 * i, 50, -300, 0.5 * i)], expected, atol=1e-9 * np.abs(expected).max()
        )


def test_a_subfault_without_a_modulus_takes_that_of_its_element(tmp_path):
    rates = [[np.array([1.0, 0.0])], [[]], [[]]]
    write_nrf(tmp_path / "source.nrf", FRAMES[:1], rates, mu=0.0)
    imported(tmp_path, parameters=SOURCE)
    ((tensor),) = tensors_of(tmp_path / "made/source.dat").values()
    assert np.abs(tensor).max() == pytest.approx(3e10 * 1e4)


def anisotropic_rock(**changed):
    """VTI, without what would let slip along axes press."""
    given = {"c11": 9e10, "c12": 1e10, "c13": 3e10, "c22": 9e10, "c23": 3e10, "c33": 7e10}
    given |= {"c44": 3.2e10, "c55": 3.2e10, "c66": 4.3e10} | changed
    numbers = {f"c{i}{j}": given.get(f"c{i}{j}", 0.0) for i in range(1, 7) for j in range(i, 7)}
    return "!ConstantMap\nmap: {rho: 2700, " + ", ".join(f"{k}: {v}" for k, v in numbers.items()) + "}\n"


def test_anisotropic_rock_keeps_its_constants_and_slip_in_it_its_moment(tmp_path):
    """M = c : (t ⊗ n) A s, here c66 and c44 of slip along axes; constants in the order of c11 … c66."""
    along = np.eye(3)[:, [0, 2, 1]]  # slips along x, on a plane that faces y
    upward = np.eye(3)[:, [2, 0, 1]]  # slips along z on it
    write_nrf(
        tmp_path / "source.nrf", [along, upward], [[np.array([1.0, 0.0])] * 2, [[]] * 2, [[]] * 2], mu=0.0
    )
    case = imported(tmp_path, parameters=SOURCE, rock=anisotropic_rock())
    (rock,) = case["material"]["rock"]
    assert rock["density"] == 2700 and len(rock["stiffness"]) == 21
    assert [rock["stiffness"][i] for i in (0, 2, 11, 15, 18, 20)] == [
        9e10,
        3e10,
        7e10,
        3.2e10,
        3.2e10,
        4.3e10,
    ]
    tensors = list(tensors_of(tmp_path / "made/source.dat").values())
    for tensor, (pair, expected) in zip(tensors, (((0, 1), 4.3e10 * 1e4), ((1, 2), 3.2e10 * 2e4))):
        assert abs(tensor[0][pair]) == pytest.approx(expected)
        assert np.abs(tensor[0]).sum() == pytest.approx(2 * expected)


def test_slip_that_presses_anisotropic_rock_is_refused(tmp_path):
    write_nrf(
        tmp_path / "source.nrf", [np.eye(3)[:, [0, 2, 1]]], [[np.array([1.0, 0.0])], [[]], [[]]], mu=0.0
    )
    with pytest.raises(Refusal, match=r"source\.nrf: subfaults\(0\)\.mu: .*double couple"):
        imported(tmp_path, parameters=SOURCE, rock=anisotropic_rock(c16=1e9))


def test_sources_of_another_projection_are_refused_with_the_place(tmp_path):
    write_nrf(tmp_path / "source.nrf", FRAMES[:2], [[np.ones(3)] * 2, [[]] * 2, [[]] * 2], shift=5e5)
    with pytest.raises(
        Refusal,
        match=r"source\.nrf: centres\(0\) = \(500200, 50, -300\) m: .*2 of 2 lie outside: .*projection",
    ):
        imported(tmp_path, parameters=SOURCE)


PARAM = """#Total number of fault_segments=     1
#Fault_segment =   1 nx(Along-strike)=   2 Dx=  5.00km ny(downdip)=   1 Dy=  4.00km
#Boundary of Fault_segment     1
#Lon.  Lat.  Depth
    20.0  10.0   5.0
#Lat. Lon. depth slip rake strike dip t_rup t_ris t_fal mo
   10.00   20.00   8.0  120.0   85.0  190.0  20.0   3.0  1.0  2.0  7.2e+24
   10.10   20.00   8.0    0.0   85.0  190.0  20.0   4.0  1.0  2.0  0.0
"""
FSP = """% ----- FINITE-SOURCE RUPTURE MODEL -----
% Mech : STRK = 190   DIP = 20   RAKE = 85   Htop = 5 km
% Invs : Nx = 2 Nz = 1
% Invs : Dx = 5.00 km Dz = 4.00 km
%   LAT      LON      X==EW   Y==NS    Z     SLIP   TRUP  RISE  SF_MOMENT
  10.00   20.00   0.0  0.0   8.0  1.2   3.0  3.0  7.2e+17
  10.10   20.00   0.0  0.0   8.0  0.0   4.0  3.0  0.0
"""


@pytest.mark.parametrize(("name", "text"), [("basic_inversion.param", PARAM), ("event.fsp", FSP)])
def test_finite_faults_become_ruptures_of_the_same_slip_and_moment(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    first, second = read(tmp_path / name)
    assert (first.longitude, first.latitude, first.depth, first.strike, first.dip, first.rake) == (
        20,
        10,
        8e3,
        190,
        20,
        85,
    )
    assert first.area == 20e6 and first.slip == pytest.approx(1.2) and second.slip == 0
    assert first.onset == 3 and first.rise + first.fall == 3 and first.moment == pytest.approx(7.2e17)
    assert command_line([str(tmp_path / name), "--output", str(tmp_path / "out.srf"), "--quiet"]) == 0
    words = (tmp_path / "out.srf").read_text().split()
    assert words[:3] == ["2.0", "POINTS", "2"]
    point = [float(word) for word in words[3:13]]
    assert point[:3] == [20, 10, 8] and point[5] == 20e10  # cm²
    modulus = point[9] * 1e3 * (point[8] * 1e-2) ** 2
    assert modulus * 20e6 * 1.2 == pytest.approx(7.2e17)
    rates = np.array(words[20 : 20 + int(words[15])], float)
    assert rates.sum() * point[7] == pytest.approx(120) and float(words[14]) == pytest.approx(120)


def test_slip_rates_rise_and_fall_as_half_cosines():
    """Largest at the end of the rise; none at both ends."""
    rates = rates_of(Subfault(0, 0, 0, 0, 90, 0, 1, 2.0, 0, 1.0, 3.0), 0.01)
    assert np.argmax(rates) == 100 and rates[0] == 0 and rates[-1] == pytest.approx(0, abs=1e-12)
    assert rates[50] == pytest.approx(0.5 * rates.max()) and rates[250] == pytest.approx(0.5 * rates.max())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nothing of the kind\n", "expected a finite-fault model"),
        ("2.0\nPOINTS 1\n", "Standard Rupture Format: expected no import"),
        (PARAM.replace("120.0   85.0", "much"), r"model:7: expected 10 numbers"),
        (
            FSP.replace("TRUP", "XXXX"),
            r"model:6: TRUP: expected a column of this name: a model of slip alone",
        ),
    ],
)
def test_what_is_no_finite_fault_is_refused_with_its_line(tmp_path, text, words):
    (tmp_path / "model").write_text(text)
    with pytest.raises(Refusal, match=words):
        read(tmp_path / "model")
