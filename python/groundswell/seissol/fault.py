"""Faults that break: friction laws by SeisSol's numbers, and stress and numbers of friction at each point of a face."""

import math

import numpy as np

from groundswell.errors import refuse
from groundswell.seissol.rock import STRESS
from groundswell.seissol.values import constant_of, write_points

LAWS = {
    2: "linear-slip-weakening",
    3: "ageing",
    4: "slip",
    6: "linear-slip-weakening-bimaterial",
    7: "velocity-weakening",
    16: "linear-slip-weakening",
    33: "imposed-yoffe",
    34: "imposed-gaussian",
    35: "imposed-delta",
    103: "fast-weakening",
    1058: "power-law-slip-weakening",
}
RATES_AND_STATES = ("ageing", "slip", "fast-weakening")
LACKING = {
    101: "ageing law with nucleation",
}
TRACTION = ("T_n", "T_s", "T_d")
MOST_NUCLEATIONS = 4  # episodes of a case
DIRECTIONS = dict(zip("nsd", ("normal", "strike", "dip")))
# easi's name → the case's key, and its unit.
WEAKENING = {
    "mu_s": ("static_friction", "1"), "mu_d": ("dynamic_friction", "1"), "d_c": ("slip_distance", "m"),
    "cohesion": ("cohesion", "Pa"), "forced_rupture_time": ("forced_rupture_time", "s"),
}  # fmt: skip
RATE_AND_STATE = {
    "rs_a": ("a", "1"), "rs_b": ("b", "1"), "rs_sl0": ("state_distance", "m"), "rs_srW": ("weakening_slip_rate", "m s-1"),
    "rs_muW": ("weakened_friction", "1"),
}  # fmt: skip
IMPOSED = {
    "strike_slip": ("slip_along_strike", "m"), "dip_slip": ("slip_along_dip", "m"), "rupture_onset": ("slip_onset", "s"),
    "tau_R": ("rise_time", "s"), "tau_S": ("acceleration_time", "s"), "rupture_rise_time": ("rise_time", "s"),
}  # fmt: skip
# Where slip heats: SeisSol's names, old and new → keys of the whole fault; of each place, and the unit.
HEAT = {
    "diffusivity": ("tp_thermaldiffusivity", "alpha_th"), "heat_capacity": ("tp_heatcapacity", "rho_c"),
    "pressure_per_kelvin": ("tp_undrainedtpresponse", "tp_lambda"),
}  # fmt: skip
HEATED = {
    "tp_halfWidthShearZone": ("shear_zone_half_width", "m"), "tp_hydraulicDiffusivity": ("hydraulic_diffusivity", "m2 s-1"),
    "TP_half_width_shear_zone": ("shear_zone_half_width", "m"), "alpha_hy": ("hydraulic_diffusivity", "m2 s-1"),
}  # fmt: skip
OF_GROWTH = {
    "imposed-yoffe": ("tau_R", "tau_S"),
    "imposed-gaussian": ("rupture_rise_time",),
    "imposed-delta": (),
}
OPTIONAL = ("forced_rupture_time", "rs_b", "rs_muW")


def slip_weakens(law):
    return "slip-weakening" in law


def weakening_ends(law):
    """Whether there is a time by which friction has fallen."""
    return slip_weakens(law) or law == "fast-weakening"


def heats(rupture, law):
    """Whether slip heats: SeisSol minds it under these laws alone."""
    return law in RATES_AND_STATES and rupture.flag("thermalpress")


def law_of(rupture):
    number = int(rupture.number("fl", 0))
    if number in LACKING:
        refuse(rupture.at("fl"), "FL", number, f"a law that the program has: it has no {LACKING[number]}")
    if number not in LAWS:
        refuse(rupture.at("fl"), "FL", number, f"one of {', '.join(map(str, LAWS))}")
    if rupture.number("etadamp", rupture.number("etahack", 1.0)) != 1.0:
        refuse(rupture.at("etadamp"), "etadamp", None, "1: the program does not damp friction")
    nucleations = rupture.number("nucleationcount", 1)
    if nucleations > MOST_NUCLEATIONS:
        refuse(rupture.at("nucleationcount"), "nucleationCount", nucleations, f"at most {MOST_NUCLEATIONS}")
    return LAWS[number]


def _nucleation_names(number):
    """Names in easi of a nucleation, the first of which is 1: components of stress, and of traction."""
    index = "" if number == 1 else str(number)
    return (
        tuple(f"nuc{index}_{component}" for component in ("xx", "yy", "zz", "xy", "yz", "xz")),
        tuple(f"Tnuc{index}_{direction}" for direction in "nsd"),
    )


