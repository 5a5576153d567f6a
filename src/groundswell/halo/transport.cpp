#include "groundswell/halo/transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo {

namespace {

/// Where each message begins if they stand one after the other, and where the last ends.
template <class Bytes>
std::vector<std::size_t> message_offsets(std::span<const Link> links, Bytes bytes_of_id) {
    std::vector<std::size_t> offsets{0};
    for (const Link& link : links) {
        std::size_t end = offsets.back();
        for (std::int32_t i = link.first; i < link.first + link.count; ++i)
            end += bytes_of_id(static_cast<std::size_t>(i));
        offsets.push_back(end);
    }
    return offsets;
}

void require_sendable(std::span<const Link> links, const std::vector<std::size_t>& offsets) {
    // Both sides of a link find the same, so the check of either would do; both name their neighbour.
    for (std::size_t k = 0; k < links.size(); ++k) {
        const std::size_t bytes = offsets[k + 1] - offsets[k];
        base::require(bytes <= static_cast<std::size_t>(std::numeric_limits<int>::max()), "halo",
                      fmt::format("message with rank {}", links[k].rank),
                      fmt::format("{} ids, {} bytes", links[k].count, bytes),
                      "less than 2 GiB; use more ranks");
    }
}

}  // namespace

Transport::Transport(std::shared_ptr<const Plan> plan, std::vector<Channel> channels, Messages messages)
    : plan_(std::move(plan)), channels_(std::move(channels)), bases_(channels_.size(), nullptr) {
    parallel::agree(plan_->comm(), [&] {
        GS_ASSERT(!channels_.empty());
        for (const Channel& channel : channels_) {
            GS_ASSERT(channel.bytes > 0 && channel.stride >= channel.bytes);
            GS_ASSERT((channel.addition != nullptr) == adds());
        }
    });
    bool whole = true;  // all that this rank receives
    for (const Channel& channel : channels_) {
        const auto& rows =
            selected_.emplace_back(agree_on_selection(*plan_, channel.selection.get(), channel.bytes));
        whole_bytes_ += channel.bytes * plan_->pack_index().size();
        if (!rows) continue;
        selects_ = true;
        whole = whole && std::all_of(rows->received.begin(), rows->received.end(),
                                     [&](const RowRuns& runs) { return rows->is_whole(runs); });
    }

    const auto bytes_of_id = [&](std::vector<RowRuns> SelectedRows::*runs, std::size_t i) {
        std::size_t bytes = 0;
        for (std::size_t c = 0; c < channels_.size(); ++c) {
            const auto& rows = selected_[c];
            bytes += rows ? rows->message_bytes(((*rows).*runs)[i]) : channels_[c].bytes;
        }
        return bytes;
    };
    send_offsets_ = message_offsets(plan_->destinations(),
                                    [&](std::size_t i) { return bytes_of_id(&SelectedRows::sent, i); });
    receive_offsets_ = message_offsets(
        plan_->sources(), [&](std::size_t i) { return bytes_of_id(&SelectedRows::received, i); });

    const bool has_fields = messages == Messages::in_place || messages == Messages::none;
    in_place_ = has_fields && channels_.size() == 1 && whole && channels_[0].bytes == channels_[0].stride &&
                plan_->lands_in_place();
    parallel::agree(plan_->comm(), [&] {
        require_sendable(plan_->sources(), receive_offsets_);
        require_sendable(plan_->destinations(), send_offsets_);
        if (messages == Messages::none || messages == Messages::elsewhere) return;
        send_buffer_.resize(send_offsets_.back());
        if (!in_place_) receive_buffer_.resize(receive_offsets_.back());
    });
    if (!adds()) return;
    std::vector<AddedField> fields;
    for (const Channel& channel : channels_)
        fields.push_back({channel.bytes, channel.stride, channel.addition.get()});
    adder_.emplace(*plan_, fields);
    for (std::size_t k = 0; k < plan_->sources().size(); ++k)
        received_.push_back(receive_buffer_.data() + (receive_buffer_.empty() ? 0 : receive_offsets_[k]));
}

