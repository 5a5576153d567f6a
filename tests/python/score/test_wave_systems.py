"""Wave systems of spectra that other programs have written are those that the wavespectra package finds by the watershed of
WAVEWATCH III."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = ROOT / "build/release/bin/wave_systems"
DATA = os.environ.get("GROUNDSWELL_TEST_DATA")
FILES = {"ww3file.nc": "read_ww3", "era5file.nc": "read_era5", "swanfile.spec": "read_swan"}


def spectra_of(name):
    """wavespectra's dataset of one file, by spectrum, frequency and direction, with wind and depth."""
    wavespectra = pytest.importorskip("wavespectra")
    data = getattr(wavespectra, FILES[name])(os.path.join(DATA, "spectra", name)).load()
    for extra, value in (("wspd", 10.0), ("wdir", 60.0), ("dpt", 4000.0)):
        if extra not in data:
            data[extra] = (data.efth.isel(freq=0, dir=0, drop=True) * 0 + value).fillna(value)
    other = [size for size in data.efth.dims if size not in ("freq", "dir")]
    return data.stack(spectrum=other).transpose("spectrum", "freq", "dir").reset_index("spectrum")


def ours(data):
    """[spectra, 6] heights by the program."""
    frequency, bearing = data.freq.values, data.dir.values
    directions = len(bearing)
    # Towards, counter-clockwise from the direction that the program's first one stands for.
    towards = (270.0 - bearing) % 360.0
    order = np.argsort(towards)
    turned = towards[order][0]
    ratio = (frequency[-1] / frequency[0]) ** (1 / (len(frequency) - 1))
    lines = []
    for k in range(data.sizes["spectrum"]):
        density = np.nan_to_num(data.efth.values[k])[:, order] * 180 / np.pi
        wind = np.radians(270.0 - float(data.wdir[k]) - turned)
        head = [
            len(frequency),
            directions,
            frequency[0],
            ratio,
            float(data.dpt[k]),
            float(data.wspd[k]),
            wind,
        ]
        lines.append(" ".join(f"{value:.9g}" for value in [*head, *density.ravel()]))
    told = subprocess.run(
        [PROGRAM], input="\n".join(lines), capture_output=True, text=True, check=True, timeout=60
    )
    return np.array([[float(word) for word in line.split()] for line in told.stdout.splitlines()])


@pytest.mark.skipif(not DATA, reason="GROUNDSWELL_TEST_DATA is not set")
@pytest.mark.parametrize("name", FILES)
def test_heights_are_those_of_the_watershed(name):
    """Of wind sea and of the highest swell within 5 % in all spectra but a few: where a system is split lower down differs."""
    data = spectra_of(name)
    found = ours(data)
    theirs = data.spec.partition.ptm1(
        data.wspd, data.wdir, data.dpt, swells=5, agefac=1.7, wscut=1 / 3, ihmax=100
    )
    heights = theirs.spec.hs().transpose("spectrum", "part").fillna(0.0).values
    assert found.shape == heights.shape
    whole = np.sqrt((heights**2).sum(axis=1))
    assert whole.max() > 0.5
    near = np.abs(found[:, :2] - heights[:, :2]) <= 0.05 * np.maximum(heights[:, :2], 0.25 * whole[:, None])
    assert near.mean() >= 0.9, near.mean()
