#include "groundswell/halo/transports/shared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/halo/transports/posted.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo {

using parallel::check;

namespace {

constexpr std::size_t most_seen = 16;          // fields
constexpr double seconds_between_looks = 0.2;  // whether the neighbours still live

std::size_t round_up(std::size_t bytes, std::size_t to) {
    return (bytes + to - 1) / to * to;
}

}  // namespace

namespace {

/// The exchanges of this process that are under way. Whoever serves one of them holds the mutex, so that none
/// ends meanwhile.
struct UnderWay {
    std::mutex mutex;
    std::size_t live = 0;  // transports, under way or not: there is room for all
    std::vector<Shared*> exchanges;
};

UnderWay& under_way() {
    static UnderWay all;
    return all;
}

}  // namespace

struct Shared::NoRoom : base::RunFailure {
    using base::RunFailure::RunFailure;
};

std::unique_ptr<Transport> Shared::make_or_posted(std::shared_ptr<const Plan> plan,
                                                  std::vector<Channel> channels) {
    try {
        return std::unique_ptr<Transport>(new Shared(plan, channels));
    } catch (const NoRoom& lack) {
        // `auto` and measurements come here again and again.
        static bool warned = false;
        if (parallel::rank_of(plan->comm()) == 0 && !std::exchange(warned, true))
            base::log_warning("halo transport shared: {}; posted is used instead", lack.what());
    }
    return std::make_unique<Posted>(std::move(plan), std::move(channels));
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
    const std::lock_guard lock(under_way().mutex);
    under_way().exchanges.reserve(++under_way().live);
}

Shared::~Shared() {
    const std::lock_guard lock(under_way().mutex);
    std::erase(under_way().exchanges, this);
    --under_way().live;
}

void Shared::allocate() {
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < plan().destinations().size(); ++k) {
        offsets_.push_back(bytes);
        if (!neighbours_.destinations[k].on_host) continue;
        bytes += Handshake::bytes(channels().size());
        bytes = round_up(bytes + static_cast<std::size_t>(send_bytes(k)), Handshake::alignment);
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
        source.owned.resize(static_cast<std::size_t>(link.count));
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
            const std::int32_t owned = source.owned[static_cast<std::size_t>(i)];
            const std::int32_t needed = plan().unpack_index()[static_cast<std::size_t>(link.first + i)];
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
        bytes += static_cast<std::size_t>(receive_bytes(k));
    }
    if (!receives_in_place()) receive_buffer_.resize(bytes);
    bytes = 0;
    for (std::size_t k = 0; k < plan().destinations().size(); ++k) {
        if (neighbours_.destinations[k].on_host) continue;
        sent_.push_back({k, bytes});
        bytes += static_cast<std::size_t>(send_bytes(k));
    }
    send_buffer_.resize(bytes);
    requests_.assign(received_.size() + sent_.size(), MPI_REQUEST_NULL);
}

void Shared::begin() {
    const std::lock_guard lock(busy_);
    ++number_;
    messages_done_ = requests_.empty();
    const bool in_place = !adds() && find_in_place();
    if (in_place) {
        for (const Reader& reader : readers_) publish(reader);
    }
    post_receives();
    send_messages();
    if (!in_place) {
        std::fill(where_.begin(), where_.end(), Whereabouts{memory_->number(), 0});
        for (const Reader& reader : readers_) {
            pack_into(reader.k, reader.buffer);
            publish(reader);
        }
    }
    read_what_is_ready();
    const std::lock_guard lock_list(under_way().mutex);
    under_way().exchanges.push_back(this);
}

bool Shared::progress() {
    const std::lock_guard lock(busy_);
    const double copied = clock_.unpack;
    if (!messages_done_) drive_messages();
    read_what_is_ready();
    clock_.wait -= clock_.unpack - copied;  // poll counts all of this as wait
    return messages_done_ && all_read() && all_released();
}

void Shared::end() {
    const std::lock_guard lock(busy_);
    const double before = parallel::now();
    const double copied = clock_.unpack;
    wait_for_neighbours();
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
          "wait for a halo");
    clock_.wait += parallel::now() - before - (clock_.unpack - copied);
    {
        const std::lock_guard lock_list(under_way().mutex);
        std::erase(under_way().exchanges, this);
    }
    if (receives_in_place() || adds()) return;
    for (const Message& message : received_) unpack_from(message.k, receive_buffer_.data() + message.offset);
}

/// Whether all fields of this exchange lie where the neighbours can read them, and where that is.
bool Shared::find_in_place() {
    for (std::size_t c = 0; c < where_.size(); ++c) {
        const HostMemory* const memory = HostMemory::holding(bases()[c]);
        if (memory == nullptr || !readable_by_all(*memory)) return false;
        where_[c] = {memory->number(), static_cast<std::uint64_t>(bases()[c] - memory->data())};
    }
    return true;
}

/// Whether all readers map this memory: a field may have been made for other neighbours.
bool Shared::readable_by_all(const HostMemory& memory) {
    for (const Seen& seen : seen_)
        if (seen.memory == memory.number()) return seen.readable;
    bool readable = memory.comm() == plan().comm();
    for (const Reader& reader : readers_)
        readable = readable && memory.is_read_by(plan().destinations()[reader.k].rank);
    if (seen_.size() == most_seen) seen_.clear();
    seen_.push_back({memory.number(), readable});
    return readable;
}