def _whole_fault(fault, law, rupture):
    def required(key, name):
        value = rupture.number(key)
        if value is None:
            refuse(rupture.at(key), name, None, f"a number, of the law {law}")
        return value

    if slip_weakens(law):
        if rupture.number("lsw_healingthreshold", -1.0) > 0.0:
            fault["healing_slip_rate"] = rupture.number("lsw_healingthreshold")
        if not law.endswith("bimaterial") and rupture.number("t_0", 0.0) > 0.0:
            fault["forced_rupture_duration"] = rupture.number("t_0")
    if law == "power-law-slip-weakening" and rupture.has("tpproxyexponent"):
        fault["weakening_exponent"] = rupture.number("tpproxyexponent")
    if law == "velocity-weakening":
        fault["healing_velocity"] = required("rs_sr0", "RS_sr0")
    if law == "linear-slip-weakening-bimaterial":
        alternatives = (("pc_vstar", "v_star", "velocity"), ("pc_prakashlength", "l", "length"))
        for key, older, name in alternatives:
            fault[f"regularisation_{name}"] = required(key if rupture.has(key) else older, key)
    if law in RATES_AND_STATES:
        fault["reference_friction"] = required("rs_f0", "RS_f0")
        fault["reference_slip_rate"] = required("rs_sr0", "RS_sr0")
    if heats(rupture, law):
        older = {new: old if rupture.has(old) else new for new, old in HEAT.values()}
        fault["thermal_pressurisation"] = {
            key: required(older[new], older[new]) for key, (new, old) in HEAT.items()
        }
        for key in ("tp_inipressure", "inipressure"):
            if rupture.number(key, 0.0) != 0.0:
                expected = "0, and the initial normal stress less the pressure of the fluid: it is that which strength feels"
                refuse(rupture.at(key), key, None, expected)


def _constants(law, rupture, supplied):
    """Numbers of each place that the parameter file has for all of the fault."""
    if law == "velocity-weakening":
        numbers = {"static_friction": rupture.number("rs_f0")}
        if "rs_b" not in supplied:
            numbers["b"] = rupture.number("rs_b")
        return _required(numbers, rupture, law)
    if law not in RATES_AND_STATES:
        return {}
    rates = [rupture.number(f"rs_inisliprate{i}", 0.0) for i in (1, 2)]
    numbers = {"initial_slip_rate": rates[0] if rates[1] == 0.0 else math.hypot(*rates)}
    if "rs_b" not in supplied:
        numbers["b"] = rupture.number("rs_b")
    if law == "fast-weakening" and "rs_muW" not in supplied:
        numbers["weakened_friction"] = rupture.number("rs_muw" if rupture.has("rs_muw") else "mu_w")
    return _required(numbers, rupture, law)


def _required(numbers, rupture, law):
    for key, value in numbers.items():
        if value is None:
            expected = f"{key} of the law {law} (RS_f0, RS_b, RS_muW, RS_iniSlipRate1)"
            refuse(rupture.file.path, "&DynamicRupture", None, expected)
    return numbers


def _one_of(model, first, second, needed):
    """Names of that of two groups which a model has."""
    supplied = model.supplied()
    has = [set(names) <= supplied for names in (first, second)]
    if all(has) or (needed and not any(has)):
        refuse(model.path, ", ".join(first), None, f"either these or {', '.join(second)}")
    return first if has[0] else second if has[1] else ()


def _names(model, law, heated):
    supplied = model.supplied()
    of_law = WEAKENING if slip_weakens(law) else IMPOSED if law in OF_GROWTH else RATE_AND_STATE
    if law in OF_GROWTH:
        of_law = {
            name: of_law[name] for name in ("strike_slip", "dip_slip", "rupture_onset", *OF_GROWTH[law])
        }
    if law != "fast-weakening":
        of_law = {name: key for name, key in of_law.items() if name not in ("rs_srW", "rs_muW")}
    for name in of_law:
        if name not in supplied and name not in OPTIONAL:
            refuse(model.path, name, None, f"a number of the law {law}: {', '.join(of_law)}")
    known = {name: key for name, key in (of_law | (HEATED if heated else {})).items() if name in supplied}
    for name, key in HEATED.items():
        if heated and key not in known.values():
            refuse(model.path, name, None, "a number of thermal pressurisation, as thermalPress is on")
    return known


