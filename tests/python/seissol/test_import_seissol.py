"""`groundswell import seissol`: parameters and models become keys where they are constant, else values where SeisSol asks for them."""

import numpy as np
import pytest
from seissol_files import CELLS, FAULT, PARAMETERS, PLACES, ROCK, columns_of, imported, write_mesh

from groundswell.errors import Refusal


def test_constants_stay_constants_and_the_rest_is_by_point(tmp_path):
    case = imported(tmp_path, "--order", 3)
    assert case["model"] == "quake" and case["time"] == {"end": "1.5s"}
    assert case["solver"] == {"order": 3, "step_rule": "own", "courant": 0.4, "cluster_rate": 2, "scale": 1.0}
    assert case["mesh"] == {"file": "../mesh.h5"}
    assert case["material"] == {"rock": [{"density": 2700.0, "mu": 3e10, "lambda": 3.1e10}]}
    (entry,) = case["fault"].pop("set")
    assert case["fault"] == {
        "law": "linear-slip-weakening", "plus_side": [0.0, -1000.0, 0.0],
        "points": "conical", "pressure": "full", "negative_slip": "weakens",
    }  # fmt: skip
    assert entry == {
        "static_friction": 0.6, "dynamic_friction": 0.5, "slip_distance": 0.4, "cohesion": 2e5,
        "stress": {"yy": -120e6}, "grid": "fault.nc",
    }  # fmt: skip
    (receivers,) = case["output"]["receivers"]
    assert receivers["every"] == "0.01s" and receivers["fields"][-1] == "vz"
    assert (
        tmp_path / "made/receivers.dat"
    ).read_text().split() == "100.0 -50.0 -200.0 100.0 50.0 -200.0".split()
    (on_fault,) = case["output"]["fault_receivers"]
    assert on_fault["fields"] == [
        "slip_rate_strike", "slip_rate_dip", "traction_strike_change", "traction_dip_change", "normal_stress_change",
        "slip_strike", "slip_dip",
    ]  # fmt: skip


def test_a_fault_has_values_at_each_point_of_either_side_and_at_receivers(tmp_path):
    """(order + 1)² points for each side, in the face, whose mean is not its middle: they crowd to a corner."""
    imported(tmp_path, "--order", 4)
    found = columns_of(tmp_path / "made/fault.nc")
    place = np.stack([found[axis] for axis in "xyz"], axis=-1)
    assert len(place) == 2 * 25 + 1 and np.all(place[:, 1] == 0)
    assert place[-1].tolist() == [100, 0, -200]
    assert np.all((place[:, 0] > 0) & (place[:, 2] < 0) & (place[:, 0] - place[:, 2] < 1000))
    np.testing.assert_array_equal(found["stress_xy"], 70e6 + place[:, 2])
    assert set(found) == {"x", "y", "z", "stress_xy"}


def test_rock_by_element_has_harmonic_means(tmp_path):
    """Of 1/μ and 1/K that go straight the harmonic mean is their value at the centre, as is that of the density."""
    rock = """!FunctionMap
map:
  rho: return 2700 - z;
  mu: return 30000000000 / (1 - z / 1000);
  lambda: return 70000000000 / (1 - z / 2000) - 2.0 / 3.0 * 30000000000 / (1 - z / 1000);
"""
    case = imported(tmp_path, rock=rock, groups=(1, 1))
    assert case["material"] == {"average": "centre", "rock": [{"grid": "rock.nc"}]}
    found = columns_of(tmp_path / "made/rock.nc")
    centre = np.array(PLACES)[np.array(CELLS)].mean(axis=1)
    np.testing.assert_allclose(np.stack([found[axis] for axis in "xyz"], axis=-1), centre)
    z = centre[:, 2]
    mu = 30e9 / (1 - z / 1000)
    np.testing.assert_allclose(found["density"], 2700 - z)
    np.testing.assert_allclose(found["mu"], mu)
    np.testing.assert_allclose(found["lambda"], 70e9 / (1 - z / 2000) - 2 / 3 * mu)


