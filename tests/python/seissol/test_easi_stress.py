"""Stress of a region by how near a plane is to slip: what the components give has the ratios that they were asked for."""

import numpy as np
import pytest
from easi_files import model_of

STATED = {"mu_d": 0.2, "mu_s": 0.6, "cohesion": 1e6, "s2ratio": 0.4}
NAMES = ("b_xx", "b_yy", "b_zz", "b_xy", "b_yz", "b_xz")


def tensor(folder, tag, **constants):
    text = f"!{tag}\nconstants:\n" + "".join(
        f"  {name}: {value}\n" for name, value in (STATED | constants).items()
    )
    model = model_of(
        folder, "!AffineMap\nmatrix: {}\ntranslation: {}\ncomponents: " + text.replace("\n", "\n  ")
    )
    found = model.at(np.zeros((1, 3)), 1, NAMES)
    xx, yy, zz, xy, yz, xz = (found[name][0] for name in NAMES)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def plane(strike, dip, rake):
    """Normal, upwards, and slip of the upper side: east, north, up (Aki & Richards 2002, section 4.5)."""
    s, d, r = np.radians([strike, dip, rake])
    normal = np.array([np.cos(s) * np.sin(d), -np.sin(s) * np.sin(d), np.cos(d)])
    slip = np.cos(r) * np.array([np.sin(s), np.cos(s), 0]) + np.sin(r) * np.array(
        [-np.cos(s) * np.cos(d), np.sin(s) * np.cos(d), np.sin(d)]
    )
    return normal, slip


def ratio_of(stress, normal, slip, cohesion=1e6):
    """R = (τ − μ_d σ) / (c + (μ_s − μ_d) σ) on the plane, whose shear is all along the slip."""
    traction = stress @ normal
    pressure, shear = -traction @ normal, traction @ slip
    across = traction - (traction @ normal) * normal - shear * slip
    assert np.linalg.norm(across) < 1e-9 * pressure
    return (shear - 0.2 * pressure) / (cohesion + 0.4 * pressure)


def shape_of(stress):
    s1, s2, s3 = np.sort(-np.linalg.eigvalsh(stress))[::-1]
    return (s2 - s3) / (s1 - s3)


PLANES = [(0, 90, 0), (30, 60, 90), (123, 25, -40), (210, 80, 170)]


@pytest.mark.parametrize(("strike", "dip", "rake"), PLANES)
def test_the_best_plane_has_the_ratio_asked_for(tmp_path, strike, dip, rake):
    angles = {"strike": strike, "dip": dip, "rake": rake}
    mean = tensor(tmp_path, "OptimalStress", **angles, R=0.7, effectiveConfiningStress=-50e6)
    vertical = tensor(tmp_path, "OptimalStress_Szz", **angles, R0=0.7, s_zz=-50e6)
    assert np.trace(mean) == pytest.approx(-150e6) and vertical[2, 2] == pytest.approx(-50e6)
    for stress in (mean, vertical):
        assert ratio_of(stress, *plane(strike, dip, rake)) == pytest.approx(0.7)
        assert shape_of(stress) == pytest.approx(0.4)


@pytest.mark.parametrize(("which", "order"), [(1, 0), (2, 1), (3, 2)])
def test_andersonian_stress_has_one_vertical_axis(tmp_path, which, order):
    """σ_zz as asked for is the largest, middle or smallest pressure; the most compressive horizontal one is along SH_max."""
    stress = tensor(tmp_path, "AndersonianStress", SH_max=30, S_v=which, S=0.5, sig_zz=-80e6)
    assert stress[2, 2] == pytest.approx(-80e6) and abs(stress[0, 2]) + abs(stress[1, 2]) == 0
    assert np.sort(-np.linalg.eigvalsh(stress))[::-1][order] == pytest.approx(80e6)
    along = np.array([np.sin(np.radians(30)), np.cos(np.radians(30))])
    most = stress[:2, :2] @ along
    np.testing.assert_allclose(most, np.linalg.eigvalsh(stress[:2, :2])[0] * along, rtol=1e-12)
    assert shape_of(stress) == pytest.approx(0.4)


def test_the_older_form_is_that_of_thrusts_over_its_vertical_stress(tmp_path):
    """As its documentation says of DipSlipFaulting = 1."""
    angles = {"strike": 77, "dip": 20}
    old = tensor(tmp_path, "STRESS_STR_DIP_SLIP_AM", **angles, DipSlipFaulting=1, R=0.7, s_zz=50e6)
    new = tensor(tmp_path, "OptimalStress_Szz", **angles, rake=90, R=0.7, s_zz=50e6)
    np.testing.assert_allclose(old, new / new[2, 2], rtol=1e-12)
