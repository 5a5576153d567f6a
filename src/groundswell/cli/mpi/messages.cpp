#include <mpi.h>

#include "groundswell/cli/mpi/counted.hpp"

// MPI 3.1, chapter 3: messages, and waiting for whatever was begun.

using namespace groundswell::cli::mpi;

extern "C" {

// Sends that are done, begun or made ready by the call.
#define GS_COUNTED_SEND(name)                                                                            \
    GS_COUNTED(name, (const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), \
               (buffer, count, type, to, tag, comm), bytes_of(count, type))
#define GS_COUNTED_REQUEST(name, bytes)                                                           \
    GS_COUNTED(name,                                                                              \
               (const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                MPI_Request* request),                                                            \
               (buffer, count, type, to, tag, comm, request), bytes)
GS_COUNTED_SEND(Send)
GS_COUNTED_SEND(Ssend)
GS_COUNTED_SEND(Bsend)
GS_COUNTED_SEND(Rsend)
GS_COUNTED_REQUEST(Isend, bytes_of(count, type))
GS_COUNTED_REQUEST(Issend, bytes_of(count, type))
GS_COUNTED_REQUEST(Ibsend, bytes_of(count, type))
GS_COUNTED_REQUEST(Irsend, bytes_of(count, type))
GS_COUNTED_REQUEST(Send_init, 0)
GS_COUNTED_REQUEST(Ssend_init, 0)
GS_COUNTED_REQUEST(Bsend_init, 0)
GS_COUNTED_REQUEST(Rsend_init, 0)
GS_COUNTED(Recv,
           (void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status),
           (buffer, count, type, from, tag, comm, status), received(bytes_of(count, type)))
GS_COUNTED(Irecv,
           (void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
            MPI_Request* request),
           (buffer, count, type, from, tag, comm, request), received(bytes_of(count, type)))
GS_COUNTED(Recv_init,
           (void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
            MPI_Request* request),
           (buffer, count, type, from, tag, comm, request), 0)
GS_COUNTED(Sendrecv,
           (const void* buffer, int count, MPI_Datatype type, int to, int tag, void* received, int room,
            MPI_Datatype received_type, int from, int received_tag, MPI_Comm comm, MPI_Status* status),
           (buffer, count, type, to, tag, received, room, received_type, from, received_tag, comm, status),
           (MpiTraffic{bytes_of(count, type), bytes_of(room, received_type)}))
GS_COUNTED(Sendrecv_replace,
           (void* buffer, int count, MPI_Datatype type, int to, int tag, int from, int received_tag,
            MPI_Comm comm, MPI_Status* status),
           (buffer, count, type, to, tag, from, received_tag, comm, status),
           (MpiTraffic{bytes_of(count, type), bytes_of(count, type)}))
GS_COUNTED(Probe, (int from, int tag, MPI_Comm comm, MPI_Status* status), (from, tag, comm, status), 0)
GS_POLLED(Iprobe, (int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status),
          (from, tag, comm, flag, status))
GS_POLLED(Improbe, (int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status),
          (from, tag, comm, flag, message, status))
GS_COUNTED(Mprobe, (int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status),
           (from, tag, comm, message, status), 0)
GS_COUNTED(Mrecv, (void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status),
           (buffer, count, type, message, status), received(bytes_of(count, type)))
GS_COUNTED(Imrecv, (void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request),
           (buffer, count, type, message, request), received(bytes_of(count, type)))
GS_COUNTED(Start, (MPI_Request * request), (request), 0)
GS_COUNTED(Startall, (int count, MPI_Request requests[]), (count, requests), 0)
GS_COUNTED(Wait, (MPI_Request * request, MPI_Status* status), (request, status), 0)
GS_COUNTED(Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses),
           0)
GS_COUNTED(Waitany, (int count, MPI_Request requests[], int* which, MPI_Status* status),
           (count, requests, which, status), 0)
GS_COUNTED(Waitsome, (int count, MPI_Request requests[], int* done, int which[], MPI_Status statuses[]),
           (count, requests, done, which, statuses), 0)
GS_POLLED(Test, (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))
GS_POLLED(Testall, (int count, MPI_Request requests[], int* flag, MPI_Status statuses[]),
          (count, requests, flag, statuses))
GS_POLLED(Testany, (int count, MPI_Request requests[], int* which, int* flag, MPI_Status* status),
          (count, requests, which, flag, status))
GS_POLLED(Testsome, (int count, MPI_Request requests[], int* done, int which[], MPI_Status statuses[]),
          (count, requests, done, which, statuses))
GS_POLLED(Request_get_status, (MPI_Request request, int* flag, MPI_Status* status), (request, flag, status))
GS_COUNTED(Cancel, (MPI_Request * request), (request), 0)

}  // extern "C"