def test_groups_of_one_rock_each_stay_constants(tmp_path):
    rock = """!Any
components:
  - !GroupFilter
    groups: 1
    components: !ConstantMap
      map: {rho: 2000, mu: 1.0e10, lambda: 1.0e10}
  - !ConstantMap
    map: {rho: 2700, mu: 3.0e10, lambda: 3.0e10}
"""
    case = imported(tmp_path, rock=rock)
    rest, named = case["material"]["rock"]
    assert "group" not in rest and {rest["density"], named["density"]} == {2000, 2700}
    assert named["group"] == [1 if named["density"] == 2000 else 2]


def test_rate_and_state_friction_takes_numbers_of_both_files(tmp_path):
    fault = """!ConstantMap
map: {T_n: -60e6, T_s: 30e6, T_d: 0, rs_a: 0.01, rs_sl0: 0.02, rs_srW: 0.1, Tnuc_n: 0, Tnuc_s: 5e6, Tnuc_d: 0}
"""
    law = "FL = 103\nRS_f0 = 0.6\nRS_sr0 = 1d-6\nRS_b = 0.014\nRS_iniSlipRate1 = 3d-16\nRS_iniSlipRate2 = 4d-16\nRS_muW = 0.2\nt_0 = 1.0\n"
    case = imported(
        tmp_path, fault=fault, parameters=PARAMETERS.replace("FL = 16          ! friction law\n", law)
    )
    (entry,) = case["fault"].pop("set")
    assert case["fault"]["law"] == "fast-weakening" and "negative_slip" not in case["fault"]
    assert (case["fault"]["reference_friction"], case["fault"]["reference_slip_rate"]) == (0.6, 1e-6)
    assert case["fault"]["nucleation_duration"] == 1.0
    assert entry == {
        "a": 0.01, "b": 0.014, "state_distance": 0.02, "weakening_slip_rate": 0.1, "weakened_friction": 0.2,
        "initial_slip_rate": 5e-16, "traction": {"normal": -60e6, "strike": 30e6}, "nucleation": {"traction": {"strike": 5e6}},
    }  # fmt: skip


HEATED = "FL = 3\nRS_f0 = 0.6\nRS_sr0 = 1d-6\nRS_b = 0.014\nRS_iniSlipRate1 = 1d-16\nthermalPress = 1\n"
OF_HEAT = """!FunctionMap
map:
  T_n: return -60e6;
  T_s: return 30e6;
  T_d: return 0;
  rs_a: return 0.01;
  rs_sl0: return 0.02;
  HALF_WIDTH: return 0.02;
  DIFFUSIVITY: return 0.0004 - z / 1000;
"""


@pytest.mark.parametrize(
    ("numbers", "names"),
    [
        (
            "tp_thermalDiffusivity = 1d-6\ntp_heatCapacity = 2.7e6\ntp_undrainedTPResponse = 1e5\n",
            ("tp_halfWidthShearZone", "tp_hydraulicDiffusivity"),
        ),
        ("alpha_th = 1d-6\nrho_c = 2.7e6\nTP_lambda = 0.1e6\n", ("TP_half_width_shear_zone", "alpha_hy")),
    ],
)
def test_slip_heats_by_the_names_of_either_age(tmp_path, numbers, names):
    fault = OF_HEAT.replace("HALF_WIDTH", names[0]).replace("DIFFUSIVITY", names[1])
    parameters = PARAMETERS.replace(
        "FL = 16          ! friction law\n", HEATED + numbers + "IniPressure = 0\n"
    )
    mask = "OutputMask = 1 1 0 0 0 1"
    case = imported(tmp_path, fault=fault, parameters=parameters.replace(mask, f"{mask} 0 0 0 0 0 1"))
    (entry,) = case["fault"].pop("set")
    assert case["fault"]["thermal_pressurisation"] == {
        "diffusivity": 1e-6, "heat_capacity": 2.7e6, "pressure_per_kelvin": 1e5,
    }  # fmt: skip
    assert entry["shear_zone_half_width"] == 0.02
    found = columns_of(tmp_path / "made/fault.nc")
    np.testing.assert_allclose(found["hydraulic_diffusivity"], 4e-4 - found["z"] / 1000)
    assert case["output"]["fault_receivers"][0]["fields"][-2:] == [
        "pore_pressure_change",
        "temperature_change",
    ]


