"""Frames as a GIF."""

from groundswell.whole_files import written_beside


def write_gif(path, images, rate):
    """Images of one palette, `rate` of them a second, over and over, with a rest of a second at the end."""
    pause = [round(1000 / rate)] * len(images)
    pause[-1] += 1000
    with written_beside(path) as partial:
        images[0].save(
            partial,
            save_all=True,
            append_images=images[1:],
            duration=pause,
            loop=0,
            disposal=1,
            optimize=False,
            format="GIF",
        )
