"""Files that appear under their name once they are whole: written beside it, then renamed."""

import contextlib
import os
import pathlib
import shutil


@contextlib.contextmanager
def written_beside(path):
    """The path to write to in place of `path`, with its suffix; it takes the name at the end of the block, and is removed if an
    error or a signal ends the block. It may become a folder, as a Zarr store is one. What is there but is neither (a terminal, a
    pipe) is written to as it is."""
    path = pathlib.Path(path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        yield path
        return
    path = path.resolve()  # a symbolic link stays one
    partial = path.with_name(f"{path.stem}.{os.getpid()}.part{path.suffix}")
    try:
        yield partial
        if partial.is_dir():
            remove(path)  # a folder is not renamed over another
        partial.replace(path)
    except OSError as problem:
        if problem.filename == str(partial):
            problem.filename = str(path)
        raise
    finally:
        remove(partial)


def remove(path):
    """A file, or a folder with all that is in it; there may be none."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def write_text(path, text, encoding="utf-8", executable=False):
    with written_beside(path) as partial:
        with open(partial, "w", encoding=encoding, newline="") as out:
            out.write(text)
        if executable:
            partial.chmod(0o755)


def save_figure(figure, path, **options):
    """A picture of matplotlib, in the form that its suffix names."""
    with written_beside(path) as partial:
        figure.savefig(partial, **options)


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
