"""Growth with duration

One cell of deep water under a steady wind of 10, 20 and 30 m/s, from calm, 36 directions × 37 frequencies from 0.0345
Hz, for three days.

- After 48 h (30 m/s: 72 h, the same gt/U as 48 h of 20 m/s) the sea is that of Pierson & Moskowitz (1964), g²m0/U⁴ =
  3.64·10⁻³ and U fp/g = 0.13, within 20 % in height and 15 % in period: so far are drag laws apart. They measured up to 20 m/s.
- `wam3` ends where Komen et al. (1984) put it, by the friction velocity at any wind, g²m0/u*⁴ = 1100 and fp u*/g = 0.0056, within 12 % after 72 h of
  10 and 20 m/s.
- The heights that miss at 30 m/s do so by drag: by the run's own friction velocity g²m0/u*⁴ is 707 to 1278 there, while the 1100 of Komen et al. are
  the sea of Pierson & Moskowitz with a drag coefficient of 1.82·10⁻³. Those of the packages that miss are 2.5 to 2.9·10⁻³ at the end, those of `st6`,
  which do not, 2.3·10⁻³; at 10 m/s all are 1.45 to 1.6·10⁻³. A height that goes as u*² goes with the drag coefficient.
- From gt/U of 20 000 on the height is that of Toba (1972), gH/u*² = 0.062 (gT/u*)^1.5, within a quarter. Score: the
  hour that is farthest away.
- Beside the home codes, in the very set-up: `ww3` of WAVEWATCH III 7.14, `ecwam` and `wam6` of FVWAM, whose physics
  is that of WAM cycle 6. `ecwam` is that with a drag coefficient of 3·10⁻³ at most, and is not judged by it at 30 m/s,
  where FVWAM has up to twice of that.
  Figures of 10 and 20 m/s are in `tests/validation/growth.cpp`. At 30 m/s only ratios of FVWAM to this model
  are known, with two digits; its heights are worked back from these. FVWAM's first hours are held back by its steps
  of 300 s.
- At 10, 20, 25, 30 and 40 m/s beside WAVEWATCH III's own routines of ST4 (`w3src4md.F90` of NOAA-EMC/WW3 at commit 003d4c54bf24 with the
  defaults of `w3gridmd.F90`, W3SNL1, W3SLN1 and the integration of W3SRCE), run at one point with global steps of 1200 s and its usual 36 × 35
  bins from 0.0418 Hz, which `ww3` has here, too. They give the heights of the whole program, above, within 0.5 % at 10 m/s and 3.2 % at 20 m/s.
  Scores: Hs over theirs after 3, 6, 12, 24 and 48 h, within 10 %; after one hour they are as near, and periods are within 3 %. Left out are
  hours at which the peak has come to the lowest frequency, 48 h of 30 m/s and from 24 h on of 40 m/s: there the grid bounds the height in either
  model, and they agree within 1 %.
- The friction velocities of the two are alike within 7 %; at 30 and 40 m/s both have the stress at which ST4's bound of the waves' share holds
  it, 1.633 and 2.171 m/s, drag coefficients of 2.96 and 2.95·10⁻³. Those of the routines depend on their global step, at whose beginning W3SRCE
  takes the stress of the waves for nothing: with 300 s their heights are 8 to 10 % lower after 3 and 6 h of 20 and 25 m/s, and this model is 14 %
  above them after 6 h of 25 m/s.
"""

from case import Score, legend, worst
from curves import OTHER_DRAG, PACKAGES, PIERSON_MOSKOWITZ, G, colour, height, period, toba

WINDS = (10, 20, 30)
ALL = {**PACKAGES, **OTHER_DRAG}
RUNS = {
    f"{package}, {wind}": {**settings, "wind.0.uniform": [wind, 0]}
    for package, settings in ALL.items()
    for wind in WINDS
} | {
    f"st4, ww3, bins of WAVEWATCH III, {wind}": {
        **PACKAGES["st4, ww3"],
        "spectrum.frequencies": 35,
        "spectrum.first_frequency": 0.04177,
        "wind.0.uniform": [wind, 0],
    }
    for wind in (10, 20, 25, 30, 40)
}
# Hours and heights of the packages' home codes.
HOME = {
    ("st4, ww3", 10): {3: 0.903, 6: 1.234, 12: 1.610, 24: 1.991, 48: 2.371, 72: 2.584},
    ("st4, ww3", 20): {3: 3.78, 6: 5.22, 12: 6.82, 24: 8.71, 48: 10.68, 72: 11.81},
    ("st4, ecwam", 10): {6: 1.145, 12: 1.485, 24: 1.852, 48: 2.223, 72: 2.415},
    ("st4, ecwam", 20): {6: 4.68, 12: 6.51, 24: 8.11, 48: 9.91, 72: 11.00},
    ("st4, wam6", 30): {6: 11.1, 24: 21.3},
}
# Of WAVEWATCH III's routines at one point with global steps of 1200 s, by wind: hours, heights and periods.
ROUTINES = {
    10: {
        1: (0.511, 2.63),
        3: (0.907, 3.86),
        6: (1.235, 4.73),
        12: (1.609, 5.70),
        24: (1.991, 6.70),
        48: (2.371, 7.62),
    },
    20: {
        1: (2.134, 5.01),
        3: (3.758, 7.40),
        6: (5.057, 9.07),
        12: (6.721, 11.03),
        24: (8.629, 13.25),
        48: (10.617, 15.19),
    },
    25: {
        1: (2.999, 5.71),
        3: (5.601, 8.71),
        6: (7.807, 10.96),
        12: (10.550, 13.44),
        24: (13.890, 16.29),
        48: (17.294, 19.39),
    },
    30: {
        1: (3.298, 6.04),
        3: (6.336, 9.10),
        6: (9.474, 11.89),
        12: (13.945, 15.02),
        24: (19.535, 19.20),
        48: (22.886, 25.08),
    },
    40: {
        1: (4.610, 6.86),
        3: (8.809, 10.54),
        6: (13.338, 13.55),
        12: (20.406, 17.78),
        24: (27.170, 25.08),
        48: (27.310, 25.08),
    },
}


