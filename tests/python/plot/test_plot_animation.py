"""Animations: a frame for each record, in the colours of the scale, with the storm where it is."""

import numpy as np
from PIL import Image
from plot_files import write_map

from groundswell.plot import animation
from groundswell.plot.map_file import MapFile
from groundswell.plot.scale import make_scale
from groundswell.plot.track import Track


def test_frames_follow_the_records(tmp_path):
    sea = MapFile(write_map(tmp_path / "map.nc"))
    track = Track(sea.times, np.array([120.0, 118.0, 116.0, 114.0]), np.array([12.0, 13.0, 14.0, 15.0]))
    frames, found = animation.animate(sea, "hs", tmp_path / "hs.gif", track=track, wind=True, offset=8)
    assert (
        found["frames"] == 4 and found["limits"] == [0.0, 8.0] and found["max_time"] == "2024-09-05T12:00:00Z"
    )
    assert frames.when.get_text() == "T+18   Thu 2024-09-05 18:00 UTC (6 Sep 02:00 UTC+8)"
    assert frames.here.get_xydata().tolist() == [[114.0, 15.0]] and len(frames.way.get_xydata()) == 5
    assert frames.most.get_text() == "highest 5.00 m"  # of the last record
    with Image.open(tmp_path / "hs.gif") as moving:
        assert moving.n_frames == 4 and moving.size[0] == 800
        pictures = []
        for k in range(4):
            moving.seek(k)
            pictures.append(np.asarray(moving.convert("RGB")).astype(int))
    changes = [np.mean(np.abs(a - b) > 40) for a, b in zip(pictures, pictures[1:])]
    assert min(changes) > 0.002 and max(changes) < 0.5
    left, low, right, high = (
        np.round(frames.sheet.axes.transData.transform([(118.1, 17.1), (118.9, 17.9)])).astype(int).ravel()
    )
    for picture, height in zip(pictures, (4.0, 6.0, 8.0, 5.0)):
        scale = frames.sheet.cells
        expected = 255 * np.array(scale.cmap(scale.norm(min(height, 7.999)))[:3])
        cell = picture[picture.shape[0] - high : picture.shape[0] - low, left:right]
        assert np.mean(np.abs(cell - expected).max(axis=-1) <= 8) > 0.4  # the rest is under arrows and grid


def test_palette_holds_the_colours_of_the_scale_exactly():
    scale = make_scale(0.0, 12.0, name="hs")
    noise = np.random.default_rng(1).integers(0, 256, (200, 200, 3), dtype=np.uint8)
    found = np.array(animation.palette(scale, Image.fromarray(noise)).getpalette()).reshape(-1, 3).tolist()
    for height in np.arange(0.25, 12.0, 0.5):
        assert np.rint(255 * np.array(scale.colours(scale.norm(height))[:3])).astype(int).tolist() in found


def test_paper_is_white(tmp_path):
    sea = MapFile(write_map(tmp_path / "map.nc", records=2))
    animation.animate(sea, "hs", tmp_path / "hs.gif", waves=True)
    with Image.open(tmp_path / "hs.gif") as moving:
        moving.seek(1)
        assert moving.convert("RGB").getpixel((3, 3)) == (255, 255, 255)


def test_every_takes_every_nth_record(tmp_path):
    sea = MapFile(write_map(tmp_path / "map.nc", records=7))
    _, found = animation.animate(sea, "tp", tmp_path / "tp.gif", every=3)
    assert found["frames"] == 3 and found["last"] == "2024-09-06T12:00:00Z"
