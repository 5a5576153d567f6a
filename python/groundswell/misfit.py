"""Misfit of a time series from its reference: relative rms, and misfits of envelope and phase by time and frequency.

The misfits are the single-valued ones of M. Kristeková, J. Kristek, P. Moczo and S. M. Day (2006), "Misfit criteria for
quantitative comparison of seismograms", doi:10.1785/0120060012, in their global normalisation: differences anywhere in the
plane of time and frequency are weighed by the whole of the reference, so that what happens where the reference is all but
silent does not count. The goodness of fit is that of Kristeková, Kristek and Moczo (2009),
doi:10.1111/j.1365-246X.2009.04177.x: 10 where there is no misfit.
"""

import dataclasses
import math

import numpy as np

MORLET = 6.0  # ω0 of the analysing wavelet
BINS = 100  # frequencies, in equal ratios
CARRIED = 0.999  # the share of the reference's energy that lies below the highest frequency looked at


@dataclasses.dataclass
class Misfit:
    """All are 0 where the two are the same. A pure change of amplitude by a factor 1 + a gives an envelope misfit of |a| and
    no phase misfit; a pure shift of phase by b radians gives a phase misfit of |b|/π and no envelope misfit."""

    relative_rms: float
    envelope: float
    phase: float

    @property
    def envelope_goodness(self):
        return 10.0 * math.exp(-self.envelope)

    @property
    def phase_goodness(self):
        return 10.0 * (1.0 - self.phase)


def compare(values, reference, interval, frequencies):
    """The Misfit of two series that are sampled alike, every `interval` s, at these frequencies, Hz."""
    return Misfit(
        relative_rms(values, reference), *envelope_and_phase(values, reference, interval, frequencies)
    )


def relative_rms(values, reference):
    """rms of the difference over the rms of the reference; NaN where the reference is silent."""
    difference, power = np.sum((np.asarray(values) - reference) ** 2), np.sum(np.square(reference))
    return math.sqrt(difference / power) if power > 0 else math.nan


def envelope_and_phase(values, reference, interval, frequencies):
    """The single-valued misfits of envelope and of phase (2006: equations 11 and 12)."""
    seen, wanted = (wavelet_transform(series, interval, frequencies) for series in (values, reference))
    power = np.sum(np.abs(wanted) ** 2)
    if not power > 0:
        return math.nan, math.nan
    envelope = np.abs(seen) - np.abs(wanted)
    phase = np.abs(wanted) * np.angle(seen * np.conj(wanted)) / np.pi
    return tuple(math.sqrt(np.sum(part**2) / power) for part in (envelope, phase))


def plane(values, reference, interval, frequencies):
    """([frequency, time] misfit of envelope, of phase) where they are, with sign, as shares of the largest envelope of the
    reference (2006: equations 3, 4, 7 and 8, in the global normalisation of 2009): positive where the series is larger or its
    phase ahead."""
    seen, wanted = (wavelet_transform(series, interval, frequencies) for series in (values, reference))
    largest = np.abs(wanted).max()
    if not largest > 0:
        return np.zeros(seen.shape), np.zeros(seen.shape)
    phase = np.abs(wanted) * np.angle(seen * np.conj(wanted)) / np.pi
    return (np.abs(seen) - np.abs(wanted)) / largest, phase / largest


def wavelet_transform(series, interval, frequencies):
    """[frequency, time] coefficients with the Morlet wavelet, the series taken to be 0 before and after."""
    samples = len(series)
    longest = MORLET / (2.0 * np.pi * min(frequencies))  # the scale of the lowest frequency, s
    length = 1 << math.ceil(math.log2(samples + 8.0 * longest / interval))
    spectrum = np.fft.fft(series, length)
    omega = 2.0 * np.pi * np.fft.fftfreq(length, interval)
    found = np.empty((len(frequencies), samples), complex)
    for row, frequency in zip(found, frequencies):
        scale = MORLET / (2.0 * np.pi * frequency)
        window = np.where(omega > 0, np.exp(-0.5 * (scale * omega - MORLET) ** 2), 0.0)
        row[:] = np.fft.ifft(spectrum * window * np.pi**-0.25 * math.sqrt(scale))[:samples]
    return found


def frequencies_of(reference, interval, band=None):
    """Frequencies in equal ratios: from the band's lower end, but with two periods in the series, up to its upper end, or to
    where the reference has 99.9 % of its energy."""
    if band is None:
        power = np.cumsum(np.abs(np.fft.rfft(reference)) ** 2)
        enough = np.searchsorted(power, CARRIED * power[-1])
        band = (0.0, np.fft.rfftfreq(len(reference), interval)[enough])
    lowest = max(band[0], 2.0 / (len(reference) * interval))
    highest = max(band[1], 2.0 * lowest)
    return np.geomspace(lowest, highest, BINS)
