"""Pictures as ParaView draws them, by VTK, off-screen."""

import os

import numpy as np

# Off-screen, by Mesa's software renderer, whatever display and graphics card the machine has.
os.environ["VTK_DEFAULT_OPENGL_WINDOW"] = "vtkEGLRenderWindow"
os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"
os.environ["EGL_PLATFORM"] = "surfaceless"

import vtkmodules.vtkRenderingOpenGL2  # noqa: E402, F401 (its import makes the renderer known)
from vtkmodules.util.numpy_support import vtk_to_numpy  # noqa: E402
from vtkmodules.vtkCommonCore import vtkLookupTable  # noqa: E402
from vtkmodules.vtkIOImage import vtkPNGWriter  # noqa: E402
from vtkmodules.vtkRenderingCore import (  # noqa: E402
    vtkActor,
    vtkDataSetMapper,
    vtkRenderer,
    vtkRenderWindow,
    vtkWindowToImageFilter,
)

COLOURS = 256


def ramp():
    """Colours that tell the value: red rises with it, blue falls, green is the middle's."""
    t = (np.arange(COLOURS) + 0.5) / COLOURS
    return np.stack([t, 1.0 - np.abs(2.0 * t - 1.0), 1.0 - t], axis=1)


def draw(source, field, low, high, bounds, size, path):
    """A flat picture of a field of the cells within (x0, x1, y0, y1), without light, as rows of pixels from the
    bottom. White where there is no cell."""
    table = vtkLookupTable()
    table.SetNumberOfTableValues(COLOURS)
    table.SetTableRange(low, high)
    for i, (red, green, blue) in enumerate(ramp()):
        table.SetTableValue(i, red, green, blue, 1.0)
    mapper = vtkDataSetMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    mapper.SetScalarModeToUseCellFieldData()
    mapper.SelectColorArray(field)
    mapper.SetLookupTable(table)
    mapper.UseLookupTableScalarRangeOn()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().LightingOff()
    renderer = vtkRenderer()
    renderer.SetBackground(1.0, 1.0, 1.0)
    renderer.AddActor(actor)
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(*size)
    window.AddRenderer(renderer)
    x0, x1, y0, y1 = bounds
    camera = renderer.GetActiveCamera()
    camera.ParallelProjectionOn()
    camera.SetFocalPoint((x0 + x1) / 2, (y0 + y1) / 2, 0.0)
    camera.SetPosition((x0 + x1) / 2, (y0 + y1) / 2, 100.0)
    camera.SetViewUp(0.0, 1.0, 0.0)
    camera.SetParallelScale((y1 - y0) / 2)
    renderer.ResetCameraClippingRange()
    window.Render()
    grab = vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    grab.Update()
    writer = vtkPNGWriter()
    writer.SetFileName(str(path))
    writer.SetInputConnection(grab.GetOutputPort())
    writer.Write()
    image = grab.GetOutput()
    assert image.GetDimensions()[:2] == tuple(size)
    pixels = vtk_to_numpy(image.GetPointData().GetScalars())
    return pixels.reshape(size[1], size[0], -1)[:, :, :3].astype(int)
