"""Model and measurement at one place and time."""

import dataclasses

import numpy as np

from groundswell.score.quantities import QUANTITIES

PASS_SECONDS = 60.0  # samples along a track farther apart than this belong to different passes


@dataclasses.dataclass
class Pairs:
    """Pairs of one quantity; all arrays have one entry a pair."""

    observed: np.ndarray
    modelled: np.ndarray
    time: np.ndarray  # seconds since 1970-01-01 UTC
    lead: np.ndarray  # hours since the start of the forecast
    lon: np.ndarray
    lat: np.ndarray
    station: np.ndarray  # names of the observations

    @classmethod
    def joined(cls, parts):
        names = [field.name for field in dataclasses.fields(cls)]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def where(self, chosen):
        return Pairs(*(getattr(self, field.name)[chosen] for field in dataclasses.fields(self)))

    def __len__(self):
        return len(self.observed)


@dataclasses.dataclass
class Tally:
    """Matches of the rows of one file of observations with one forecast."""

    rows: int
    outside_region: int = 0
    outside_period: int = 0
    between_far_records: int = 0
    nearest_km: float = float("inf")  # of all rows, to a cell or point
    farthest_used_km: float = 0.0


def averaged(observations, cell):
    """The samples of a pass of an altimeter in one cell become one, their mean: a cell cannot know what is smaller than itself
    (the usual way, as in Janssen et al. 2007, J. Atmos. Oceanic Technol. 24, 1665)."""
    one = observations
    new = np.append(True, (np.diff(cell) != 0) | (np.diff(one.time) > PASS_SECONDS))
    group = np.cumsum(new) - 1
    count = np.bincount(group)
    mean = lambda v: np.bincount(group, v) / count  # noqa: E731
    first = one.lon[new][group]
    lon = mean((one.lon - first + 180.0) % 360.0 - 180.0) + one.lon[new]
    values = {}
    for name, v in one.values.items():
        known = np.isfinite(v)
        with np.errstate(invalid="ignore"):
            values[name] = np.bincount(group, np.where(known, v, 0.0)) / np.bincount(group, known)
    return dataclasses.replace(one, time=mean(one.time), lon=lon, lat=mean(one.lat), values=values), cell[new]


def match(forecast, observations, gap_seconds, average=True):
    """({quantity: Pairs}, Tally): nearest cell or point, linear in time between the records on both sides (bearings as vectors)."""
    one = observations
    index, distance, near = forecast.nearest(one.lon, one.lat)
    tally = Tally(one.read, outside_region=int((~near).sum()), nearest_km=float(distance.min()))
    inside = (one.time >= forecast.times[0]) & (one.time <= forecast.times[-1])
    tally.outside_period = int((near & ~inside).sum())
    rows = np.flatnonzero(near & inside)
    one = dataclasses.replace(
        one,
        time=one.time[rows],
        lon=one.lon[rows],
        lat=one.lat[rows],
        values={name: v[rows] for name, v in one.values.items()},
    )
    cell = index[rows]
    if not len(rows):
        return {}, tally
    tally.farthest_used_km = float(distance[rows].max())
    if average and one.along_track:
        one, cell = averaged(one, cell)
    before = np.clip(np.searchsorted(forecast.times, one.time, "right") - 1, 0, len(forecast.times) - 1)
    after = np.minimum(before + 1, len(forecast.times) - 1)
    step = forecast.times[after] - forecast.times[before]
    part = np.where(step > 0, (one.time - forecast.times[before]) / np.where(step > 0, step, 1.0), 0.0)
    far = (part > 0) & (step > gap_seconds)
    tally.between_far_records = int(far.sum())
    pairs = {}
    for name in one.quantities:
        if name in forecast.fields:
            modelled = _at(forecast, name, cell, before, after, part)
            used = np.isfinite(modelled) & np.isfinite(one.values[name]) & ~far
            pairs[name] = Pairs(
                one.values[name][used],
                modelled[used],
                one.time[used],
                (one.time[used] - forecast.start) / 3600.0,
                one.lon[used],
                one.lat[used],
                np.full(int(used.sum()), one.name, dtype=object),
            )
    return pairs, tally


def _at(forecast, name, cell, before, after, part):
    """[n] values of the model; each record is read once."""
    low, high = np.empty(len(cell)), np.empty(len(cell))
    for record in np.union1d(before, after[part > 0]):
        values = forecast.read(name, record)
        low = np.where(before == record, values[cell], low)
        high = np.where(after == record, values[cell], high)
    if QUANTITIES[name].bearing:
        vectors = [np.exp(1j * np.radians(v)) for v in (low, np.where(part > 0, high, low))]
        mixed = (1 - part) * vectors[0] + part * vectors[1]
        return np.degrees(np.angle(mixed)) % 360.0
    return np.where(part > 0, (1 - part) * low + part * high, low)
