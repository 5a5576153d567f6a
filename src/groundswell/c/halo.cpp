#include "groundswell/c/halo.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/c/guard.hpp"
#include "groundswell/halo/field.hpp"
#include "groundswell/halo/plan.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/agree.hpp"

using namespace groundswell;
using c::guarded;
using c::need;

struct gs_halo_plan {
    std::shared_ptr<const halo::Plan> plan;
};

struct gs_halo_memory {
    halo::Field<std::byte> field;
};

struct gs_halo {
    std::unique_ptr<halo::Transport> transport;
    std::vector<void*> bases;
};

namespace {

template <class T>
std::span<const T> list(std::int64_t count, const T* first, std::string_view what) {
    if (count < 0) c::reject("a negative number of ids");
    if (count > 0) need(first, what);
    return {first, static_cast<std::size_t>(count)};
}

halo::Channel channel_of(const gs_halo_field& field) {
    return {field.bytes, field.stride == 0 ? field.bytes : field.stride};
}

std::span<const gs_halo_field> fields_of(int count, const gs_halo_field* fields) {
    if (count < 1) c::reject("no fields given");
    need(fields, "fields");
    return {fields, static_cast<std::size_t>(count)};
}

halo::Number number_of(gs_type type) {
    static_assert(GS_INT32 + static_cast<int>(halo::Number::float64) == GS_FLOAT64);
    if (type < GS_INT32 || type > GS_FLOAT64)
        c::reject("no type of numbers to add, or not a number of its order for each needed id");
    return static_cast<halo::Number>(type - GS_INT32);
}

halo::Wanted wanted_of(const gs_halo_exchange& exchange) {
    halo::Wanted wanted{need(exchange.plan, "plan").plan, {}, {}};
    const auto fields = fields_of(exchange.count, exchange.fields);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        halo::Channel channel = channel_of(fields[i]);
        if (channel.stride < channel.bytes) c::reject("a stride smaller than the bytes");
        if (exchange.add != nullptr) {
            halo::Addition addition{number_of(exchange.add[i]), {}};
            if (exchange.order != nullptr)
                addition.order.assign(exchange.order, exchange.order + wanted.plan->needed());
            channel.addition = std::make_shared<const halo::Addition>(std::move(addition));
        }
        wanted.channels.push_back(std::move(channel));
    }
    return wanted;
}

void make_memory(const halo::Layout& layout, std::size_t bytes, gs_halo_memory** memory, void** values) {
    need(memory, "memory") = nullptr;
    need(values, "values") = nullptr;
    *memory = new gs_halo_memory{halo::Field<std::byte>(layout, bytes, 0, halo::Memory::shared)};
    *values = (*memory)->field.data();
}

/// `function` and `what`: its name and that of the handles, for messages.
int create(const char* function, int count, const gs_halo_exchange* exchanges, const char* transport,
           int ranks, gs_halo** halos, std::string_view what) {
    return guarded(function, [&] {
        if (count < 1) c::reject("no exchanges given");
        need(exchanges, "exchanges");
        std::vector<halo::Wanted> wanted;
        const MPI_Comm comm = need(exchanges[0].plan, "plan").plan->comm();
        parallel::agree(comm, [&] {
            need(transport, "transport");
            need(halos, what);
            if (ranks != GS_IN_STEP && ranks != GS_OUT_OF_STEP)
                c::reject("ranks neither in step nor out of step");
            for (int i = 0; i < count; ++i) {
                halos[i] = nullptr;
                wanted.push_back(wanted_of(exchanges[i]));
            }
        });
        halo::Transports made = halo::make_transports(
            transport, wanted, ranks == GS_IN_STEP ? halo::Ranks::in_step : halo::Ranks::out_of_step);
        for (int i = 0; i < count; ++i)
            halos[i] = new gs_halo{std::move(made[i]), std::vector<void*>(exchanges[i].count)};
    });
}

}  // namespace

int gs_halo_plan_create(MPI_Comm comm, int64_t owned_count, const int64_t* owned_ids, int64_t needed_count,
                        const int64_t* needed_ids, gs_halo_plan** plan) {
    return guarded(__func__, [&] {
        std::span<const std::int64_t> owned, needed;
        parallel::agree(comm, [&] {
            need(plan, "plan") = nullptr;
            owned = list(owned_count, owned_ids, "owned_ids");
            needed = list(needed_count, needed_ids, "needed_ids");
        });
        *plan = new gs_halo_plan{std::make_shared<const halo::Plan>(comm, owned, needed)};
    });
}

int gs_halo_plan_create_at(MPI_Comm comm, int64_t owned_count, const int64_t* owned_ids, int64_t needed_count,
                           const int64_t* needed_ids, const int32_t* needed_index, gs_halo_plan** plan) {
    return guarded(__func__, [&] {
        std::span<const std::int64_t> owned, needed;
        std::span<const std::int32_t> index;
        parallel::agree(comm, [&] {
            need(plan, "plan") = nullptr;
            owned = list(owned_count, owned_ids, "owned_ids");
            // Fortran tells by it that its lists differ in length.
            if (needed_count < 0) c::reject("not one local index for each needed id");
            needed = list(needed_count, needed_ids, "needed_ids");
            index = list(needed_count, needed_index, "needed_index");
        });
        *plan = new gs_halo_plan{std::make_shared<const halo::Plan>(comm, owned, needed, index)};
    });
}