def test_pressure_of_the_fluid_at_the_start_belongs_to_the_stress(tmp_path):
    numbers = "alpha_th = 1d-6\nrho_c = 2.7e6\nTP_lambda = 0.1e6\nIniPressure = -8e7\n"
    with pytest.raises(Refusal, match=r"parameters\.par:14: inipressure: expected 0, and the initial normal"):
        imported(
            tmp_path,
            fault=OF_HEAT.replace("HALF_WIDTH", "tp_halfWidthShearZone").replace("DIFFUSIVITY", "alpha_hy"),
            parameters=PARAMETERS.replace("FL = 16          ! friction law\n", HEATED + numbers),
        )


WITH_A_POWER = "FL = 1058\nTpProxyExponent = 0.25\nlsw_healingThreshold = 0.01\nt_0 = 0.5\n"
SEVERE = "FL = 7\nRS_f0 = 0.6\nRS_sr0 = 0.1\nRS_b = 0.3\n"


def test_friction_falls_by_a_power_of_slip_or_with_the_slip_rate(tmp_path):
    case = imported(
        tmp_path, parameters=PARAMETERS.replace("FL = 16          ! friction law\n", WITH_A_POWER)
    )
    (entry,) = case["fault"].pop("set")
    numbers = {"weakening_exponent": 0.25, "healing_slip_rate": 0.01, "forced_rupture_duration": 0.5}
    assert case["fault"]["law"] == "power-law-slip-weakening" and entry["slip_distance"] == 0.4
    assert numbers.items() <= case["fault"].items()
    fault = "!ConstantMap\nmap: {T_n: -60e6, T_s: 30e6, T_d: 0, rs_a: 0.01, rs_sl0: 0.02}\n"
    case = imported(
        tmp_path,
        "--overwrite",
        fault=fault,
        parameters=PARAMETERS.replace("FL = 16          ! friction law\n", SEVERE),
    )
    (entry,) = case["fault"].pop("set")
    assert case["fault"]["law"] == "velocity-weakening" and case["fault"]["healing_velocity"] == 0.1
    traction = {"normal": -60e6, "strike": 30e6}
    assert entry == {
        "static_friction": 0.6,
        "b": 0.3,
        "a": 0.01,
        "state_distance": 0.02,
        "traction": traction,
    }


def test_nucleation_that_begins_later_and_a_run_that_ends_with_its_rupture(tmp_path):
    fault = FAULT + "[nuc_xx, nuc_yy, nuc_zz, nuc_xy, nuc_yz, nuc_xz]: !ConstantMap\n"
    fault += "  map: {nuc_xx: 0, nuc_yy: 0, nuc_zz: 0, nuc_xy: 5e6, nuc_yz: 0, nuc_xz: 0}\n"
    parameters = PARAMETERS.replace("FL = 16", "FL = 16\nt_0 = 0.5\ns_0 = 2.0")
    ends = "TerminatorMaxTimePostRupture = 3.0\nTerminatorSlipRateThreshold = 0.01\nEndTime"
    case = imported(tmp_path, fault=fault, parameters=parameters.replace("EndTime", ends))
    (entry,) = case["fault"].pop("set")
    assert entry["nucleation"] == {"stress": {"xy": 5e6}, "start": 2.0}
    assert case["fault"]["nucleation_duration"] == 0.5
    assert case["fault"]["end_after_quiet"] == 3.0 and case["fault"]["quiet_slip_rate"] == 0.01


