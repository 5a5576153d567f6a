"""Gmsh's Python package: loaded when it is needed, set so that the same request gives the same bytes."""

import contextlib
import threading

from groundswell.errors import refuse

OPTIONS = {
    "General.Verbosity": 0,
    "General.NumThreads": 1,  # the order in which threads finish would show in the mesh
    "Mesh.Algorithm": 6,  # of surfaces: frontal Delaunay
    "Mesh.Algorithm3D": 1,  # Delaunay; HXT is faster, but leaves flat cells between thin layers
    "Mesh.RandomSeed": 1,
    "Mesh.Optimize": 0,  # done after the mesh is moved onto the relief
    "Mesh.MeshSizeExtendFromBoundary": 0,
    "Mesh.MeshSizeFromPoints": 0,
    "Mesh.MeshSizeFromCurvature": 0,
    "Mesh.MshFileVersion": 4.1,
    "Mesh.Binary": 1,
    "Mesh.SaveAll": 0,
}


class MeshFailure(OSError):
    """Gmsh gave up, or made what is no mesh; as any OSError, exit code 3."""


@contextlib.contextmanager
def session():
    """The module gmsh with an empty model."""
    try:
        import gmsh
    except ImportError:
        refuse("groundswell mesh", "gmsh", "missing", "the Python package gmsh (pip install gmsh)")
    except OSError as failure:
        refuse(
            "groundswell mesh",
            "gmsh",
            failure,
            "the libraries that Gmsh loads even without a display (in Debian: "
            "apt-get install libgl1 libglu1-mesa libxcursor1 libxft2 libxinerama1)",
        )
    gmsh.initialize(readConfigFiles=False)
    try:
        for name, value in OPTIONS.items():
            gmsh.option.setNumber(name, value)
        yield gmsh
    finally:
        gmsh.finalize()


@contextlib.contextmanager
def working(progress, text):
    """Tells every second that a long call of Gmsh is still at work, and turns its failures into ours."""
    over = threading.Event()

    def tell():
        while not over.wait(1.0):
            progress(text)

    progress(text)
    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    except Exception as failure:
        if type(failure) is not Exception:  # those of Gmsh are plain ones
            raise
        raise MeshFailure(f"Gmsh could not do this: {text}: {failure}") from failure
    finally:
        over.set()
        teller.join()