void Shared::publish(const Reader& reader) {
    reader.handshake.publish(number_, where_);
}

void Shared::post_receives() {
    if (received_.empty()) return;
    const double before = parallel::now();
    for (std::size_t i = 0; i < received_.size(); ++i) {
        const auto& [k, offset] = received_[i];
        std::byte* const to = receives_in_place() ? received_message(k) : receive_buffer_.data() + offset;
        check(MPI_Irecv(to, receive_bytes(k), MPI_BYTE, plan().sources()[k].rank, 0, neighbours_.comm.get(),
                        &requests_[i]),
              "post a receive of a halo");
    }
    clock_.wait += parallel::now() - before;
}

void Shared::send_messages() {
    for (std::size_t i = 0; i < sent_.size(); ++i) {
        const auto& [k, offset] = sent_[i];
        std::byte* const message = send_buffer_.data() + offset;
        pack_into(k, message);
        const double packed = parallel::now();
        check(MPI_Isend(message, send_bytes(k), MPI_BYTE, plan().destinations()[k].rank, 0,
                        neighbours_.comm.get(), &requests_[received_.size() + i]),
              "send a halo");
        clock_.wait += parallel::now() - packed;
    }
}

/// Whether there was anything.
bool Shared::read_what_is_ready() {
    if (adds()) return add_if_complete();
    bool any = false;
    for (Source& source : sources_) {
        if (source.done == number_ || !source.handshake.published(number_)) continue;
        read(source);
        any = true;
    }
    return any;
}

bool Shared::add_if_complete() {
    if (added_ == number_ || !messages_done_) return false;
    for (const Source& source : sources_)
        if (!source.handshake.published(number_)) return false;
    for (const Source& source : sources_) added_messages_[source.k] = source.buffer;
    for (const Message& message : received_)
        added_messages_[message.k] = receive_buffer_.data() + message.offset;
    add(added_messages_);
    for (Source& source : sources_) {
        source.handshake.release(number_);
        source.done = number_;
    }
    added_ = number_;
    return true;
}

bool Shared::all_read() const {
    if (adds()) return added_ == number_;
    return std::all_of(sources_.begin(), sources_.end(),
                       [&](const Source& source) { return source.done == number_; });
}

/// Reads what is ready in the other exchanges of this process. Their messages to other hosts need no help: any
/// call of MPI moves them on.
void Shared::serve_others() const {
    UnderWay& all = under_way();
    const std::unique_lock lock(all.mutex, std::try_to_lock);
    if (!lock) return;
    for (Shared* const other : all.exchanges) {
        if (other == this) continue;
        const std::unique_lock work(other->busy_, std::try_to_lock);
        if (work) other->read_what_is_ready();
    }
}

void Shared::read(Source& source) {
    if (source.handshake.where(0).memory == memory_->number()) {
        unpack_from(source.k, source.buffer);
    } else {
        const double before = parallel::now();
        for (std::size_t c = 0; c < where_.size(); ++c) {
            const Whereabouts where = source.handshake.where(c);
            const HostMemory* const memory = HostMemory::numbered(where.memory);
            GS_ASSERT(memory != nullptr);  // the field lives on all ranks while one of them exchanges it
            copy(source, c, memory->of_rank(plan().sources()[source.k].rank) + where.offset);
        }
        clock_.unpack += parallel::now() - before;
    }
    source.handshake.release(number_);
    source.done = number_;
}

void Shared::copy(const Source& source, std::size_t channel, const std::byte* owners_base) {
    const std::size_t bytes = channels()[channel].bytes;
    const std::size_t stride = channels()[channel].stride;
    const std::size_t owners_stride = source.strides[channel];
    std::byte* const base = bases()[channel];
    if (const SelectedRows* const rows = selected(channel)) {
        const Link& link = plan().sources()[source.k];
        const std::int32_t* const needed = plan().unpack_index().data() + link.first;
        const RowRuns* const wanted = rows->received.data() + link.first;
        for (std::size_t i = 0; i < source.owned.size(); ++i) {
            rows->copy(base + static_cast<std::size_t>(needed[i]) * stride,
                       owners_base + static_cast<std::size_t>(source.owned[i]) * owners_stride, wanted[i]);
        }
        return;
    }
    const bool gapless = bytes == stride && bytes == owners_stride;
    for (const Run& run : source.runs) {
        const std::byte* from = owners_base + static_cast<std::size_t>(run.owned) * owners_stride;
        std::byte* to = base + static_cast<std::size_t>(run.needed) * stride;
        if (gapless) {
            std::memcpy(to, from, static_cast<std::size_t>(run.count) * bytes);
            continue;
        }
        for (std::int32_t i = 0; i < run.count; ++i, from += owners_stride, to += stride)
            std::memcpy(to, from, bytes);
    }
}

bool Shared::all_released() const {
    return std::all_of(readers_.begin(), readers_.end(),
                       [&](const Reader& reader) { return reader.handshake.released(number_); });
}

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
            serve_others();
            if (parallel::now() - looked < seconds_between_looks) return;
            require_alive();
            looked = parallel::now();
        });
    }
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
