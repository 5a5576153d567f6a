/* Messages of a rank to itself: a receive that waits takes one when it is sent, or finds its copy later. */

#include "one_rank.h"

#include <pthread.h>
#include <time.h>

typedef struct Message {
    struct Message* next;
    MPI_Comm comm;
    int tag;
    size_t bytes;
    char data[];
} Message;

typedef struct Request {
    struct Request* next; /* of the receives that wait */
    MPI_Comm comm;
    int tag, persistent, receives, done;
    size_t bytes;
    void* data;
    MPI_Status status;
} Request;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Message* messages = NULL;
static Request* waiting = NULL;
static int is_for(MPI_Comm comm, int tag, MPI_Comm wanted_comm, int wanted) {
    return comm == wanted_comm && (wanted == MPI_ANY_TAG || wanted == tag);
}

static void fill_status(MPI_Status* status, int tag, size_t bytes) {
    if (status == MPI_STATUS_IGNORE) return;
    status->MPI_SOURCE = 0;
    status->MPI_TAG = tag;
    status->MPI_ERROR = MPI_SUCCESS;
    status->_ucount = bytes;
    status->_cancelled = 0;
}

static Message** find_message(MPI_Comm comm, int tag) {
    Message** at = &messages;
    while (*at != NULL && !is_for((*at)->comm, (*at)->tag, comm, tag)) at = &(*at)->next;
    return at;
}

static void receive(Request* request, int tag, const void* data, size_t bytes) {
    memcpy(request->data, data, bytes < request->bytes ? bytes : request->bytes);
    fill_status(&request->status, tag, bytes);
    request->done = 1;
}

/* A receive that waits takes the message; otherwise a copy of it does. */
static void send_now(const void* data, size_t bytes, int tag, MPI_Comm comm) {
    pthread_mutex_lock(&lock);
    Request** at = &waiting;
    while (*at != NULL && !is_for(comm, tag, (*at)->comm, (*at)->tag)) at = &(*at)->next;
    if (*at != NULL) {
        Request* taker = *at;
        *at = taker->next;
        receive(taker, tag, data, bytes);
    } else {
        Message* message = malloc(sizeof(Message) + bytes);
        *message = (Message){NULL, comm, tag, bytes};
        memcpy(message->data, data, bytes);
        Message** last = &messages;
        while (*last != NULL) last = &(*last)->next;
        *last = message;
    }
    pthread_mutex_unlock(&lock);
}

static void begin(Request* request) {
    request->done = 0;
    if (!request->receives) {
        send_now(request->data, request->bytes, request->tag, request->comm);
        request->done = 1;
        return;
    }
    pthread_mutex_lock(&lock);
    Message** at = find_message(request->comm, request->tag);
    if (*at != NULL) {
        Message* message = *at;
        *at = message->next;
        receive(request, message->tag, message->data, message->bytes);
        free(message);
    } else {
        Request** last = &waiting;
        while (*last != NULL) last = &(*last)->next;
        request->next = NULL;
        *last = request;
    }
    pthread_mutex_unlock(&lock);
}

static Request* make(int receives, const void* data, int count, MPI_Datatype type, int tag, MPI_Comm comm) {
    Request* request = calloc(1, sizeof(Request));
    request->comm = comm;
    request->tag = tag;
    request->receives = receives;
    request->data = (void*)data;
    request->bytes = (size_t)count * size_of(type);
    request->done = 1;
    return request;
}

static int is_done(Request* request) {
    pthread_mutex_lock(&lock);
    const int done = request->done;
    pthread_mutex_unlock(&lock);
    return done;
}

static void complete(MPI_Request* handle, MPI_Status* status) {
    Request* request = (Request*)*handle;
    if (status != MPI_STATUS_IGNORE) *status = request->status;
    if (request->persistent) return;
    free(request);
    *handle = MPI_REQUEST_NULL;
}

/* Gives way to a thread that may send what is waited for. */
static void rest(void) {
    nanosleep(&(struct timespec){0, 20000}, NULL);
}

#define SEND(name)                                                                                   \
    FUNCTION(name, (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), \
             send_now(data, (size_t)count* size_of(type), tag, comm);)
