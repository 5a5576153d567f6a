"""Wind files made by chance are read as netCDF4-python, cftime and PROJ read them, or refused: never otherwise."""

import os
import subprocess

import made_winds
import numpy as np
import pytest
from launching import PROGRAM, environment

TOLERANCE = 1e-6  # of the range of a file's values: they are single precision here


@pytest.fixture
def probe(tmp_path):
    """ask(path, made) → (words of a refusal, winds): the model's reader, one process for all files."""
    process = subprocess.Popen(
        [PROGRAM.parent / "wind_probe"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd=tmp_path,
    )

    def ask(path, made):
        places = ";".join(f"{lon!r},{lat!r}" for lon, lat in ((float(a), float(b)) for a, b in made.places))
        process.stdin.write(f"{path}\t{','.join(made.times)}\t{places}\t{made.keys}\n")
        process.stdin.flush()
        said, *words = process.stdout.readline().rstrip("\n").split("\t")
        if said == "refused":
            return words[0], None
        assert said == "ok", (made, said)
        values = np.array([[float(x) for x in word.split(",")] for word in words])
        return None, values.reshape(len(made.times), len(made.places), 2)

    yield ask
    process.stdin.close()
    assert process.wait(20) == 0


def check_many(probe, folder, count, seed):
    read = 0
    path = folder / "wind.nc"
    for number in range(count):
        r = np.random.default_rng([seed, number])
        path.unlink(missing_ok=True)
        made = made_winds.make(r, path)
        refusal, winds = probe(path, made)
        place = f"input {number} of seed {seed}: {made}"
        if made.missing:
            assert refusal is not None, f"{place}: a missing value was read as {winds}"
            continue
        assert refusal is None, f"{place}: {refusal}"
        worst = np.abs(winds - made.winds).max()
        assert worst <= TOLERANCE * made.range, f"{place}: {winds} is off by {worst}"
        read += 1
    assert read > 0.4 * count  # the rest lacks a value where one is asked for


def test_made_winds_are_read_as_other_readers_read_them(probe, tmp_path):
    check_many(probe, tmp_path, 150, seed=int(os.environ.get("GROUNDSWELL_TEST_SEED", "1")))


@pytest.mark.long
def test_twenty_thousand_made_winds(probe, tmp_path):
    check_many(probe, tmp_path, 20_000, seed=2)