def _stress_keys(names):
    keys = {}
    for name in names:
        before = "nucleation_" if "nuc" in name else ""
        tail = name.split("_")[1]
        keys[name] = (
            before + (f"traction_{DIRECTIONS[tail]}" if name.startswith("T") else f"stress_{tail}"),
            "Pa",
        )
    return keys


def entries(case, model, mesh, rupture, order, receivers, folder):
    """[fault] and its sets. `receivers`: places on the fault of which values are asked too, [receiver][3]."""
    law = law_of(rupture)
    fault = case.table("fault")
    fault["law"] = law
    point = [rupture.number(key, 0.0) for key in ("xref", "yref", "zref")]
    by_normal = rupture.one_of("refpointmethod", 0, {0: False, 1: True})
    fault["normal" if by_normal else "plus_side"] = point
    fault.update({"points": "conical", "pressure": "full", "negative_slip": "weakens"})
    if not slip_weakens(law):
        del fault["negative_slip"]
    _whole_fault(fault, law, rupture)
    of_law = _names(model, law, heats(rupture, law))
    stress, nucleations = (), {}
    if law not in OF_GROWTH:
        stress = _one_of(model, STRESS, TRACTION, True)
        for number in range(1, int(rupture.number("nucleationcount", 1)) + 1):
            nucleations[number] = _one_of(model, *_nucleation_names(number), number > 1)
    place, tag = mesh.points_of_faults(order + 1)
    if not len(place):
        refuse(mesh.path, "boundary", None, "faces of a fault, tags 3 or above 64, next to &DynamicRupture")
    if len(receivers):
        nearest = [int(np.argmin(np.sum((place - one) ** 2, axis=1))) for one in receivers]
        place, tag = np.concatenate([place, receivers]), np.concatenate([tag, tag[nearest]])
    keys = {**of_law, **_stress_keys((*stress, *(name for names in nucleations.values() for name in names)))}
    values = model.at(place, tag, keys)
    if "cohesion" in values:
        values["cohesion"] = -values["cohesion"]
        if (values["cohesion"] < 0.0).any():
            where = place[int(np.argmax(values["cohesion"] < 0.0))]
            refuse(
                model.line_of("cohesion"),
                f"cohesion at {tuple(where.tolist())} m",
                None,
                "0 or less, which is how SeisSol has it",
            )
    episodes = {}
    for number, names in nucleations.items():
        of_number = {name: values.pop(name) for name in names}
        if any(found.any() for found in of_number.values()):
            episodes[number] = of_number
    begin_and_duration = {number: _time_of(rupture, number) for number in episodes}
    _write(
        case, values | episodes.pop(1, {}), keys, place, _constants(law, rupture, model.supplied()), folder
    )
    if 1 in begin_and_duration:
        begin, fault["nucleation_duration"] = begin_and_duration[1]
        if begin != 0.0:
            case.sections["fault.set"][-1].setdefault("nucleation", {})["start"] = begin
    for number, of_number in episodes.items():
        _write(case, of_number, keys, place, {}, folder, f"nucleation-{number}.nc")
        begin, duration = begin_and_duration[number]
        case.sections["fault.set"][-1].setdefault("nucleation", {}).update(start=begin, duration=duration)


def _time_of(rupture, number):
    """When a nucleation begins, and how long it grows, s."""
    key, start = ("t_0", "s_0") if number == 1 else (f"t{number}_0", f"s{number}_0")
    duration = rupture.number(key, 0.0)
    if duration <= 0.0:
        refuse(rupture.at(key), key, f"{duration:g}", "a time above 0 in which nucleation grows")
    return rupture.number(start, 0.0), duration


def _write(case, values, keys, place, constants, folder, file="fault.nc"):
    entry, columns, tables = case.entry("fault.set"), {}, {}
    entry.update(constants)
    for name, found in values.items():
        key, unit = keys[name]
        same = constant_of(found)
        if same is None:
            columns[key] = (unit, found)
        elif key.startswith(("stress_", "traction_", "nucleation_")):
            if same != 0.0:
                *path, component = key.split("_")
                tables.setdefault(".".join(path), {})[component] = same
        elif not (key == "cohesion" and same == 0.0):
            entry[key] = same + 0.0
    for path, table in tables.items():
        if path.startswith("nucleation."):
            entry.setdefault("nucleation", {})[path.split(".")[1]] = table
        else:
            entry[path] = table
    if columns:
        write_points(folder / file, place, columns, "stress and friction at the points of a fault")
        entry["grid"] = file