def series(out, package, wind):
    data = out[f"{package}, {wind}"].read("series.nc")
    return data["hs"][:, 0], data["tp"][:, 0], data["ustar"][:, 0]


def fully_developed(package, wind, hs, tp, ustar):
    """Beside Komen et al. (1984); 72 h of 30 m/s are not enough for that."""
    if wind == 30:
        return []
    energy, frequency = (G * hs / 4 / ustar**2) ** 2 / 1100, ustar / G / tp / 0.0056
    return [
        Score(f"{package}, {wind} m/s: g²m0/u*⁴ over Komen et al.", energy, 0.88, 1.12),
        Score(f"{package}, {wind} m/s: fp u*/g over Komen et al.", frequency, 0.88, 1.12),
    ]


def judge(out):
    scores = []
    for package in ALL:
        tobas = []
        for wind in WINDS:
            hs, tp, ustar = series(out, package, wind)
            end = 72 if wind == 30 else 48
            if package != "wam3, wamdi":
                heights, periods = (
                    hs[end] / height(PIERSON_MOSKOWITZ[0], wind),
                    tp[end] / period(PIERSON_MOSKOWITZ[1], wind),
                )
                scores.append(Score(f"{package}, {wind} m/s: Hs over Pierson & Moskowitz", heights, 0.8, 1.2))
                scores.append(
                    Score(f"{package}, {wind} m/s: Tp over Pierson & Moskowitz", periods, 0.85, 1.15)
                )
            else:
                scores += fully_developed(package, wind, hs[72], tp[72], ustar[72])
            first = round(20e3 * wind / G / 3600)
            tobas += [hs[i] / toba(tp[i], ustar[i]) for i in range(first, 25)]
        scores.append(worst(f"{package}: Hs over Toba", tobas, 0.75, 1.25))
    for (package, wind), curve in HOME.items():
        hs = series(out, package, wind)[0]
        ratios = [hs[hour] / value for hour, value in curve.items()]
        scores.append(worst(f"{package}: Hs over its home code, {wind} m/s", ratios, 0.9, 1.1))
    for wind, curve in ROUTINES.items():
        hs = series(out, "st4, ww3, bins of WAVEWATCH III", wind)[0]
        ratios = [hs[hour] / value for hour, (value, peak) in curve.items() if hour >= 3 and peak < 24]
        scores.append(worst(f"st4, ww3: Hs over WAVEWATCH III's routines, {wind} m/s", ratios, 0.9, 1.1))
    return scores


def draw(out, figure):
    figure.set_size_inches(8.0, 5.6)
    panels = figure.subplots(2, 2).ravel()
    for axes, wind in zip(panels, WINDS):
        for package in ALL:
            hs = series(out, package, wind)[0]
            axes.plot(range(len(hs)), hs, color=colour(package), label=package)
            curve = HOME.get((package, wind), {})
            axes.plot(list(curve), list(curve.values()), "o", ms=3, color=colour(package))
        curve = {hour: value for hour, (value, _) in ROUTINES[wind].items()}
        axes.plot(list(curve), list(curve.values()), "s", ms=4, mfc="none", color=colour("st4, ww3"))
        axes.axhline(height(PIERSON_MOSKOWITZ[0], wind), color="k", ls="--", lw=0.8)
        axes.set(xlabel="hours", title=f"Hs, m, wind of {wind} m/s", xticks=[0, 24, 48, 72], ylim=(0, None))
    legend(figure, axes)
    axes = panels[3]
    for wind, curve in ROUTINES.items():
        hs = series(out, "st4, ww3, bins of WAVEWATCH III", wind)[0]
        line = axes.plot(list(curve), [hs[hour] / value for hour, (value, _) in curve.items()])[0]
        for hour, (value, peak) in curve.items():
            axes.plot(
                hour, hs[hour] / value, "s", ms=4, color=line.get_color(), mfc=None if peak < 24 else "none"
            )
        line.set_label(f"{wind} m/s")
    axes.axhspan(0.9, 1.1, color="k", alpha=0.06)
    axes.set(
        xlabel="hours", title="Hs of st4, ww3 over WAVEWATCH III's", xticks=[0, 12, 24, 48], ylim=(0.85, 1.15)
    )
    axes.legend(ncols=2)
