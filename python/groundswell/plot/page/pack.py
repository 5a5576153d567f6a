"""Numbers of a page: compressed by zlib (which browsers open as "deflate"), in base64."""

import base64
import zlib

import numpy as np

MISSING = 65535  # where there is no value
STEPS = 65534  # between the lowest and the highest value of a field: relative to their distance, an error of at most 8e-6


def packed(values):
    """The bytes of an array, rows after rows, little-endian, as text."""
    raw = np.ascontiguousarray(values, dtype=np.dtype(values.dtype).newbyteorder("<")).tobytes()
    return base64.b64encode(zlib.compress(raw, 9)).decode("ascii")


def quantised(values):
    """(uint16 array of the same shape, lowest value, step): value = lowest + step times the number; MISSING stays missing."""
    known = np.isfinite(values)
    low = float(np.min(values[known])) if known.any() else 0.0
    high = float(np.max(values[known])) if known.any() else 0.0
    step = (high - low) / STEPS if high > low else 1.0
    found = np.full(values.shape, MISSING, np.uint16)
    found[known] = np.rint((values[known] - low) / step).astype(np.uint16)
    return found, low, step


def packed_values(values):
    """Values for a page: their numbers with `low` and `step`."""
    numbers, low, step = quantised(np.asarray(values, float))
    return {"low": low, "step": step, "data": packed(numbers)}
