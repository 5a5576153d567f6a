"""Rock of the ground: easi's model of the material, as constants of a case or as values of each element."""

import numpy as np

from groundswell.errors import refuse
from groundswell.seissol.puml import FACES, SEA, tetrahedron_rule
from groundswell.seissol.values import constant_of, write_points

AT_ONCE = 1_000_000  # points
LEVEL = 1e-3  # m, from the lowest to the highest of a surface under gravity
ELASTIC, QUALITY = ("rho", "mu", "lambda"), ("Qp", "Qs")
CONSTANTS = tuple(f"c{i}{j}" for i in range(1, 7) for j in range(i, 7))
VOIGT = ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))
KEYS = {"rho": "density", "mu": "mu", "lambda": "lambda", "Qp": "qp", "Qs": "qs"}
UNITS = {"rho": "kg m-3", "mu": "Pa", "lambda": "Pa", "Qp": "1", "Qs": "1"}
STRESS = ("s_xx", "s_yy", "s_zz", "s_xy", "s_yz", "s_xz")


def elements(model, mesh, order, homogenised, attenuating):
    """{name: [element]}: means over the elements at order³ points, arithmetic of the density and harmonic of the moduli, or what is at
    their centres, as anisotropic rock always is."""
    supplied = model.supplied()
    wanted = [*ELASTIC, *(QUALITY if attenuating else ())]
    if "bulk_solid" in supplied:
        refuse(
            model.line_of("bulk_solid"),
            "bulk_solid",
            None,
            "rho, mu and lambda: the program has no poroelastic rock (bulk_solid …)",
        )
    anisotropic = "c11" in supplied and "mu" not in supplied
    if anisotropic:
        wanted, homogenised = ["rho", *CONSTANTS], False
    inside, weights = tetrahedron_rule(order) if homogenised else (np.full((1, 3), 0.25), np.ones(1))
    result = {name: np.empty(len(mesh)) for name in wanted}
    for begin in range(0, len(mesh), max(1, AT_ONCE // len(weights))):
        cells = np.arange(begin, min(len(mesh), begin + max(1, AT_ONCE // len(weights))))
        place = mesh.points_of_elements(cells, inside)
        found = model.at(place.reshape(-1, 3), np.repeat(mesh.group[cells], len(weights)), wanted)
        at = {name: values.reshape(len(cells), -1) for name, values in found.items()}
        if anisotropic:
            for name in wanted:
                result[name][cells] = at[name][:, 0]
            continue
        _require_sound(model, at, place)
        mean = {name: values @ weights for name, values in at.items()}
        water = at["mu"][:, 0] == 0.0
        mean["mu"][~water] = 1.0 / (1.0 / at["mu"][~water] @ weights)
        bulk = 1.0 / (1.0 / (at["lambda"] + 2.0 / 3.0 * at["mu"]) @ weights)
        mean["lambda"] = bulk - 2.0 / 3.0 * mean["mu"]
        # Of one rock it is that rock, to the bit.
        pure = np.all([np.all(values == values[:, :1], axis=1) for values in at.values()], axis=0)
        for name in wanted:
            result[name][cells] = np.where(pure, at[name][:, 0], mean[name])
            if name in QUALITY:
                result[name][cells[water]] = 0.0  # water loses nothing, whatever Q a model gives it
    if not anisotropic:
        _require_level_sea(mesh, result["mu"])
    return result


def _require_level_sea(mesh, mu):
    """The surface under gravity is at one height, above water."""
    faces = mesh.faces_of_tag(SEA)
    if not len(faces):
        return
    corner = mesh.place[mesh.corners[faces[:, :1], FACES[faces[:, 1]]]]
    low, high = corner[..., 2].min(), corner[..., 2].max()
    if high - low > LEVEL:
        refuse(
            mesh.path,
            "boundary 2",
            f"z from {low:.6g} to {high:.6g} m",
            "a surface under gravity at one height: that of water at rest is level",
        )
    dry = mu[faces[:, 0]] > 0.0
    if dry.any():
        refuse(
            mesh.path,
            "boundary 2",
            f"above rock at ({_said(corner[dry][0].mean(axis=0))}) m",
            "a surface under gravity above water, whose mu is 0, or boundary 1 there",
        )


def modulus_of_slip(values, cell, along, normal, at):
    """The modulus by which slip in an element is a moment μ A (t ⊗ n + n ⊗ t); in anisotropic rock, where the moment is c : t ⊗ n, that of
    a double couple."""
    if "mu" in values:
        if values["mu"][cell] == 0.0:
            refuse(at, None, None, "slip in rock: water, of mu 0, bears no shear")
        return float(values["mu"][cell])
    c = np.zeros((6, 6))
    c[np.triu_indices(6)] = [values[name][cell] for name in CONSTANTS]
    couple = np.outer(along, normal) + np.outer(normal, along)
    strain = np.array([couple[i, j] * (0.5 if i == j else 1.0) for i, j in VOIGT])
    stress = (c + np.triu(c, 1).T) @ strain
    slipped = np.array([couple[pair] for pair in VOIGT])
    twice = np.array([1, 1, 1, 2, 2, 2])
    modulus = float((twice * stress) @ slipped / ((twice * slipped) @ slipped))
    if np.abs(stress - modulus * slipped).max() > 1e-9 * np.abs(stress).max():
        refuse(
            at,
            None,
            None,
            "slip whose moment in this anisotropic rock is a double couple, as the text form has",
        )
    return modulus


def _require_sound(model, at, place):
    bulk = at["lambda"] + 2.0 / 3.0 * at["mu"]
    for name, values, wrong, wanted in (
        ("rho", at["rho"], at["rho"] <= 0.0, "a density above 0"),
        ("mu", at["mu"], at["mu"] < 0.0, "rock, above 0, or water, 0"),
        (
            "lambda",
            at["lambda"],
            bulk <= 0.0,
            "more than -2/3 mu, so that pressure makes rock and water smaller",
        ),
    ):
        if wrong.any():
            cell, point = np.argwhere(wrong)[0]
            refuse(
                model.line_of(name),
                f"{name} at ({_said(place[cell, point])}) m",
                f"{values[cell, point]:.6g}",
                wanted,
            )
    water = at["mu"] == 0.0
    mixed = water.any(axis=1) & ~water.all(axis=1)
    if mixed.any():
        cell = int(np.argmax(mixed))
        wet, dry = (place[cell, np.argmax(which)] for which in (water[cell], ~water[cell]))
        refuse(
            model.line_of("mu"),
            f"mu in an element about ({_said(place[cell].mean(axis=0))}) m",
            f"0 at ({_said(wet)}) m and not at ({_said(dry)}) m",
            "water or rock throughout an element: a mesh with faces all along the sea floor",
        )


def _said(place):
    return ", ".join(f"{value:.6g}" for value in place)


def entries(case, values, mesh, folder):
    """Tables [[material.rock]] of a case; a file of values by element where they are not the same throughout a group."""
    names = list(values)
    varied, constant = [], {}
    for group in np.unique(mesh.group):
        mine = mesh.group == group
        same = [constant_of(values[name][mine]) for name in names]
        if None in same:
            varied.append(int(group))
        else:
            constant.setdefault(tuple(same), []).append(int(group))
    material = case.table("material")
    rest = not varied
    for same, groups in sorted(constant.items(), key=lambda one: -len(one[1])):
        rock = case.entry("material.rock")
        if not rest:
            rock["group"] = groups
        rest = False  # the first stands for all groups that no other entry names
        rock.update({KEYS[name]: value for name, value in zip(names, same) if name in KEYS})
        if "c11" in names:
            rock["stiffness"] = [same[names.index(name)] for name in CONSTANTS]
    if varied:
        chosen = np.isin(mesh.group, varied)
        columns = {KEYS.get(name, name): (UNITS.get(name, "Pa"), values[name][chosen]) for name in names}
        write_points(
            folder / "rock.nc", mesh.centres()[chosen], columns, "rock of each element, at its centre"
        )
        material["average"] = "centre"
        case.entry("material.rock")["grid"] = "rock.nc"


def attenuation(case, equations):
    central, ratio = equations.number("freqcentral"), equations.number("freqratio")
    if central is None or ratio is None or central <= 0.0 or ratio <= 0.0:
        refuse(equations.at("freqratio"), "FreqRatio", ratio, "FreqCentral and FreqRatio, both above 0")
    table = case.table("attenuation")
    table["band"] = [central / ratio**0.5, central * ratio**0.5]
    table["reference_frequency"] = central


def plasticity(case, model, mesh, equations, folder):
    """Strength and initial stress of rock that yields, at the centres of elements."""
    supplied = model.supplied()
    names = ("plastCo", "bulkFriction", *STRESS)
    for name in names:
        if name not in supplied:
            refuse(
                model.path,
                name,
                None,
                "strength and stress of rock that yields, as Plasticity = 1 needs them",
            )
    centres = mesh.centres()
    values = model.at(centres, mesh.group, names)
    table = case.table("plasticity")
    table["relaxation_time"] = equations.number("tv", 0.1)
    table["rock_at"] = "centres"
    keys = {"plastCo": ("cohesion", "Pa"), "bulkFriction": ("bulk_friction", "1")}
    keys |= {name: (f"stress_{name[2:]}", "Pa") for name in STRESS}
    columns, stress = {}, {}
    for name, found in values.items():
        key, unit = keys[name]
        same = constant_of(found)
        if same is None:
            columns[key] = (unit, found)
        elif name in STRESS:
            stress[name[2:]] = same
        else:
            table[key] = same
    if columns:
        write_points(
            folder / "plasticity.nc", centres, columns, "rock that yields, at the centre of each element"
        )
        table["grid"] = "plasticity.nc"
    given = {name: value for name, value in stress.items() if value != 0.0}
    if given or not columns:
        table["stress"] = given or {"xx": 0.0}
