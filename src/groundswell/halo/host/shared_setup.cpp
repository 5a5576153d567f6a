// Set-up of Shared: memory for what is packed, and what neighbours must know of each other's.
#include <cstring>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/halo/host/shared.hpp"

namespace groundswell::halo {

using parallel::check;

namespace {

std::size_t round_up(std::size_t bytes, std::size_t to) {
    return (bytes + to - 1) / to * to;
}

}  // namespace

struct Shared::NoRoom : base::RunFailure {
    using base::RunFailure::RunFailure;
};

std::unique_ptr<Transport> Shared::make(std::shared_ptr<const Plan> plan, std::vector<Channel> channels) {
    const MPI_Comm comm = plan->comm();
    try {
        return std::unique_ptr<Transport>(new Shared(std::move(plan), std::move(channels)));
    } catch (const NoRoom& lack) {
        // `auto` and measurements come here again and again.
        static bool warned = false;
        if (parallel::rank_of(comm) == 0 && !std::exchange(warned, true))
            base::log_warning("halo transport shared: {}; posted is used instead", lack.what());
    }
    return nullptr;
}

Shared::Shared(std::shared_ptr<const Plan> plan, std::vector<Channel> channels)
    : Transport(std::move(plan), std::move(channels), Messages::none),
      neighbours_(find_host_neighbours(this->plan())),
      where_(this->channels().size()) {
    seen_.reserve(most_seen);
    allocate();
    meet_neighbours();
    prepare_messages();
    if (adds()) added_messages_.resize(this->plan().sources().size());
    UnderWay::of_process().join();
}

Shared::~Shared() {
    UnderWay::of_process().leave(this);
}

void Shared::allocate() {
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < plan().destinations().size(); ++k) {
        offsets_.push_back(bytes);
        if (!neighbours_.destinations[k].on_host) continue;
        bytes += Handshake::bytes(channels().size());
        bytes = round_up(bytes + send_bytes(k), Handshake::alignment);
    }
    std::vector<int> read;  // ranks whose buffers this one reads
    for (std::size_t k = 0; k < plan().sources().size(); ++k)
        if (neighbours_.sources[k].on_host) read.push_back(plan().sources()[k].rank);
    HostMemory::Result result =
        HostMemory::allocate(plan().comm(), neighbours_.host, read, bytes, HostMemory::Access::write);
    if (!result.memory) throw NoRoom(result.reason);
    memory_ = std::move(result.memory);
    // The pages are there; this puts them into the page table, so that the first exchange is as fast as
    // others.
    std::memset(memory_->data(), 0, bytes);
}

/// Each reader hears from the owners on its host where its handshake is and where the ids stand that it
/// needs.
void Shared::meet_neighbours() {
    const MPI_Comm comm = neighbours_.comm.get();
    const std::size_t header = Handshake::bytes(channels().size());
    const std::vector<std::size_t> offset = from_sources(comm, plan(), offsets_);
    std::vector<std::size_t> strides;
    for (const Channel& channel : channels()) strides.push_back(channel.stride);
    const auto strides_bytes = static_cast<int>(strides.size() * sizeof(std::size_t));

    std::vector<MPI_Request> requests;
    for (std::size_t k = 0; k < plan().sources().size(); ++k) {
        if (!neighbours_.sources[k].on_host) continue;
        std::byte* const there = memory_->of_rank(plan().sources()[k].rank) + offset[k];
        sources_.push_back({k, Handshake(there, channels().size()), there + header, {}, {}, {}, 0});
    }
    for (Source& source : sources_) {
        const Link& link = plan().sources()[source.k];
        source.strides.resize(strides.size());
        source.owned.resize(link.count);
        check(MPI_Irecv(source.strides.data(), strides_bytes, MPI_BYTE, link.rank, 0, comm,
                        &requests.emplace_back()),
              "hear of a neighbour's memory");
        check(MPI_Irecv(source.owned.data(), link.count, MPI_INT32_T, link.rank, 1, comm,
                        &requests.emplace_back()),
              "hear of a neighbour's memory");
    }
    for (std::size_t k = 0; k < plan().destinations().size(); ++k) {
        if (!neighbours_.destinations[k].on_host) continue;
        std::byte* const here = memory_->data() + offsets_[k];
        readers_.push_back({k, Handshake(here, channels().size()), here + header});
        const Link& link = plan().destinations()[k];
        check(
            MPI_Isend(strides.data(), strides_bytes, MPI_BYTE, link.rank, 0, comm, &requests.emplace_back()),
            "tell a neighbour of memory");
        check(MPI_Isend(plan().pack_index().data() + link.first, link.count, MPI_INT32_T, link.rank, 1, comm,
                        &requests.emplace_back()),
              "tell a neighbour of memory");
    }
    check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
          "wait for the neighbours");

    for (Source& source : sources_) {
        const Link& link = plan().sources()[source.k];
        for (std::int32_t i = 0; i < link.count; ++i) {
            const std::int32_t owned = source.owned[i];
            const std::int32_t needed = plan().unpack_index()[link.first + i];
            if (!source.runs.empty()) {
                Run& last = source.runs.back();
                if (owned == last.owned + last.count && needed == last.needed + last.count) {
                    ++last.count;
                    continue;
                }
            }
            source.runs.push_back({owned, needed, 1});
        }
    }
}

void Shared::prepare_messages() {
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < plan().sources().size(); ++k) {
        if (neighbours_.sources[k].on_host) continue;
        received_.push_back({k, bytes});
        bytes += receive_bytes(k);
    }
    if (!receives_in_place()) receive_buffer_.resize(bytes);
    bytes = 0;
    for (std::size_t k = 0; k < plan().destinations().size(); ++k) {
        if (neighbours_.destinations[k].on_host) continue;
        sent_.push_back({k, bytes});
        bytes += send_bytes(k);
    }
    send_buffer_.resize(bytes);
    requests_.assign(received_.size() + sent_.size(), MPI_REQUEST_NULL);
}

}  // namespace groundswell::halo
