"""MPAS mesh files: written as classic NetCDF with 64-bit offsets, as the field's own tools do, and read back."""

import hashlib

import netCDF4
import numpy as np

from groundswell import __version__, provenance
from groundswell.errors import refuse
from groundswell.mesh import sphere

DIMENSIONS = {
    "Cell": ("nCells",),
    "Edge": ("nEdges",),
    "Vertex": ("nVertices",),
    "edgesOnCell": ("nCells", "maxEdges"),
    "cellsOnCell": ("nCells", "maxEdges"),
    "verticesOnCell": ("nCells", "maxEdges"),
    "nEdgesOnCell": ("nCells",),
    "cellsOnEdge": ("nEdges", "TWO"),
    "verticesOnEdge": ("nEdges", "TWO"),
    "dcEdge": ("nEdges",),
    "dvEdge": ("nEdges",),
    "angleEdge": ("nEdges",),
    "nEdgesOnEdge": ("nEdges",),
    "edgesOnEdge": ("nEdges", "maxEdges2"),
    "weightsOnEdge": ("nEdges", "maxEdges2"),
    "cellsOnVertex": ("nVertices", "vertexDegree"),
    "edgesOnVertex": ("nVertices", "vertexDegree"),
    "kiteAreasOnVertex": ("nVertices", "vertexDegree"),
    "areaTriangle": ("nVertices",),
    "boundaryVertex": ("nVertices",),
    "areaCell": ("nCells",),
    "meshDensity": ("nCells",),
    "bottomDepth": ("nCells",),
    "openFaceCell": ("nOpenFaces",),
    "openFaceSide": ("nOpenFaces",),
}
UNITS = {
    "lon": "rad",
    "lat": "rad",
    "x": "m",
    "y": "m",
    "z": "m",
    "dcEdge": "m",
    "dvEdge": "m",
    "angleEdge": "rad",
    "areaCell": "m2",
    "areaTriangle": "m2",
    "kiteAreasOnVertex": "m2",
    "bottomDepth": "m",
}
NEEDED = (
    "lonCell",
    "latCell",
    "nEdgesOnCell",
    "cellsOnCell",
    "edgesOnCell",
    "verticesOnCell",
    "cellsOnEdge",
    "verticesOnEdge",
    "areaCell",
    "dcEdge",
    "dvEdge",
    "angleEdge",
    "lonVertex",
    "latVertex",
)


def dimensions_of(name):
    if name in DIMENSIONS:
        return DIMENSIONS[name]
    for kind in ("Cell", "Edge", "Vertex"):
        if name.endswith(kind) or name == f"indexTo{kind}ID":
            return DIMENSIONS[kind]
    raise KeyError(name)


def digest(mesh):
    """A short name of the cells of a mesh, in its file and in those that belong to it."""
    return hashlib.sha256(np.ascontiguousarray(mesh["xCell"]).tobytes()).hexdigest()[:10]


def write_mesh(path, mesh, radius, attributes):
    """Write the arrays of a mesh with its attributes; the same mesh gives the same bytes."""
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as out:
        out.set_fill_off()
        sizes = {
            "nCells": len(mesh["lonCell"]),
            "nEdges": len(mesh["lonEdge"]),
            "nVertices": len(mesh["lonVertex"]),
            "maxEdges": mesh["edgesOnCell"].shape[1],
            "maxEdges2": mesh["edgesOnEdge"].shape[1],
            "TWO": 2,
            "vertexDegree": 3,
        }
        if "openFaceCell" in mesh:
            sizes["nOpenFaces"] = len(mesh["openFaceCell"])
        for name, size in sizes.items():
            out.createDimension(name, size)
        out.setncatts(
            {
                "on_a_sphere": "YES",
                "sphere_radius": float(radius),
                "is_periodic": "NO",
                "mesh_spec": "1.0",
                "Conventions": "MPAS",
                "source": f"groundswell mesh make {__version__}",
                "groundswell_build": provenance.build_text(),
                "file_id": digest(mesh),
                **attributes,
            }
        )
        for name, values in mesh.items():
            kind = "i4" if np.issubdtype(values.dtype, np.integer) else "f8"
            variable = out.createVariable(name, kind, dimensions_of(name))
            unit = (
                UNITS.get(name)
                or UNITS.get(name[:3])
                or (UNITS.get(name[0]) if name[1:2].isupper() else None)
            )
            if unit:
                variable.units = unit
        for name, values in mesh.items():
            out.variables[name][:] = values


def read_mesh(path):
    """The arrays of an MPAS mesh file, lengths and areas in metres on the Earth where the file has a unit sphere.

    Returns (arrays, attributes). Raises Refusal where the file is not an MPAS mesh.
    """
    try:
        source = netCDF4.Dataset(path)
    except OSError as failure:
        refuse(path, None, None, f"a NetCDF file that can be read ({failure.strerror or failure})")
    with source:
        source.set_auto_mask(False)
        for name in NEEDED:
            if name not in source.variables:
                refuse(path, name, "(missing)", "an MPAS mesh, which has this variable")
        arrays = {
            name: np.asarray(variable[:])
            for name, variable in source.variables.items()
            if variable.dtype.kind in "if" and variable.ndim <= 2
        }
        attributes = {name: source.getncattr(name) for name in source.ncattrs()}
    radius = float(attributes.get("sphere_radius", sphere.EARTH_RADIUS))
    if radius <= 2.0:
        scale = sphere.EARTH_RADIUS / radius
        for name in arrays:
            if name in ("dcEdge", "dvEdge") or name[1:] in ("Cell", "Edge", "Vertex"):
                arrays[name] = arrays[name] * scale
            elif name in ("areaCell", "areaTriangle", "kiteAreasOnVertex"):
                arrays[name] = arrays[name] * scale**2
        attributes["sphere_radius"] = sphere.EARTH_RADIUS
    return arrays, attributes
