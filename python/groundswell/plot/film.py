"""Moving pictures: a GIF, or an MP4, by the ending of the file's name.

A GIF plays wherever a picture is shown, with 256 colours for all frames; an MP4 has all colours, is smaller, and can be stopped
and wound back. MP4 is made by the ffmpeg that the package imageio-ffmpeg brings.
"""

import pathlib

import numpy as np
from PIL import Image

from groundswell.errors import refuse
from groundswell.whole_files import write_gif, written_beside

KINDS = (".gif", ".mp4")
FASTEST = 50  # frames a second: a GIF counts hundredths, and many browsers slow down below two of them
# Colours of high definition, and said to be so: a player that has to guess takes those of old television for small pictures.
COLOURS = [
    "-vf", "scale=out_color_matrix=bt709:out_range=tv",
    "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
]  # fmt: skip
# Good lines and letters; no name of the encoder and no date, so that the same frames make the same bytes.
QUALITY = [
    "-crf",
    "17",
    "-preset",
    "medium",
    "-threads",
    "1",
    "-fflags",
    "+bitexact",
    "-flags:v",
    "+bitexact",
]


def is_film(path):
    return pathlib.Path(path).suffix.lower() in KINDS


def require(path, rate):
    """Refuses, before anything is drawn, what could not be written."""
    if not 0 < rate <= FASTEST:
        refuse("command line", "--rate", rate, f"frames per second, above 0 and at most {FASTEST}")
    if pathlib.Path(path).suffix.lower() == ".mp4":
        encoder(path)


def encoder(path):
    try:
        import imageio_ffmpeg

        imageio_ffmpeg.get_ffmpeg_exe()
    except (ImportError, RuntimeError) as failure:
        refuse(
            path,
            "MP4",
            None,
            f"the Python package imageio-ffmpeg (pip install imageio-ffmpeg), or a name that ends in .gif ({failure})",
        )
    return imageio_ffmpeg


def write_film(path, frames, rate, palette):
    """Images of red, green, blue, `rate` of them a second; palette(): the image with the palette of a GIF. Returns how many."""
    if pathlib.Path(path).suffix.lower() == ".mp4":
        return write_mp4(path, frames, rate)
    shared = palette()
    images = [frame.quantize(palette=shared, dither=Image.Dither.NONE) for frame in frames]
    write_gif(path, images, rate)
    return len(images)


def even(frame):
    """A picture whose sides are even, as colours at half the width and height need it: one more line of the rim where not."""
    pixels = np.asarray(frame)
    return np.pad(pixels, [(0, pixels.shape[0] % 2), (0, pixels.shape[1] % 2), (0, 0)], mode="edge")


def write_mp4(path, frames, rate):
    made, count = encoder(path), 0
    with written_beside(path) as partial:
        out = None
        try:
            for frame in frames:
                pixels = np.ascontiguousarray(even(frame))
                if out is None:
                    size = pixels.shape[1], pixels.shape[0]
                    out = made.write_frames(
                        str(partial), size, fps=rate, codec="libx264", macro_block_size=1, quality=None,
                        ffmpeg_log_level="error", output_params=[*COLOURS, *QUALITY, "-movflags", "+faststart"],
                    )  # fmt: skip
                    out.send(None)
                out.send(pixels)
                count += 1
        finally:
            if out is not None:
                out.close()  # waits for the end of the file
        if not partial.exists() or not partial.stat().st_size:
            refuse(path, "MP4", None, "an ffmpeg that writes H.264: that of imageio-ffmpeg wrote nothing")
    return count
