#include <mpi.h>

#include "groundswell/cli/mpi/counted.hpp"

// MPI 3.1, chapters 6, 7, 8 and 11: communicators, windows, beginning and end.

using namespace groundswell::cli::mpi;

extern "C" {

GS_COUNTED(Init_thread, (int* argc, char*** argv, int required, int* provided),
           (argc, argv, required, provided), 0)
GS_COUNTED(Finalize, (), (), 0)
GS_COUNTED(Comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made), 0)
GS_COUNTED(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made), 0)
GS_COUNTED(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),
           (comm, type, key, info, made), 0)
GS_COUNTED(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made), (comm, group, made), 0)
GS_COUNTED(Comm_free, (MPI_Comm * comm), (comm), 0)
GS_COUNTED(Comm_disconnect, (MPI_Comm * comm), (comm), 0)
GS_COUNTED(Dist_graph_create_adjacent,
           (MPI_Comm comm, int sources, const int source[], const int source_weights[], int destinations,
            const int destination[], const int weights[], MPI_Info info, int reorder, MPI_Comm* made),
           (comm, sources, source, source_weights, destinations, destination, weights, info, reorder, made),
           0)
GS_COUNTED(Graph_create,
           (MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm* made),
           (comm, nodes, index, edges, reorder, made), 0)
GS_COUNTED(Cart_create,
           (MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int reorder,
            MPI_Comm* made),
           (comm, dimensions, sizes, periods, reorder, made), 0)
GS_COUNTED(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm* made), (comm, remain, made), 0)
GS_COUNTED(Intercomm_create,
           (MPI_Comm local, int leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm* made),
           (local, leader, peer, remote_leader, tag, made), 0)
GS_COUNTED(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm* made), (comm, high, made), 0)
GS_COUNTED(Win_allocate_shared,
           (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win),
           (size, unit, info, comm, base, win), 0)
GS_COUNTED(Win_free, (MPI_Win * win), (win), 0)
GS_COUNTED(Win_fence, (int assertion, MPI_Win win), (assertion, win), 0)
GS_COUNTED(Win_lock, (int type, int rank, int assertion, MPI_Win win), (type, rank, assertion, win), 0)
GS_COUNTED(Win_unlock, (int rank, MPI_Win win), (rank, win), 0)
GS_COUNTED(Win_post, (MPI_Group group, int assertion, MPI_Win win), (group, assertion, win), 0)
GS_COUNTED(Win_start, (MPI_Group group, int assertion, MPI_Win win), (group, assertion, win), 0)
GS_COUNTED(Win_complete, (MPI_Win win), (win), 0)
GS_COUNTED(Win_wait, (MPI_Win win), (win), 0)
GS_POLLED(Win_test, (MPI_Win win, int* flag), (win, flag))
GS_COUNTED(Put,
           (const void* buffer, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
            MPI_Datatype target_type, MPI_Win win),
           (buffer, count, type, rank, place, target_count, target_type, win), bytes_of(count, type))
GS_COUNTED(Get,
           (void* buffer, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
            MPI_Datatype target_type, MPI_Win win),
           (buffer, count, type, rank, place, target_count, target_type, win),
           received(bytes_of(count, type)))
GS_COUNTED(Accumulate,
           (const void* buffer, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,
            MPI_Datatype target_type, MPI_Op op, MPI_Win win),
           (buffer, count, type, rank, place, target_count, target_type, op, win), bytes_of(count, type))

}  // extern "C"
