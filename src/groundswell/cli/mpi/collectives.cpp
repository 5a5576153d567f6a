#include <mpi.h>

#include "groundswell/cli/mpi/counted.hpp"

// MPI 3.1, chapters 5 and 7: what all ranks, or all neighbours, do together.

using namespace groundswell::cli::mpi;

namespace {

std::int64_t all_of(int count, MPI_Datatype type, MPI_Comm comm) {
    return bytes_of(count, type) * static_cast<std::int64_t>(ranks_of(comm));
}

/// Bytes of all counts, one for each rank.
template <class Types>
std::int64_t all_of(const int counts[], Types types, MPI_Comm comm) {
    return bytes_of(std::span(counts, ranks_of(comm)), types);
}

template <class Types>
MpiTraffic between_neighbours(MPI_Comm comm, const int counts[], Types types, const int rooms[],
                              Types received_types) {
    const Neighbours neighbours = neighbours_of(comm);
    return {bytes_of(std::span(counts, neighbours.destinations), types),
            bytes_of(std::span(rooms, neighbours.sources), received_types)};
}

}  // namespace

extern "C" {

GS_COUNTED(Barrier, (MPI_Comm comm), (comm), 0)
GS_COUNTED(Bcast, (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
           (buffer, count, type, root, comm),
           is_root(root, comm) ? MpiTraffic(bytes_of(count, type)) : received(bytes_of(count, type)))
GS_COUNTED(Gather,
           (const void* buffer, int count, MPI_Datatype type, void* received, int room,
            MPI_Datatype received_type, int root, MPI_Comm comm),
           (buffer, count, type, received, room, received_type, root, comm),
           (MpiTraffic{bytes_of(count, type), is_root(root, comm) ? all_of(room, received_type, comm) : 0}))
GS_COUNTED(Gatherv,
           (const void* buffer, int count, MPI_Datatype type, void* received, const int rooms[],
            const int places[], MPI_Datatype received_type, int root, MPI_Comm comm),
           (buffer, count, type, received, rooms, places, received_type, root, comm),
           (MpiTraffic{bytes_of(count, type), is_root(root, comm) ? all_of(rooms, received_type, comm) : 0}))
GS_COUNTED(Allgather,
           (const void* buffer, int count, MPI_Datatype type, void* received, int room,
            MPI_Datatype received_type, MPI_Comm comm),
           (buffer, count, type, received, room, received_type, comm),
           (MpiTraffic{bytes_of(count, type), all_of(room, received_type, comm)}))
GS_COUNTED(Allgatherv,
           (const void* buffer, int count, MPI_Datatype type, void* received, const int rooms[],
            const int places[], MPI_Datatype received_type, MPI_Comm comm),
           (buffer, count, type, received, rooms, places, received_type, comm),
           (MpiTraffic{bytes_of(count, type), all_of(rooms, received_type, comm)}))
GS_COUNTED(Scatter,
           (const void* buffer, int count, MPI_Datatype type, void* received, int room,
            MPI_Datatype received_type, int root, MPI_Comm comm),
           (buffer, count, type, received, room, received_type, root, comm),
           (MpiTraffic{is_root(root, comm) ? all_of(count, type, comm) : 0, bytes_of(room, received_type)}))
GS_COUNTED(Scatterv,
           (const void* buffer, const int counts[], const int places[], MPI_Datatype type, void* received,
            int room, MPI_Datatype received_type, int root, MPI_Comm comm),
           (buffer, counts, places, type, received, room, received_type, root, comm),
           (MpiTraffic{is_root(root, comm) ? all_of(counts, type, comm) : 0, bytes_of(room, received_type)}))
GS_COUNTED(Alltoall,
           (const void* buffer, int count, MPI_Datatype type, void* received, int room,
            MPI_Datatype received_type, MPI_Comm comm),
           (buffer, count, type, received, room, received_type, comm),
           (MpiTraffic{buffer == MPI_IN_PLACE ? 0 : all_of(count, type, comm),
                       all_of(room, received_type, comm)}))
GS_COUNTED(Alltoallv,
           (const void* buffer, const int counts[], const int places[], MPI_Datatype type, void* received,
            const int rooms[], const int received_places[], MPI_Datatype received_type, MPI_Comm comm),
           (buffer, counts, places, type, received, rooms, received_places, received_type, comm),
           (MpiTraffic{buffer == MPI_IN_PLACE ? 0 : all_of(counts, type, comm),
                       all_of(rooms, received_type, comm)}))
GS_COUNTED(Alltoallw,
           (const void* buffer, const int counts[], const int places[], const MPI_Datatype types[],
            void* received, const int rooms[], const int received_places[],
            const MPI_Datatype received_types[], MPI_Comm comm),
           (buffer, counts, places, types, received, rooms, received_places, received_types, comm),
           (MpiTraffic{buffer == MPI_IN_PLACE ? 0 : all_of(counts, types, comm),
                       all_of(rooms, received_types, comm)}))
GS_COUNTED(Reduce,
           (const void* buffer, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm comm),
           (buffer, result, count, type, op, root, comm),
           (MpiTraffic{bytes_of(count, type), is_root(root, comm) ? bytes_of(count, type) : 0}))
GS_COUNTED(Allreduce,
           (const void* buffer, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (buffer, result, count, type, op, comm),
           (MpiTraffic{bytes_of(count, type), bytes_of(count, type)}))
GS_COUNTED(Iallreduce,
           (const void* buffer, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
            MPI_Request* request),
           (buffer, result, count, type, op, comm, request),
           (MpiTraffic{bytes_of(count, type), bytes_of(count, type)}))
GS_COUNTED(Scan, (const void* buffer, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (buffer, result, count, type, op, comm),
           (MpiTraffic{bytes_of(count, type), bytes_of(count, type)}))
GS_COUNTED(Exscan, (const void* buffer, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (buffer, result, count, type, op, comm),
           (MpiTraffic{bytes_of(count, type), bytes_of(count, type)}))
GS_COUNTED(Reduce_scatter,
           (const void* buffer, void* result, const int counts[], MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (buffer, result, counts, type, op, comm),
           (MpiTraffic{all_of(counts, type, comm), bytes_of(counts[rank_of(comm)], type)}))
GS_COUNTED(Ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request), 0)
GS_COUNTED(Neighbor_alltoallv,
           (const void* buffer, const int counts[], const int places[], MPI_Datatype type, void* received,
            const int rooms[], const int received_places[], MPI_Datatype received_type, MPI_Comm comm),
           (buffer, counts, places, type, received, rooms, received_places, received_type, comm),
           between_neighbours(comm, counts, type, rooms, received_type))
GS_COUNTED(Ineighbor_alltoallv,
           (const void* buffer, const int counts[], const int places[], MPI_Datatype type, void* received,
            const int rooms[], const int received_places[], MPI_Datatype received_type, MPI_Comm comm,
            MPI_Request* request),
           (buffer, counts, places, type, received, rooms, received_places, received_type, comm, request),
           between_neighbours(comm, counts, type, rooms, received_type))
GS_COUNTED(Neighbor_alltoallw,
           (const void* buffer, const int counts[], const MPI_Aint places[], const MPI_Datatype types[],
            void* received, const int rooms[], const MPI_Aint received_places[],
            const MPI_Datatype received_types[], MPI_Comm comm),
           (buffer, counts, places, types, received, rooms, received_places, received_types, comm),
           between_neighbours(comm, counts, types, rooms, received_types))

}  // extern "C"
