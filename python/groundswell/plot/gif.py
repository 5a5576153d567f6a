"""Frames as a GIF."""


def write_gif(path, images, rate):
    """Images of one palette, `rate` of them a second, over and over, with a rest of a second at the end."""
    pause = [round(1000 / rate)] * len(images)
    pause[-1] += 1000
    images[0].save(
        path,
        save_all=True,
        append_images=images[1:],
        duration=pause,
        loop=0,
        disposal=1,
        optimize=False,
        format="GIF",
    )
