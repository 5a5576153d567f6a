"""Films as MP4: read back they have the frames of the GIF, one by one, in its colours; without the encoder they are refused."""

import sys

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image
from plot_files import write_map
from surface_files import write_surface

from groundswell import plot_cli
from groundswell.plot import film


def plot(*words):
    return plot_cli.main([str(word) for word in words])


def frames_of_mp4(path):
    """(description, [frame, row, column, colour])."""
    reader = imageio_ffmpeg.read_frames(str(path))
    about = next(reader)
    columns, rows = about["source_size"]
    return about, np.array([np.frombuffer(one, np.uint8).reshape(rows, columns, 3) for one in reader], int)


def frames_of_gif(path):
    with Image.open(path) as moving:
        found = []
        for number in range(moving.n_frames):
            moving.seek(number)
            found.append(np.asarray(moving.convert("RGB")).astype(int))
    return np.array(found)


@pytest.mark.parametrize("of", ["sea", "ground"])
def test_an_mp4_has_the_frames_of_the_gif(of, tmp_path):
    file = tmp_path / "fields.nc"
    field = "hs" if of == "sea" else "vz"
    write_map(file) if of == "sea" else write_surface(file, times=np.arange(0.0, 3.1, 1.0))
    for name in ("film.gif", "film.mp4"):
        words = ("animation", file, "--field", field, "--rate", 5, "--output", tmp_path / name, "--quiet")
        assert plot(*words) == 0
    still = frames_of_gif(tmp_path / "film.gif")
    about, moving = frames_of_mp4(tmp_path / "film.mp4")
    assert len(moving) == len(still) == 4 and about["fps"] == 5 and about["codec"] == "h264"
    rows, columns = still.shape[1:3]
    assert moving.shape[1:3] == (rows + rows % 2, columns + columns % 2)
    moving = moving[:, :rows, :columns]
    apart = np.abs(moving - still).max(axis=-1)
    assert np.mean(apart > 24) < 0.02  # edges of letters and lines, whose colours MP4 has at half the width
    assert np.abs(np.mean(moving - still, axis=(0, 1, 2))).max() < 2.0
    # Each frame is nearest to its own.
    for number, image in enumerate(moving):
        assert np.argmin([np.abs(image - other).mean() for other in still]) == number


def test_the_same_frames_make_the_same_bytes(tmp_path):
    noise = np.random.default_rng(2).integers(0, 256, (3, 33, 47, 3), dtype=np.uint8)
    for name in "ab":
        images = (Image.fromarray(one) for one in noise)
        assert film.write_film(tmp_path / f"{name}.mp4", images, 8, None) == 3
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()
    about, moving = frames_of_mp4(tmp_path / "a.mp4")
    assert moving.shape == (3, 34, 48, 3)


def test_what_is_missing_is_named_before_anything_is_drawn(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    file = write_surface(tmp_path / "surface.nc")
    out = tmp_path / "surface.mp4"
    assert plot("animation", file, "--field", "vz", "--output", out, "--quiet") == 2
    said = capsys.readouterr().err
    assert str(out) in said and "pip install imageio-ffmpeg" in said
    monkeypatch.undo()
    for rate in (0, 51):
        assert plot("animation", file, "--field", "vz", "--rate", rate, "--output", out, "--quiet") == 2
        assert "--rate" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [file]


def test_a_film_that_ends_early_leaves_nothing(tmp_path):
    def images():
        yield Image.new("RGB", (20, 20))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        film.write_film(tmp_path / "x.mp4", images(), 8, None)
    assert not list(tmp_path.iterdir())