#define LATER(name, constant, receives, keeps)                                                      \
    FUNCTION(name,                                                                                  \
             (constant void* data, int count, MPI_Datatype type, int other, int tag, MPI_Comm comm, \
              MPI_Request* request),                                                                \
             Request* made = make(receives, data, count, type, tag, comm);                          \
             made->persistent = keeps; if (!keeps) begin(made); *request = (MPI_Request)made;)
SEND(Send)
SEND(Bsend)
SEND(Ssend)
SEND(Rsend)
LATER(Isend, const, 0, 0)
LATER(Issend, const, 0, 0)
LATER(Irsend, const, 0, 0)
LATER(Ibsend, const, 0, 0)
LATER(Irecv, , 1, 0)
LATER(Send_init, const, 0, 1)
LATER(Recv_init, , 1, 1)
FUNCTION(Start, (MPI_Request * request), begin((Request*)*request);)
FUNCTION(Startall, (int count, MPI_Request requests[]),
         for (int i = 0; i < count; ++i) begin((Request*)requests[i]);)
FUNCTION(Request_free, (MPI_Request * request), free(*request); *request = MPI_REQUEST_NULL;)
FUNCTION(Test, (MPI_Request * request, int* flag, MPI_Status* status), *flag = 1;
         if (*request == MPI_REQUEST_NULL) return MPI_SUCCESS; *flag = is_done((Request*)*request);
         if (*flag) complete(request, status); else rest();)
FUNCTION(Request_get_status, (MPI_Request request, int* flag, MPI_Status* status),
         *flag = request == MPI_REQUEST_NULL || is_done((Request*)request);
         if (*flag && request != MPI_REQUEST_NULL &&
             status != MPI_STATUS_IGNORE) * status = ((Request*)request)->status;)
FUNCTION(Wait, (MPI_Request * request, MPI_Status* status),
         for (int done = 0; !done;) PMPI_Test(request, &done, status);)
FUNCTION(Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]),
         for (int i = 0; i < count; ++i)
             PMPI_Wait(&requests[i], statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i]);)
FUNCTION(Testall, (int count, MPI_Request requests[], int* flag, MPI_Status statuses[]), *flag = 1;
         for (int i = 0; i < count;
              ++i) if (requests[i] != MPI_REQUEST_NULL && !is_done((Request*)requests[i])) * flag = 0;
         if (*flag) return PMPI_Waitall(count, requests, statuses);)
FUNCTION(Iprobe, (int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status), pthread_mutex_lock(&lock);
         Message* found = *find_message(comm, tag); *flag = found != NULL;
         if (found != NULL) fill_status(status, found->tag, found->bytes); pthread_mutex_unlock(&lock);)
FUNCTION(
    Probe, (int from, int tag, MPI_Comm comm, MPI_Status* status), for (int found = 0; !found;) {
        PMPI_Iprobe(from, tag, comm, &found, status);
        if (!found) rest();
    })
FUNCTION(
    Improbe, (int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status),
    pthread_mutex_lock(&lock);
    Message** at = find_message(comm, tag); *flag = *at != NULL; if (*flag) {
        fill_status(status, (*at)->tag, (*at)->bytes);
        *message = (MPI_Message)*at;
        *at = (*at)->next;
    } pthread_mutex_unlock(&lock);)
FUNCTION(Mrecv, (void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status),
         Message* taken = (Message*)*message;
         const size_t room = (size_t)count * size_of(type);
         memcpy(data, taken->data, taken->bytes < room ? taken->bytes : room);
         fill_status(status, taken->tag, taken->bytes); free(taken); *message = MPI_MESSAGE_NULL;)
FUNCTION(Recv,
         (void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status),
         MPI_Request request;
         PMPI_Irecv(data, count, type, from, tag, comm, &request); return PMPI_Wait(&request, status);)
FUNCTION(Sendrecv,
         (const void* data, int count, MPI_Datatype type, int to, int tag, void* other, int room,
          MPI_Datatype other_type, int from, int other_tag, MPI_Comm comm, MPI_Status* status),
         send_now(data, (size_t)count* size_of(type), tag, comm);
         return PMPI_Recv(other, room, other_type, from, other_tag, comm, status);)
FUNCTION(Get_count, (const MPI_Status* status, MPI_Datatype type, int* count),
         *count = (int)(status->_ucount / size_of(type));)
