"""The runtime in somebody else's model: a shallow-water model on an MPAS mesh, with its own point-to-point exchange and Groundswell's.

    mpirun -n 4 python mpas_waves.py MESH.nc waves.nc

h_t = -H div u, u_t = -g grad h, with h on cells and u across edges (Ringler et al. 2010, J. Comput. Phys. 229, section 3.1, without rotation), in
turns forward in time. Every rank has a block of cells, and the edges whose first cell is its own. The model was written for the class Own,
which packs, sends and unpacks by mpi4py; Adapter has the same two functions, and is all that Groundswell takes.
"""

import sys
import time

import netCDF4
import numpy as np
from mpi4py import MPI

from groundswell import lab

G, H, STEPS, REPEATS = 9.81, 4000.0, 100, 200


class Own:
    """Messages between neighbours, as many models have them."""

    def __init__(self, comm, owned, needed, owner_of):
        self.comm = comm
        wanted = [needed[owner_of(needed) == rank] for rank in range(comm.size)]
        asked = comm.alltoall(wanted)
        place = {number: index for index, number in enumerate(owned)}
        self.sends = [
            (rank, np.array([place[one] for one in ids])) for rank, ids in enumerate(asked) if len(ids)
        ]
        behind = {number: len(owned) + index for index, number in enumerate(needed)}
        self.receives = [
            (rank, np.array([behind[one] for one in ids])) for rank, ids in enumerate(wanted) if len(ids)
        ]

    def exchange(self, field):
        buffers = [np.empty(len(at), field.dtype) for _, at in self.receives]
        requests = [self.comm.Irecv(buffer, rank) for (rank, _), buffer in zip(self.receives, buffers)]
        packed = [field[at] for _, at in self.sends]
        requests += [self.comm.Isend(buffer, rank) for (rank, _), buffer in zip(self.sends, packed)]
        MPI.Request.Waitall(requests)
        for (_, at), buffer in zip(self.receives, buffers):
            field[at] = buffer


class Adapter:
    """The same by Groundswell."""

    def __init__(self, comm, owned, needed, _):
        self.halo = lab.Halo(owned, needed, ranks=comm)
        self.exchange = self.halo.exchange


class Part:
    """The cells and edges of a rank, and what its steps need of them."""

    def __init__(self, mesh, comm):
        cells, first = mesh["cellsOnEdge"][:].filled() - 1, comm.rank
        edges_of, count = mesh["edgesOnCell"][:].filled() - 1, mesh["nEdgesOnCell"][:].filled()
        bounds = np.array([len(count) * rank // comm.size for rank in range(comm.size + 1)])
        self.owner_of_cells = lambda ids: np.searchsorted(bounds, ids, side="right") - 1
        self.owner_of_edges = lambda ids: self.owner_of_cells(
            np.where(cells[ids, 0] < 0, cells[ids, 1], cells[ids, 0])
        )
        self.cells = np.arange(bounds[first], bounds[first + 1])
        self.edges = np.flatnonzero(self.owner_of_edges(np.arange(len(cells))) == comm.rank)
        exists = np.arange(edges_of.shape[1]) < count[self.cells, None]
        mine = np.where(exists, edges_of[self.cells], -1)
        self.other_edges = np.setdiff1d(mine[exists], self.edges)
        sides = cells[self.edges]
        self.other_cells = np.setdiff1d(sides[sides >= 0], self.cells)

        def local(owned, needed, length):
            at = np.full(length + 1, -1)
            at[np.concatenate([owned, needed]).astype(int)] = np.arange(len(owned) + len(needed))
            return at

        self.sides = local(self.cells, self.other_cells, len(count))[sides]
        self.around = local(self.edges, self.other_edges, len(cells))[mine]
        outward = np.where(cells[mine, 0] == self.cells[:, None], 1.0, -1.0)
        self.share = (
            np.where(exists, outward * mesh["dvEdge"][:].filled()[mine], 0)
            / mesh["areaCell"][:].filled()[self.cells, None]
        )
        self.share *= np.where(exists & (cells[mine] >= 0).all(axis=2), 1, 0)  # a wall lets nothing through
        self.dc = mesh["dcEdge"][:].filled()
        self.dc_here = np.where((sides >= 0).all(axis=1), self.dc[self.edges], np.inf)
        self.area = mesh["areaCell"][:].filled()[self.cells]


def run(part, comm, exchange_kind, steps, record=lambda step, h: None):
    """Steps the model from a hump of water; returns its level and its exchanges, of cells and of edges."""
    of_cells = exchange_kind(comm, part.cells, part.other_cells, part.owner_of_cells)
    of_edges = exchange_kind(comm, part.edges, part.other_edges, part.owner_of_edges)
    h = np.zeros(len(part.cells) + len(part.other_cells))
    u = np.zeros(len(part.edges) + len(part.other_edges))
    h[: len(part.cells)] = np.exp(-(((part.cells - 40) / 20.0) ** 2))
    dt = 0.4 * part.dc.min() / np.sqrt(G * H)
    for step in range(steps):
        record(step, h[: len(part.cells)])
        of_cells.exchange(h)
        u[: len(part.edges)] -= G * dt * (h[part.sides[:, 1]] - h[part.sides[:, 0]]) / part.dc_here
        of_edges.exchange(u)
        for k in range(
            part.around.shape[1]
        ):  # in the order of the mesh, so that sums have the same bits on any ranks
            h[: len(part.cells)] -= H * dt * part.share[:, k] * u[part.around[:, k]]
    return h[: len(part.cells)], (of_cells, h)


def seconds_of(exchange, field, comm):
    """The median of an exchange, of the rank that takes longest."""
    spent = []
    for _ in range(REPEATS):
        comm.Barrier()
        begin = time.perf_counter()
        exchange.exchange(field)
        spent.append(time.perf_counter() - begin)
    return comm.allreduce(float(np.median(spent)), MPI.MAX)


def main():
    comm = MPI.COMM_WORLD
    with netCDF4.Dataset(sys.argv[1]) as mesh:
        part, cells = Part(mesh, comm), mesh.dimensions["nCells"].size
    with lab.Output(ranks=comm) as output:
        file = lab.File(
            output, sys.argv[2], part.cells, cells, {"h": {"units": "m", "long_name": "water level"}}
        )
        level, ours = run(
            part, comm, Adapter, STEPS, lambda step, h: step % 20 or file.record(float(step), h=h)
        )
        file.close()
    before, own = run(part, comm, Own, STEPS)
    volume = [comm.allreduce(float((part.area * h).sum())) for h in (run(part, comm, Own, 0)[0], level)]
    same = comm.allreduce(np.array_equal(level, before), MPI.LAND)
    times = [seconds_of(*one, comm) for one in (own, ours)]
    if comm.rank == 0:
        print(
            f"the same bits with either exchange: {same}; volume kept to {abs(volume[1] / volume[0] - 1):.0e}"
        )
        print(f"an exchange takes {1e6 * times[0]:.0f} µs by mpi4py, {1e6 * times[1]:.0f} µs by Groundswell")
    return 0 if same and abs(volume[1] / volume[0] - 1) < 1e-12 else 1


sys.exit(main())
