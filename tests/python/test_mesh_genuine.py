"""A genuine MPAS file (162 cells): rebuilt from nothing but its cell centres, every derived field comes out the same.

The genuine file holds distances from arc cosines, good to 2e-8 of the radius; connectivity must be equal up to the
numbering of edges and vertices. Its angleEdge is arccos(Δlatitude of the edge's ends / dvEdge), an approximation that is
checked to be that, and ours is the exact bearing of the normal.
"""

import os
import pathlib

import netCDF4
import numpy as np
import pytest

from groundswell.mesh import delaunay, mpas, sphere

FILE = pathlib.Path(os.environ.get("GROUNDSWELL_TEST_DATA", "/nowhere")) / "mesh" / "mpas_QU_1920km_151026.nc"
pytestmark = pytest.mark.skipif(
    not FILE.exists(), reason="needs mesh/mpas_QU_1920km_151026.nc of GROUNDSWELL_TEST_DATA"
)


def index_of(rows):
    return {tuple(sorted(row)): place for place, row in enumerate(rows.tolist())}


@pytest.fixture(scope="module")
def both():
    """(genuine arrays, ours renumbered to the genuine edges and vertices)."""
    with netCDF4.Dataset(FILE) as source:
        source.set_auto_mask(False)
        genuine = {name: np.array(variable[:]) for name, variable in source.variables.items()}
    points = sphere.unit(np.stack([genuine[axis + "Cell"] for axis in "xyz"], axis=1))
    ours = mpas.build(points, delaunay.triangulate(points), np.ones(len(points), bool), 1.0)
    edges, vertices = index_of(ours["cellsOnEdge"]), index_of(ours["cellsOnVertex"])
    edge = np.array([edges[tuple(sorted(row))] for row in genuine["cellsOnEdge"].tolist()])
    vertex = np.array([vertices[tuple(sorted(row))] for row in genuine["cellsOnVertex"].tolist()])
    new_edge, new_vertex = np.zeros(len(edge) + 1, int), np.zeros(len(vertex) + 1, int)
    new_edge[edge + 1], new_vertex[vertex + 1] = np.arange(len(edge)) + 1, np.arange(len(vertex)) + 1
    for name, values in ours.items():
        if name.endswith("Edge") or name == "indexToEdgeID":
            ours[name] = values[edge]
        elif name.endswith(("Vertex", "Triangle")) or name == "indexToVertexID":
            ours[name] = values[vertex]
    for name in ("edgesOnCell", "edgesOnEdge", "edgesOnVertex", "indexToEdgeID"):
        ours[name] = new_edge[ours[name]]
    for name in ("verticesOnCell", "verticesOnEdge", "indexToVertexID"):
        ours[name] = new_vertex[ours[name]]
    return genuine, ours


POSITIONS = [axis + kind for kind in ("Cell", "Edge", "Vertex") for axis in ("lon", "lat", "x", "y", "z")]
MEASURES = ["areaCell", "areaTriangle", "dcEdge", "dvEdge"]
CONNECTIVITY = [
    "nEdgesOnCell",
    "nEdgesOnEdge",
    "cellsOnEdge",
    "verticesOnEdge",
    "edgesOnEdge",
    "indexToCellID",
    "indexToEdgeID",
    "indexToVertexID",
    "boundaryVertex",
]


@pytest.mark.parametrize("name", POSITIONS)
def test_positions(both, name):
    difference = both[1][name] - both[0][name]
    if name.startswith("lon"):
        difference = np.mod(difference + np.pi, 2 * np.pi) - np.pi
    assert np.abs(difference).max() < 1e-13


@pytest.mark.parametrize("name", MEASURES)
def test_lengths_and_areas(both, name):
    assert np.abs(both[1][name] - both[0][name]).max() < 2e-8


@pytest.mark.parametrize("name", CONNECTIVITY)
def test_connectivity(both, name):
    assert np.array_equal(both[1][name], both[0][name])


def turned(rows, start):
    """Each row turned (cyclically among its non-zero values) so that `start` comes first."""
    out = []
    for row, first in zip(rows.tolist(), start):
        row = [value for value in row if value]
        at = row.index(first)
        out.append(row[at:] + row[:at])
    return out


@pytest.mark.parametrize("name", ["cellsOnCell", "edgesOnCell", "verticesOnCell"])
def test_order_around_cells(both, name):
    genuine, ours = both
    shift = [row[0] for row in genuine["edgesOnCell"].tolist()]
    place = [[v for v in row if v].index(first) for row, first in zip(ours["edgesOnCell"].tolist(), shift)]
    for mine, theirs, at in zip(ours[name].tolist(), genuine[name].tolist(), place):
        mine, theirs = [v for v in mine if v], [v for v in theirs if v]
        assert mine[at:] + mine[:at] == theirs


def test_order_around_vertices(both):
    genuine, ours = both
    first = genuine["cellsOnVertex"][:, 0]
    assert turned(ours["cellsOnVertex"], first) == genuine["cellsOnVertex"].tolist()
    assert turned(ours["edgesOnVertex"], genuine["edgesOnVertex"][:, 0]) == genuine["edgesOnVertex"].tolist()
    at = np.argmax(ours["cellsOnVertex"] == first[:, None], axis=1)
    edges = ours["edgesOnVertex"][np.arange(len(at))[:, None], (at[:, None] + np.arange(3)) % 3]
    kites = ours["kiteAreasOnVertex"][np.arange(len(at))[:, None], (at[:, None] + np.arange(3)) % 3]
    assert np.array_equal(edges, genuine["edgesOnVertex"])
    assert np.abs(kites - genuine["kiteAreasOnVertex"]).max() < 2e-8


def test_weights_of_the_tangential_velocity(both):
    assert np.abs(both[1]["weightsOnEdge"] - both[0]["weightsOnEdge"]).max() < 2e-7


def test_edge_angles(both):
    genuine, ours = both
    ends = genuine["latVertex"][genuine["verticesOnEdge"] - 1]
    approximate = np.arccos(np.clip((ends[:, 1] - ends[:, 0]) / genuine["dvEdge"], -1, 1))
    assert np.abs(np.abs(genuine["angleEdge"]) - approximate).max() < 1e-14
    turn = np.mod(ours["angleEdge"] - genuine["angleEdge"] + np.pi, 2 * np.pi) - np.pi
    assert np.abs(turn).max() < 0.024


def test_nothing_is_missing(both):
    quality_only = {"cellQuality", "gridSpacing", "triangleQuality", "triangleAngleQuality", "obtuseTriangle"}
    made_elsewhere = {"meshDensity"}
    assert set(both[0]) - quality_only - made_elsewhere <= set(both[1])