def test_nucleations_one_after_the_other(tmp_path):
    """The second is an entry of its own, with its own start, duration and values."""
    fault = FAULT + "nuc_xx, nuc_yy, nuc_zz, nuc_xy, nuc_yz, nuc_xz".join(("[", "]: !ConstantMap\n"))
    fault += "  map: {nuc_xx: 0, nuc_yy: 0, nuc_zz: 0, nuc_xy: 5e6, nuc_yz: 0, nuc_xz: 0}\n"
    fault += "[Tnuc2_n, Tnuc2_s, Tnuc2_d]: !FunctionMap\n"
    fault += "  map: {Tnuc2_n: return 0;, Tnuc2_s: return 1000 * z;, Tnuc2_d: return 0;}\n"
    times = "FL = 16\nnucleationCount = 2\nt_0 = 0.5\nt2_0 = 0.25\ns2_0 = 40"
    case = imported(tmp_path, fault=fault, parameters=PARAMETERS.replace("FL = 16", times))
    first, second = case["fault"].pop("set")
    assert first["nucleation"] == {"stress": {"xy": 5e6}} and case["fault"]["nucleation_duration"] == 0.5
    assert second.pop("grid") == "nucleation-2.nc"
    assert second == {"nucleation": {"start": 40.0, "duration": 0.25}}
    found = columns_of(tmp_path / "made/nucleation-2.nc")
    np.testing.assert_allclose(found["nucleation_traction_strike"], 1000 * found["z"])


def test_slip_that_is_given(tmp_path):
    fault = """!FunctionMap
map:
  strike_slip: return 2;
  dip_slip: return 0;
  rupture_onset: return x / 1000;
  tau_R: return 1.5;
  tau_S: return 0.1;
"""
    case = imported(tmp_path, fault=fault, parameters=PARAMETERS.replace("FL = 16", "FL = 33"))
    (entry,) = case["fault"].pop("set")
    assert case["fault"]["law"] == "imposed-yoffe" and "negative_slip" not in case["fault"]
    assert entry["rise_time"] == 1.5 and entry["acceleration_time"] == 0.1 and entry["slip_along_strike"] == 2
    found = columns_of(tmp_path / "made/fault.nc")
    np.testing.assert_allclose(found["slip_onset"], found["x"] / 1000)


@pytest.mark.parametrize("with_q", [True, False])
def test_rock_attenuates_where_the_model_has_q(tmp_path, with_q):
    """A band of FreqRatio about FreqCentral; without Qp and Qs both are nothing to the run."""
    rock = ROCK.replace("rho: 2700", "rho: 2700, Qp: 120, Qs: 60") if with_q else ROCK
    case = imported(
        tmp_path,
        rock=rock,
        parameters=PARAMETERS.replace("&equations", "&equations\nFreqCentral = 2\nFreqRatio = 100"),
    )
    assert ("qp" in case["material"]["rock"][0]) == with_q
    assert case.get("attenuation") == ({"band": [0.2, 20.0], "reference_frequency": 2.0} if with_q else None)


def test_each_group_of_the_mask_of_faults_has_its_fields(tmp_path):
    """But for the state and the heat, which this law has not."""
    case = imported(
        tmp_path,
        parameters=PARAMETERS.replace("OutputMask = 1 1 0 0 0 1", "OutputMask = 1 1 1 1 1 1 1 1 1 1 1 1"),
    )
    assert case["output"]["fault_receivers"][0]["fields"] == [
        "slip_rate_strike", "slip_rate_dip", "traction_strike_change", "traction_dip_change", "normal_stress_change",
        "normal_velocity", "friction", "traction_strike", "traction_dip", "normal_stress", "slip_strike", "slip_dip",
        "rupture_velocity", "slip", "peak_slip_rate", "rupture_time", "weakening_time",
    ]  # fmt: skip


