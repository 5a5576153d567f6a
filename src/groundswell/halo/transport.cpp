#include "groundswell/halo/transport.hpp"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo {

namespace {

std::size_t total_count(std::span<const Link> links) {
    return links.empty() ? 0 : static_cast<std::size_t>(links.back().first) + links.back().count;
}

void require_sendable(const Plan& plan, std::span<const Channel> channels, std::size_t bytes_per_id) {
    parallel::agree(plan.comm(), [&] {
        GS_ASSERT(!channels.empty());
        for (const Channel& channel : channels)
            GS_ASSERT(channel.bytes > 0 && channel.stride >= channel.bytes);
        constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
        for (const auto& links : {plan.sources(), plan.destinations()}) {
            for (const Link& link : links) {
                // Both sides of a link find the same, so the check of either would do; both name their
                // neighbour.
                base::require(static_cast<std::size_t>(link.count) <= most / bytes_per_id, "halo",
                              fmt::format("message with rank {}", link.rank),
                              fmt::format("{} ids of {} bytes", link.count, bytes_per_id),
                              "less than 2 GiB; use more ranks");
            }
        }
    });
}

}  // namespace

Transport::Transport(std::shared_ptr<const Plan> plan, std::vector<Channel> channels)
    : plan_(std::move(plan)), channels_(std::move(channels)), bases_(channels_.size(), nullptr) {
    for (const Channel& channel : channels_) bytes_per_id_ += channel.bytes;
    require_sendable(*plan_, channels_, bytes_per_id_);
    in_place_ = channels_.size() == 1 && channels_[0].bytes == channels_[0].stride && plan_->lands_in_place();
    send_buffer_.resize(total_count(plan_->destinations()) * bytes_per_id_);
    if (!in_place_) receive_buffer_.resize(total_count(plan_->sources()) * bytes_per_id_);
}

void Transport::start(std::span<void* const> bases) {
    GS_ASSERT(!under_way_);
    GS_ASSERT(bases.size() == channels_.size());
    for (std::size_t c = 0; c < bases.size(); ++c) bases_[c] = static_cast<std::byte*>(bases[c]);
    under_way_ = true;
    begin();
    ++traffic_.exchanges;
    traffic_.messages += static_cast<std::int64_t>(plan_->destinations().size());
    traffic_.bytes += static_cast<std::int64_t>(send_buffer_.size());
}

void Transport::finish() {
    GS_ASSERT(under_way_);
    end();
    under_way_ = false;
}

void Transport::poll() {
    if (!under_way_) return;
    const double before = parallel::now();
    progress();
    clock_.wait += parallel::now() - before;
}

std::byte* Transport::pack(std::size_t k) {
    const double before = parallel::now();
    const Link& link = plan_->destinations()[k];
    const std::int32_t* index = plan_->pack_index().data() + link.first;
    std::byte* const message = send_buffer_.data() + static_cast<std::size_t>(link.first) * bytes_per_id_;
    std::byte* to = message;
    for (std::size_t c = 0; c < channels_.size(); ++c) {
        const Channel channel = channels_[c];
        const std::byte* base = bases_[c];
        for (std::int32_t i = 0; i < link.count; ++i, to += channel.bytes) {
            std::memcpy(to, base + static_cast<std::size_t>(index[i]) * channel.stride, channel.bytes);
        }
    }
    clock_.pack += parallel::now() - before;
    return message;
}

std::byte* Transport::receive_base() {
    if (!in_place_) return receive_buffer_.data();
    return bases_[0] + static_cast<std::size_t>(plan_->owned()) * channels_[0].stride;
}

std::int32_t Transport::receive_first(std::size_t k) const {
    const std::int32_t first = plan_->sources()[k].first;
    return in_place_ ? plan_->unpack_position()[first] : first;
}

void Transport::unpack() {
    if (in_place_) return;
    const double before = parallel::now();
    for (const Link& link : plan_->sources()) {
        const std::int32_t* position = plan_->unpack_position().data() + link.first;
        const std::byte* from = receive_buffer_.data() + static_cast<std::size_t>(link.first) * bytes_per_id_;
        for (std::size_t c = 0; c < channels_.size(); ++c) {
            const Channel channel = channels_[c];
            std::byte* needed = bases_[c] + static_cast<std::size_t>(plan_->owned()) * channel.stride;
            for (std::int32_t i = 0; i < link.count; ++i, from += channel.bytes) {
                std::memcpy(needed + static_cast<std::size_t>(position[i]) * channel.stride, from,
                            channel.bytes);
            }
        }
    }
    clock_.unpack += parallel::now() - before;
}

int Transport::send_bytes(std::size_t k) const {
    return static_cast<int>(static_cast<std::size_t>(plan_->destinations()[k].count) * bytes_per_id_);
}

int Transport::receive_bytes(std::size_t k) const {
    return static_cast<int>(static_cast<std::size_t>(plan_->sources()[k].count) * bytes_per_id_);
}

}  // namespace groundswell::halo
