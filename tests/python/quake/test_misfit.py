"""The misfits have the properties that their authors define them by."""

import numpy as np
import pytest
from scipy.signal import hilbert

from groundswell.misfit import Misfit, compare, envelope_and_phase, frequencies_of, relative_rms

INTERVAL = 0.01
TIME = INTERVAL * np.arange(1200)
FREQUENCIES = np.geomspace(0.4, 8.0, 60)


def packet(when=6.0, frequency=2.0, width=0.8):
    return np.exp(-0.5 * ((TIME - when) / width) ** 2) * np.cos(2 * np.pi * frequency * (TIME - when))


SIGNAL = packet() + 0.6 * packet(4.0, 1.1) - 0.3 * packet(7.5, 3.7, 0.5)


@pytest.mark.parametrize("change", [-0.5, -0.1, 0.03, 0.4, 1.0])
def test_a_change_of_amplitude_is_the_misfit_of_the_envelope(change):
    found = compare((1 + change) * SIGNAL, SIGNAL, INTERVAL, FREQUENCIES)
    assert found.envelope == pytest.approx(abs(change)) and found.relative_rms == pytest.approx(abs(change))
    assert found.phase == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("shift", [-2.5, -0.3, 0.1, 1.0, np.pi / 2])
def test_a_shift_of_phase_is_its_misfit_and_none_of_the_envelope(shift):
    turned = np.real(hilbert(SIGNAL) * np.exp(1j * shift))
    envelope, phase = envelope_and_phase(turned, SIGNAL, INTERVAL, FREQUENCIES)
    assert phase == pytest.approx(abs(shift) / np.pi, rel=1e-3) and envelope == pytest.approx(0.0, abs=1e-3)


def test_the_other_sign_is_the_largest_misfit_of_phase():
    found = compare(-SIGNAL, SIGNAL, INTERVAL, FREQUENCIES)
    assert found.phase == pytest.approx(1.0) and found.envelope == pytest.approx(0.0, abs=1e-12)
    assert found.phase_goodness == pytest.approx(0.0, abs=1e-9)


def test_early_is_as_bad_as_late_and_twice_as_late_twice_as_bad():
    """A packet of frequency f that comes s late has its phase shifted by 2π f s."""
    late, early, later = (
        envelope_and_phase(packet(6.0 + s, width=1.5), packet(width=1.5), INTERVAL, FREQUENCIES)
        for s in (0.02, -0.02, 0.04)
    )
    assert late[1] == pytest.approx(2 * 2.0 * 0.02, rel=0.05)
    assert early == pytest.approx(late, rel=1e-6) and later[1] == pytest.approx(2 * late[1], rel=0.02)


def test_what_is_far_from_the_reference_in_time_or_frequency_counts_by_its_size():
    """Global normalisation: a small packet where the reference is silent is a small misfit."""
    found = compare(SIGNAL + 0.01 * packet(10.5, 6.0, 0.3), SIGNAL, INTERVAL, FREQUENCIES)
    assert 0 < found.envelope < 0.02 and found.phase < 1e-3


def test_the_same_and_silence():
    same = compare(SIGNAL, SIGNAL, INTERVAL, FREQUENCIES)
    assert same.relative_rms == same.envelope == 0.0 and same.phase == pytest.approx(0.0, abs=1e-12)
    assert (same.envelope_goodness, same.phase_goodness) == pytest.approx((10.0, 10.0))
    assert np.isnan(relative_rms(SIGNAL, 0 * SIGNAL))
    assert np.isnan(envelope_and_phase(SIGNAL, 0 * SIGNAL, INTERVAL, FREQUENCIES)).all()
    assert Misfit(0.1, 1.0, 0.5).envelope_goodness == pytest.approx(10 / np.e)


def test_frequencies_are_those_of_the_reference_or_of_the_band():
    found = frequencies_of(packet(), INTERVAL)
    assert found[0] == pytest.approx(2 / 12.0) and 2.0 < found[-1] < 3.0
    assert np.allclose(np.diff(np.log(found)), np.log(found[1] / found[0]))
    assert frequencies_of(packet(), INTERVAL, (0.5, 4.0))[[0, -1]] == pytest.approx([0.5, 4.0])
    assert frequencies_of(packet(), INTERVAL, (0.0, 4.0))[[0, -1]] == pytest.approx([2 / 12.0, 4.0])
