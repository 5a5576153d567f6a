// Waiting of a rank in Shared: it moves messages on, serves its neighbours in other exchanges, and finds out who has
// ended.
#include <fmt/format.h>

#include "groundswell/base/errors.hpp"
#include "groundswell/halo/host/shared.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo {

UnderWay& UnderWay::of_process() {
    static UnderWay all;
    return all;
}

void UnderWay::join() {
    const std::lock_guard lock(mutex_);
    exchanges_.reserve(++joined_);
}

void UnderWay::leave(Served* exchange) {
    const std::lock_guard lock(mutex_);
    std::erase(exchanges_, exchange);
    --joined_;
}

void UnderWay::begin(Served* exchange) {
    const std::lock_guard lock(mutex_);
    exchanges_.push_back(exchange);
}

void UnderWay::end(Served* exchange) {
    const std::lock_guard lock(mutex_);
    std::erase(exchanges_, exchange);
}

void UnderWay::serve_others(const Served* exchange) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;
    for (Served* const other : exchanges_)
        if (other != exchange) other->serve();
}

using parallel::check;

namespace {

constexpr double seconds_between_looks = 0.2;  // whether the neighbours still live

}  // namespace

void Shared::wait_for_neighbours() {
    Patience patience;
    double looked = parallel::now();
    while (true) {
        if (adds() && !messages_done_) drive_messages();
        if (read_what_is_ready()) patience = Patience();
        if (all_read() && all_released()) return;
        patience.rest([&] {
            // A neighbour may be waiting in MPI, or in another exchange, for something of this rank before it
            // comes to this one.
            drive_messages();
            UnderWay::of_process().serve_others(this);
            if (parallel::now() - looked < seconds_between_looks) return;
            require_alive();
            looked = parallel::now();
        });
    }
}

/// Reads what is ready, for neighbours who wait while this rank waits in another exchange. Messages to other hosts
/// need no help: any call of MPI moves them on.
void Shared::serve() {
    const std::unique_lock work(busy_, std::try_to_lock);
    if (work) read_what_is_ready();
}

void Shared::drive_messages() {
    int flag = 0;
    if (requests_.empty()) {
        check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, neighbours_.comm.get(), &flag, MPI_STATUS_IGNORE),
              "look for messages");
    } else {
        check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &flag, MPI_STATUSES_IGNORE),
              "test the messages of a halo");
        messages_done_ = flag != 0;
    }
}

void Shared::require_alive() const {
    const auto lost = [&](int rank) {
        throw base::RunFailure(fmt::format("rank {} on host {} has ended while rank {} waits for its halo",
                                           rank, neighbours_.host.name, neighbours_.comm.rank()));
    };
    // Its last flag may have come just before its end, so that is looked at after.
    for (const Source& source : sources_) {
        if (source.done != number_ && neighbours_.sources[source.k].has_ended() &&
            !source.handshake.published(number_))
            lost(plan().sources()[source.k].rank);
    }
    for (const Reader& reader : readers_) {
        if (!reader.handshake.released(number_) && neighbours_.destinations[reader.k].has_ended() &&
            !reader.handshake.released(number_))
            lost(plan().destinations()[reader.k].rank);
    }
}

}  // namespace groundswell::halo