def test_what_has_no_counterpart_is_listed_and_makes_the_exit_code(tmp_path, capsys):
    parameters = PARAMETERS.replace("CFL = 0.4", "CFL = 0.4\nNovelKey = 3")
    imported(tmp_path, code=1, parameters=parameters)
    told = capsys.readouterr().out
    assert "parameters.par:22: novelkey: no counterpart" in told
    assert "outputmask" not in told
    assert "novelkey" in (tmp_path / "made/case.toml").read_text()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"FL = 16": "FL = 101"}, r"parameters\.par:5: FL = 101: expected .*no ageing law with nucleation"),
        (
            {"FL = 16": "FL = 16\nnucleationCount = 5"},
            r"parameters\.par:6: nucleationCount = 5\.0: expected at most 4",
        ),
        (
            {"FL = 16": "FL = 16\nnucleationCount = 2"},
            r"fault\.yaml: nuc2_xx, .*expected either these or Tnuc2_n",
        ),
        ({"FL = 16": "FL = 33"}, r"fault\.yaml: strike_slip: expected a number of the law imposed-yoffe"),
        (
            {"FL = 16": "FL = 7"},
            r"parameters\.par:4: RS_sr0: expected a number, of the law velocity-weakening",
        ),
        (
            {"ClusteredLTS = 2": "ClusteredLTS = 5"},
            r"parameters\.par:22: ClusteredLTS = 5\.0: expected 1, 2 or 3",
        ),
        ({"&MeshNml": "&MeshNlm"}, r"parameters\.par:16: &meshnlm: expected did you mean '&meshnml'"),
        (
            {"mesh.h5": "none.h5"},
            r"parameters\.par:17: MeshFile = .*none\.h5: expected a file that is there; --mesh",
        ),
        (
            {"mesh.h5'": "mesh.h5'\nscalingmatrixx = 1000 0 0"},
            r"parameters\.par:18: scalingmatrixx = .*does not move it",
        ),
        ({"CFL = 0.4": "CFL = 'fast'"}, r"parameters\.par:21: cfl = fast: expected a number"),
    ],
)
def test_what_the_program_lacks_is_refused_by_name(tmp_path, change, words):
    parameters = PARAMETERS
    for old, new in change.items():
        parameters = parameters.replace(old, new, 1)
    with pytest.raises(Refusal, match=words):
        imported(tmp_path, parameters=parameters)
    assert not list(tmp_path.glob("made*"))


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"rock": ROCK.replace("3.0e10", "-1")}, r"rock\.yaml:2: mu at \(.*\) m = -1: .*or water, 0"),
        ({"rock": ROCK.replace("3.1e10", "-3e10")}, r"rock\.yaml:2: lambda at \(.*\) m = -3e\+10: .*-2/3 mu"),
        ({"rock": "!ConstantMap\nmap: {rho: 1, bulk_solid: 3}\n"}, r"rock\.yaml:2: .*no poroelastic rock"),
        ({"rock": "!ConstantMap\nmap: {rho: 1, c11: 3}\n"}, r"rock\.yaml:1: c12 at .*c11, rho"),
        ({"fault": FAULT.replace("-2e5", "2e5")}, r"fault\.yaml:2: cohesion at .*0 or less"),
        (
            {"fault": FAULT.replace("[s_xy]", "[s_yx]").replace("s_xy:", "s_yx:")},
            r"fault\.yaml: s_xx, .*: expected either",
        ),
        (
            {"fault": FAULT.replace("return 70000000 + z", "return log(z)")},
            r"fault\.yaml:1: s_xy = nan at \(",
        ),
    ],
)
def test_models_that_cannot_be_had_are_refused_with_their_line(tmp_path, files, words):
    with pytest.raises(Refusal, match=words):
        imported(tmp_path, **files)
    assert not list(tmp_path.glob("made*"))  # nor what had been written before


def test_a_mesh_without_a_fault_is_no_mesh_for_friction(tmp_path):
    write_mesh(tmp_path / "welded.h5", fault=False)
    with pytest.raises(Refusal, match=r"welded\.h5: boundary: expected faces of a fault"):
        imported(tmp_path, "--mesh", tmp_path / "welded.h5")
