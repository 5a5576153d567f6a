#ifndef GROUNDSWELL_C_HALO_H
#define GROUNDSWELL_C_HALO_H

/* The halo exchange from C: brings the values of needed ids from the ranks that own them. Handles are made by
 * a ..._create function and released by its ..._destroy, which sets them to null and takes null. Functions
 * return a status (errors.h); those marked collective are called by all ranks of the plan's communicator,
 * also by those without ids or neighbours, and return the same status on all. One thread of a rank calls
 * them. */

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "groundswell/c/errors.h"
#include "groundswell/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who sends which ids to whom. */
typedef struct gs_halo_plan gs_halo_plan;

/* Memory for the values of a plan's ids, where neighbours on the same host can read it. */
typedef struct gs_halo_memory gs_halo_memory;

/* One way to exchange one set of fields. */
typedef struct gs_halo gs_halo;

/* Ids are numbers from 0 on, with any gaps, each owned by exactly one rank. Position p of owned_ids is local
 * index p, position q of needed_ids is local index owned_count + q. GS_REFUSED if an id is needed that no
 * rank owns, or owned twice, or negative. Collective over `comm`, which must outlive the plan and what is
 * made of it. */
int gs_halo_plan_create(MPI_Comm comm, int64_t owned_count, const int64_t* owned_ids, int64_t needed_count,
                        const int64_t* needed_ids, gs_halo_plan** plan);

/* The same with needed id q at local index needed_index[q], behind the owned ones and each another: so several
 * plans share one array. A plan that owns only a part of the array counts from that part's first id, whose
 * address an exchange is then given. GS_REFUSED also if such an index is taken. Collective over `comm`. */
int gs_halo_plan_create_at(MPI_Comm comm, int64_t owned_count, const int64_t* owned_ids, int64_t needed_count,
                           const int64_t* needed_ids, const int32_t* needed_index, gs_halo_plan** plan);
int gs_halo_plan_destroy(gs_halo_plan** plan);

/* One field as an exchange sees it. Local index i is at `values` + i * stride; `bytes` of it are exchanged,
 * counted from there. Where stride is 0 it is `bytes`. */
typedef struct gs_halo_field {
    void* values;
    size_t bytes;
    size_t stride;
} gs_halo_field;

/* Room for `bytes` of each id, zero at first, on a 64-byte boundary. Any memory can be exchanged; the
 * transport "shared" saves a copy with this one. Where the host has no room to share (/dev/shm) it is plain
 * memory, with one warning. Must not be destroyed before the last exchange of it ended on all ranks.
 * Collective. */
int gs_halo_memory_create(const gs_halo_plan* plan, size_t bytes, gs_halo_memory** memory, void** values);

/* The same for an array that `count` plans of one communicator share: as many ids as reach all of them.
 * Collective. */
int gs_halo_memory_create_for(int count, gs_halo_plan* const* plans, size_t bytes, gs_halo_memory** memory,
                              void** values);
int gs_halo_memory_destroy(gs_halo_memory** memory);

/* An exchange of `count` fields at a time, in one message per neighbour, by the transport of that name;
 * "auto" tries all and takes the fastest. Of the fields only `bytes` and `stride` matter here. GS_REFUSED if
 * there is no such transport, this MPI library lacks it, or a message would reach 2 GiB. The plan may be
 * destroyed before the exchange. Collective. */
int gs_halo_create(const gs_halo_plan* plan, const char* transport, int count, const gs_halo_field* fields,
                   gs_halo** halo);
int gs_halo_destroy(gs_halo** halo);

/* One of several exchanges of a model. Without `add` (null) the values of needed ids are brought. With it, the
 * type of each field's values (GS_INT32 ... GS_FLOAT64), it goes the other way: what stands at the needed ids is
 * added to the values of their owners, in ascending order of `order`, which has a number for each needed id
 * (null on all ranks: in the order of the ranks). The order in which messages come never matters. With a needed
 * id for each contribution, also of ids that the rank owns, sums have the same bits on any number of ranks. */
typedef struct gs_halo_exchange {
    const gs_halo_plan* plan;
    int count;
    const gs_halo_field* fields;
    const gs_type* add;
    const int64_t* order;
} gs_halo_exchange;

/* Whether all ranks start and finish exchanges in the same order, or each in one of its own, as its neighbours'
 * values come. Then transports that are collective in start or finish are refused, and "auto" leaves them out. */
enum { GS_IN_STEP = 0, GS_OUT_OF_STEP = 1 };

/* gs_halo_create for each of `count` exchanges, of plans of one communicator: halos[i] for exchanges[i]. "auto"
 * takes one transport for all of them, in the time of one choice. Collective. */
int gs_halo_create_set(int count, const gs_halo_exchange* exchanges, const char* transport, int ranks,
                       gs_halo* halos[]);

/* gs_halo_create of an exchange that adds: types[i] of fields[i], and `order` as in gs_halo_exchange. Collective. */
int gs_halo_create_adding(const gs_halo_plan* plan, const char* transport, int count,
                          const gs_halo_field* fields, const gs_type* types, const int64_t* order,
                          gs_halo** halo);

/* Begins an exchange of the fields given: as many as in gs_halo_create, with the same bytes and strides, at
 * any addresses. Until gs_halo_finish the owned values of ids that others need must not be written, nor the
 * needed ones touched. Collective. */
int gs_halo_start(gs_halo* halo, int count, const gs_halo_field* fields);

/* Lets messages move on during a computation; cheap, and harmless while nothing is under way. */
int gs_halo_poll(gs_halo* halo);

/* The same, and tells whether gs_halo_finish has nothing to wait for (1), as far as the transport knows. */
int gs_halo_ready(gs_halo* halo, int* ready);

/* Returns when the needed values are in place. Collective. */
int gs_halo_finish(gs_halo* halo);

/* The name of the transport; of the one chosen, for "auto". Null for a null handle. */
const char* gs_halo_transport(const gs_halo* halo);

/* Seconds that this rank spent, and what it sent, in all exchanges so far. */
typedef struct gs_halo_cost {
    double pack, wait, unpack;
    int64_t exchanges, messages, bytes;
} gs_halo_cost;
int gs_halo_cost_get(const gs_halo* halo, gs_halo_cost* cost);

/* Names that gs_halo_create knows, in [0, gs_halo_transport_count()); null outside. */
int gs_halo_transport_count(void);
const char* gs_halo_transport_name(int number);

/* Whether this MPI library has that transport on the ranks of the plan (1) or not (0); where not,
 * gs_error_message() tells why. Collective. */
int gs_halo_transport_available(const gs_halo_plan* plan, const char* transport, int* available);

#ifdef __cplusplus
}
#endif

#endif