void Transport::start(std::span<void* const> bases) {
    GS_ASSERT(!under_way_);
    GS_ASSERT(bases.size() == channels_.size());
    for (std::size_t c = 0; c < bases.size(); ++c) bases_[c] = static_cast<std::byte*>(bases[c]);
    under_way_ = true;
    begin();
    ++traffic_.exchanges;
    traffic_.messages += messages_sent();
    traffic_.bytes += static_cast<std::int64_t>(send_offsets_.back());
    traffic_.whole_bytes += static_cast<std::int64_t>(whole_bytes_);
}

void Transport::finish() {
    GS_ASSERT(under_way_);
    end();
    under_way_ = false;
}

bool Transport::poll() {
    if (!under_way_) return true;
    const double before = parallel::now();
    const bool done = progress();
    clock_.wait += parallel::now() - before;
    return done;
}

void Transport::pack_into(std::size_t k, std::byte* message) {
    const double before = parallel::now();
    const Link& link = plan_->destinations()[k];
    const std::int32_t* index = plan_->pack_index().data() + link.first;
    for (std::size_t c = 0; c < channels_.size(); ++c) {
        const std::size_t bytes = channels_[c].bytes, stride = channels_[c].stride;
        const std::byte* base = bases_[c];
        if (const SelectedRows* rows = selected(c)) {
            const RowRuns* runs = rows->sent.data() + link.first;
            for (std::int32_t i = 0; i < link.count; ++i)
                message = rows->gather(message, base + static_cast<std::size_t>(index[i]) * stride, runs[i]);
        } else {
            for (std::int32_t i = 0; i < link.count; ++i, message += bytes)
                std::memcpy(message, base + static_cast<std::size_t>(index[i]) * stride, bytes);
        }
    }
    clock_.pack += parallel::now() - before;
}

std::byte* Transport::receive_base() {
    if (!in_place_) return receive_buffer_.data();
    return bases_[0] + static_cast<std::size_t>(plan_->needed_begin()) * channels_[0].stride;
}

std::size_t Transport::receive_displacement(std::size_t k) const {
    if (!in_place_) return receive_offsets_[k];
    const auto first = static_cast<std::size_t>(plan_->sources()[k].first);
    return static_cast<std::size_t>(plan_->unpack_index()[first] - plan_->needed_begin()) *
           channels_[0].stride;
}

void Transport::unpack() {
    if (in_place_) return;
    if (adds()) return add(received_);
    for (std::size_t k = 0; k < plan_->sources().size(); ++k)
        unpack_from(k, receive_buffer_.data() + receive_offsets_[k]);
}

void Transport::add(std::span<const std::byte* const> messages) {
    const double before = parallel::now();
    adder_->add(bases_, messages);
    clock_.unpack += parallel::now() - before;
}

void Transport::unpack_from(std::size_t k, const std::byte* message) {
    const double before = parallel::now();
    const Link& link = plan_->sources()[k];
    const std::int32_t* index = plan_->unpack_index().data() + link.first;
    for (std::size_t c = 0; c < channels_.size(); ++c) {
        const std::size_t bytes = channels_[c].bytes, stride = channels_[c].stride;
        std::byte* const base = bases_[c];
        if (const SelectedRows* rows = selected(c)) {
            const RowRuns* runs = rows->received.data() + link.first;
            for (std::int32_t i = 0; i < link.count; ++i)
                message = rows->scatter(base + static_cast<std::size_t>(index[i]) * stride, message, runs[i]);
        } else {
            for (std::int32_t i = 0; i < link.count; ++i, message += bytes)
                std::memcpy(base + static_cast<std::size_t>(index[i]) * stride, message, bytes);
        }
    }
    clock_.unpack += parallel::now() - before;
}

}  // namespace groundswell::halo
