#include "groundswell/halo/host/shared.hpp"

#include <algorithm>
#include <cstring>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo {

using parallel::check;

void Shared::begin() {
    const std::lock_guard lock(busy_);
    ++number_;
    messages_done_ = requests_.empty();
    const bool in_place = !adds() && find_in_place();
    if (in_place)
        for (const Reader& reader : readers_) publish(reader);
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
    UnderWay::of_process().begin(this);
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
    UnderWay::of_process().end(this);
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
        for (std::size_t i = 0; i < source.owned.size(); ++i)
            rows->copy(base + needed[i] * stride, owners_base + source.owned[i] * owners_stride, wanted[i]);
        return;
    }
    const bool gapless = bytes == stride && bytes == owners_stride;
    for (const Run& run : source.runs) {
        const std::byte* from = owners_base + run.owned * owners_stride;
        std::byte* to = base + run.needed * stride;
        if (gapless) {
            std::memcpy(to, from, run.count * bytes);
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

}  // namespace groundswell::halo