int gs_halo_plan_destroy(gs_halo_plan** plan) {
    return c::destroy(plan);
}

int gs_halo_memory_create(const gs_halo_plan* plan, size_t bytes, gs_halo_memory** memory, void** values) {
    return guarded(__func__, [&] { make_memory(*need(plan, "plan").plan, bytes, memory, values); });
}

int gs_halo_memory_create_for(int count, gs_halo_plan* const* plans, size_t bytes, gs_halo_memory** memory,
                              void** values) {
    return guarded(__func__, [&] {
        if (count < 1) c::reject("no plans given");
        need(plans, "plans");
        std::vector<std::shared_ptr<const halo::Plan>> shared_by;
        for (int i = 0; i < count; ++i) shared_by.push_back(need(plans[i], "plans").plan);
        make_memory(halo::Layout(shared_by), bytes, memory, values);
    });
}

int gs_halo_memory_destroy(gs_halo_memory** memory) {
    return c::destroy(memory);
}

int gs_halo_create(const gs_halo_plan* plan, const char* transport, int count, const gs_halo_field* fields,
                   gs_halo** halo) {
    const gs_halo_exchange exchange{plan, count, fields, nullptr, nullptr};
    return create(__func__, 1, &exchange, transport, GS_IN_STEP, halo, "halo");
}

int gs_halo_create_set(int count, const gs_halo_exchange* exchanges, const char* transport, int ranks,
                       gs_halo** halos) {
    return create(__func__, count, exchanges, transport, ranks, halos, "halos");
}

int gs_halo_create_adding(const gs_halo_plan* plan, const char* transport, int count,
                          const gs_halo_field* fields, const gs_type* types, const int64_t* order,
                          gs_halo** halo) {
    const gs_halo_exchange exchange{plan, count, fields, types, order};
    return create(__func__, 1, &exchange, transport, GS_IN_STEP, halo, "halo");
}

int gs_halo_ready(gs_halo* halo, int* ready) {
    return guarded(__func__, [&] {
        const bool done = need(halo, "halo").transport->poll();
        need(ready, "ready") = done ? 1 : 0;
    });
}

int gs_halo_destroy(gs_halo** halo) {
    return c::destroy(halo);
}

int gs_halo_start(gs_halo* halo, int count, const gs_halo_field* fields) {
    return guarded(__func__, [&] {
        gs_halo& exchange = need(halo, "halo");
        const auto channels = exchange.transport->channels();
        const auto given = fields_of(count, fields);
        if (given.size() != channels.size()) c::reject("not as many fields as in gs_halo_create");
        for (std::size_t i = 0; i < given.size(); ++i) {
            const halo::Channel channel = channel_of(given[i]);
            if (channel.bytes != channels[i].bytes || channel.stride != channels[i].stride)
                c::reject("a field of other bytes or stride than in gs_halo_create");
            exchange.bases[i] = given[i].values;
        }
        exchange.transport->start(exchange.bases);
    });
}

int gs_halo_poll(gs_halo* halo) {
    return guarded(__func__, [&] { need(halo, "halo").transport->poll(); });
}

int gs_halo_finish(gs_halo* halo) {
    return guarded(__func__, [&] { need(halo, "halo").transport->finish(); });
}

const char* gs_halo_transport(const gs_halo* halo) {
    // Names of transports are literals, so they end with a zero.
    return halo == nullptr ? nullptr : halo->transport->name().data();
}

int gs_halo_cost_get(const gs_halo* halo, gs_halo_cost* cost) {
    return guarded(__func__, [&] {
        const halo::Transport& transport = *need(halo, "halo").transport;
        const halo::Clock& clock = transport.clock();
        const halo::Traffic& traffic = transport.traffic();
        need(cost, "cost") = {clock.pack,        clock.wait,       clock.unpack,
                              traffic.exchanges, traffic.messages, traffic.bytes};
    });
}

int gs_halo_transport_count(void) {
    return static_cast<int>(halo::transport_names().size());
}

const char* gs_halo_transport_name(int number) {
    const std::vector<std::string_view> names = halo::transport_names();
    if (number < 0 || number >= std::ssize(names)) return nullptr;
    return names[number].data();
}

int gs_halo_transport_available(const gs_halo_plan* plan, const char* transport, int* available) {
    return guarded(__func__, [&] {
        const halo::Plan& asked = *need(plan, "plan").plan;
        const halo::Availability found = halo::availability(&need(transport, "transport"), asked);
        need(available, "available") = found.available ? 1 : 0;
        c::note_message(found.reason);
    });
}
