"""Two analysed winds

A surge of the winter monsoon in the north of the South China Sea, winds up to 21 m/s, by CFSv2 (3 and 4 January 2025), and three days of
early summer in the Yellow Sea, winds up to 13 m/s, by ERA5 (from 31 May 2020), with cells of 40 km; bathymetry of ETOPO5. All three are in the data that
GROUNDSWELL_TEST_DATA names, without which this case is left out. Nobody measured the waves there in what is at hand.

Scores, from 24 h on:

- Where a sea is the wind's own (deeper than half of its length, phase speed at the peak at most 1.2 of the wind, its direction within 30° of
  it), the height is that of Toba (1972), gH/u*² = 0.062 (gT/u*)^1.5, which asks for no fetch nor duration: the median within a
  quarter, as for growth with duration.
- The highest sea is at most 1.2 of what Pierson & Moskowitz (1964) have for the strongest wind.
- Mean height of a package over that of all, within 20 %: so far models are apart in growth with duration.
"""

import os
import pathlib

import numpy as np
from case import Score
from curves import PACKAGES, PIERSON_MOSKOWITZ, G, colour, height, toba

NEEDS = "GROUNDSWELL_TEST_DATA"
DATA = pathlib.Path(os.environ.get(NEEDS, "data"))
RELIEF = str(DATA / "bathymetry/etopo5_nwpac_90-150E_5S-45N.nc")
ERA5 = [str(DATA / f"wind/era5_10m_{c}_component_of_wind_20200531_bohai_yellow.nc") for c in "uv"]
WINDS = {
    "CFSv2": {
        "mesh": "south",
        "wind.0.file": str(DATA / "wind/cfsv2_10m_wind_20250103-05_scs.nc"),
    },
    "ERA5": {
        "mesh": "yellow",
        "wind.0.file": ERA5,
        "wind.0.time_units": "datenum",
        "wind.0.units": "m/s",
        "time.start": "2020-05-31T00:00:00Z",
        "time.end": "2020-06-03T00:00:00Z",
    },
}
MESHES = {
    "south": {"bathymetry": {"file": RELIEF}},
    "yellow": {
        "bathymetry": {"file": RELIEF},
        "region": {"west": 117.0, "east": 127.5, "south": 33.0, "north": 41.5},
    },
}
RUNS = {
    f"{package}, {wind}": {**settings, **of_wind}
    for package, settings in PACKAGES.items()
    for wind, of_wind in WINDS.items()
}


def later(output):
    """All fields from 24 h on, and the speed of the wind."""
    data = output.read("waves.nc")
    fields = {name: data[name][8:] for name in ("hs", "tp", "dir", "u10", "v10", "ustar", "depth")}
    return fields | {"wind": np.hypot(fields["u10"], fields["v10"])}


def wind_sea(data):
    """Peak period, height and friction velocity where the sea is that of the wind."""
    length = G * data["tp"] ** 2 / (2 * np.pi)
    from_wind = np.degrees(np.arctan2(-data["u10"], -data["v10"]))
    off = (data["dir"] - from_wind + 180) % 360 - 180
    speed = G * data["tp"] / (2 * np.pi)
    own = (data["depth"] > 0.5 * length) & (speed < 1.2 * data["wind"]) & (abs(off) < 30)
    return (data[name][own] for name in ("tp", "hs", "ustar"))


def judge(out):
    scores = []
    for wind in WINDS:
        means = [later(out[f"{package}, {wind}"])["hs"].mean() for package in PACKAGES]
        for package, mean in zip(PACKAGES, means):
            name = f"{package}, {wind}"
            data = later(out[name])
            tp, hs, ustar = wind_sea(data)
            scores.append(Score(f"{name}: Hs over Toba", np.median(hs / toba(tp, ustar)), 0.75, 1.25))
            grown = height(PIERSON_MOSKOWITZ[0], data["wind"].max())
            scores.append(
                Score(f"{name}: highest Hs over Pierson & Moskowitz", data["hs"].max() / grown, 0, 1.2)
            )
            scores.append(
                Score(f"{name}: mean Hs over that of all packages", mean / np.mean(means), 0.8, 1.2)
            )
    return scores


def draw(out, figure):
    for panel, wind in zip(figure.subplots(1, 2), WINDS):
        for package in PACKAGES:
            tp, hs, ustar = wind_sea(later(out[f"{package}, {wind}"]))
            period, tall = G * 0.95 * tp / ustar, G * hs / ustar**2
            edges = np.geomspace(60, 300, 10)
            bins = np.digitize(period, edges)
            some = [b for b in range(1, len(edges)) if (bins == b).sum() > 20]
            panel.loglog(
                [np.sqrt(edges[b - 1] * edges[b]) for b in some],
                [np.median(tall[bins == b]) for b in some],
                color=colour(package),
                label=package,
            )
        line = np.array([60.0, 300.0])
        panel.loglog(line, 0.062 * line**1.5, "k--", lw=0.9, label="Toba")
        panel.set(xlabel="gT/u*", title=f"gH/u*², median, {wind}")
        panel.set_xticks([60, 100, 200, 300], [60, 100, 200, 300])
        panel.minorticks_off()
    panel.legend()
