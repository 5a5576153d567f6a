"""Quantities that can be scored: the model's name, and the names under which observations hold the same quantity."""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Quantity:
    """Names are tried in this order, then the CF standard name; values outside `range` are no measurements."""

    name: str  # as in the model's files
    unit: str
    long_name: str
    range: tuple
    names: tuple
    standard_name: str
    bearing: bool = False  # degrees clockwise from north, coming from


_PERIOD = "sea_surface_wave_mean_period_from_variance_spectral_density_"

# NDBC (text: upper case; NetCDF: lower case), CCI (swh…; with the cross-mission correction before without), Copernicus (V…), CDIP (wave…).
QUANTITIES = {
    q.name: q
    for q in (
        Quantity(
            "hs",
            "m",
            "significant wave height",
            (0.0, 40.0),
            ("WVHT", "wave_height", "swh_adjusted", "swh_denoised", "swh", "VAVH", "VHM0", "waveHs", "hs"),
            "sea_surface_wave_significant_height",
        ),
        Quantity(
            "tp",
            "s",
            "peak wave period",
            (0.5, 40.0),
            ("DPD", "dominant_wpd", "VTPK", "waveTp", "tp"),
            "sea_surface_wave_period_at_variance_spectral_density_maximum",
        ),
        Quantity(
            "tm01",
            "s",
            "mean wave period Tm01",
            (0.5, 40.0),
            ("VTM01", "tm01"),
            _PERIOD + "first_frequency_moment",
        ),
        Quantity(
            "tm02",
            "s",
            "mean wave period Tm02",
            (0.5, 40.0),
            ("APD", "average_wpd", "VTM02", "tm02"),
            _PERIOD + "second_frequency_moment",
        ),
        Quantity(
            "tmm10",
            "s",
            "wave energy period Tm-10",
            (0.5, 40.0),
            ("VTM10", "tmm10"),
            _PERIOD + "inverse_frequency_moment",
        ),
        Quantity(
            "dp",
            "degree",
            "wave bearing at the spectral peak, coming from",
            (0.0, 360.0),
            ("MWD", "mean_wave_dir", "VPED", "waveDp", "dp"),
            "sea_surface_wave_from_direction_at_variance_spectral_density_maximum",
            True,
        ),
        Quantity(
            "dir",
            "degree",
            "mean wave bearing, coming from",
            (0.0, 360.0),
            ("VMDR", "dir"),
            "sea_surface_wave_from_direction",
            True,
        ),
        Quantity(
            "spread",
            "degree",
            "one-sided spread of wave bearings",
            (0.0, 90.0),
            ("spread",),
            "sea_surface_wave_directional_spread",
        ),
        Quantity(
            "wind",
            "m s-1",
            "wind speed",
            (0.0, 90.0),
            ("WSPD", "wind_spd", "WIND_SPEED", "wind_speed_alt", "wind_speed"),
            "wind_speed",
        ),
    )
}


def accepted(quantity, values):
    """The same values, NaN where they are outside the range of the quantity (99.00 and 999 of NDBC's text are)."""
    values = np.asarray(values, dtype=float)
    low, high = quantity.range
    return np.where((values >= low) & (values <= high), values, np.nan)


def found_in(names, standard_names):
    """{quantity: variable} of a file with these names; `standard_names` {variable: CF standard name}."""
    found = {}
    for quantity in QUANTITIES.values():
        hit = next((name for name in quantity.names if name in names), None)
        if hit is not None:
            found[quantity.name] = hit
    taken = set(found.values())
    for quantity in QUANTITIES.values():
        hits = [v for v, standard in standard_names.items() if standard == quantity.standard_name]
        free = [name for name in hits if name not in taken]
        if quantity.name not in found and free:
            found[quantity.name] = free[0]
    return found
