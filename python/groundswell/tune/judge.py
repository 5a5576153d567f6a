"""Judgement of settings by interleaved trials: ratios of their times with intervals that allow for noise, drift and outliers.

A trial's logarithm is taken as effect of the setting + effect of the round + noise, so a machine that gets slower from round to
round changes nothing. The noise is estimated from all settings of a race together (a randomised block design), which is what
lets a few trials decide; disturbed trials are pulled in by Huber's weights (Huber 1981, Robust Statistics, section 7.6)."""

import dataclasses

import numpy as np

CLIP = 2.0  # residuals beyond so many standard deviations are pulled in
FEWEST_FOR_CLIPPING = 6  # degrees of freedom: with fewer nobody can say what is an outlier
UNKNOWN = 1e3  # the noise where nothing was measured twice
LEAST_NOISE = 1e-4  # of a logarithm: no two runs take the same time


@dataclasses.dataclass(frozen=True)
class Estimate:
    """The logarithm of time over another setting's time: negative is faster."""

    mean: float
    error: float
    freedom: int

    def half(self, level):
        # Here, as reading it takes longer than to refuse an option.
        from scipy.special import stdtrit

        return float(stdtrit(self.freedom, 0.5 + level / 2)) * self.error

    def low(self, level):
        return self.mean - self.half(level)

    def high(self, level):
        return self.mean + self.half(level)


class Fit:
    """times: {setting: {round: seconds}}. At least one setting must have been measured in two rounds."""

    def __init__(self, times):
        self.names = list(times)
        rounds = sorted({number for row in times.values() for number in row})
        cells = [
            (s, rounds.index(number), np.log(seconds))
            for s, name in enumerate(self.names)
            for number, seconds in times[name].items()
        ]
        count = len(self.names)
        design = np.zeros((len(cells), count + len(rounds) - 1))
        for i, (setting, number, _) in enumerate(cells):
            design[i, setting] = 1.0
            if number > 0:
                design[i, count + number - 1] = 1.0
        values = np.array([value for *_, value in cells])
        inverse, rank = pseudo_inverse(design)
        self.freedom = len(cells) - rank
        self.effects, self.noise = robust_fit(design, inverse, values, self.freedom)
        self.covariance = inverse @ inverse.T * self.noise**2

    def compare(self, setting, other):
        """The Estimate of a setting's time over another's."""
        contrast = np.zeros(len(self.effects))
        contrast[self.names.index(setting)] += 1.0
        contrast[self.names.index(other)] -= 1.0
        variance = float(contrast @ self.covariance @ contrast)
        return Estimate(float(contrast @ self.effects), np.sqrt(max(variance, 0.0)), max(1, self.freedom))


def pseudo_inverse(design):
    """The Moore–Penrose inverse, and the rank."""
    left, sizes, right = np.linalg.svd(design, full_matrices=False)
    kept = sizes > 1e-10 * sizes[0]
    return (right[kept].T / sizes[kept]) @ left[:, kept].T, int(kept.sum())


def robust_fit(design, inverse, values, freedom):
    """Effects, and the standard deviation of the noise."""
    effects = inverse @ values
    residuals = values - design @ effects
    if freedom < 1:
        return effects, UNKNOWN
    noise = np.sqrt(residuals @ residuals / freedom)
    if freedom < FEWEST_FOR_CLIPPING:
        return effects, max(noise, LEAST_NOISE)
    widen = np.sqrt(len(values) / freedom)  # residuals of a fit are smaller than the noise
    inside = 1.0
    for _ in range(30):
        scale = max(1.4826 * np.median(np.abs(residuals)) * widen, LEAST_NOISE)
        clipped = np.clip(residuals, -CLIP * scale, CLIP * scale)
        effects = effects + inverse @ clipped
        residuals = values - design @ effects
        inside = np.mean(np.abs(residuals) <= CLIP * scale)
    clipped = np.clip(residuals, -CLIP * scale, CLIP * scale)
    return effects, max(np.sqrt(clipped @ clipped / freedom) / max(inside, 0.5), LEAST_NOISE)


def paired(ratios):
    """The Estimate from logarithms of ratios, one of each pair of trials; and how many pairs were left out as disturbed."""
    ratios = np.asarray(ratios, float)
    kept = undisturbed(ratios)
    count = len(kept)
    if count < 2:
        return Estimate(float(np.mean(ratios)), np.inf, 1), len(ratios) - count
    error = max(np.std(kept, ddof=1), LEAST_NOISE) / np.sqrt(count)
    return Estimate(float(np.mean(kept)), float(error), count - 1), len(ratios) - count


def undisturbed(ratios):
    """Without those far from the median of the others, a quarter of them at most; all where there are fewer than six."""
    if len(ratios) < 6:
        return ratios
    distance = np.abs(ratios - np.median(ratios))
    far = distance > 5.0 * 1.4826 * max(np.median(distance), LEAST_NOISE)
    return ratios[~far] if far.sum() <= len(ratios) // 4 else ratios
