#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "groundswell/halo/plan.hpp"

namespace groundswell::halo {

/// How one field stores the values of an id. The field begins at a base address; local index i (owned first,
/// then needed, in the plan's order) is at base + i * stride.
struct Channel {
    std::size_t bytes = 0;   // of each id carried in a message, counted from the start of its block
    std::size_t stride = 0;  // from one id to the next in memory, >= bytes
};

/// The channel of a field of `values` values of type T an id, without padding.
template <class T>
constexpr Channel channel_of(std::size_t values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {values * sizeof(T), values * sizeof(T)};
}

/// Seconds that this rank spent in the exchanges so far. Progress made inside poll() counts as wait.
struct Clock {
    double pack = 0.0;
    double wait = 0.0;
    double unpack = 0.0;
};

/// What this rank sent so far.
struct Traffic {
    std::int64_t exchanges = 0;
    std::int64_t messages = 0;
    std::int64_t bytes = 0;
};

/// One way to bring the needed ids' values from their owners. All channels travel in one message per
/// neighbour. Any transport gives the same bits. An exchange is started and finished by every rank of the
/// plan's communicator, those without neighbours too; neither call hides a barrier, and neither allocates.
///
/// Between start and finish the caller must not write the owned values of boundary ids, nor touch the needed
/// ones.
class Transport {
public:
    /// Collective. Throws base::Refusal on all ranks if a message would reach 2 GiB.
    Transport(std::shared_ptr<const Plan> plan, std::vector<Channel> channels);
    virtual ~Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;

    virtual std::string_view name() const = 0;

    /// Begins an exchange of the fields at these addresses, one for each channel; they stay valid until
    /// finish(). Starting twice is a Defect.
    void start(std::span<void* const> bases);
    void start(void* base) { start(std::span<void* const>(&base, 1)); }

    /// Returns when the needed values are in place and the owned ones may be written. Collective for some
    /// transports.
    void finish();

    /// Lets messages make progress during a computation; cheap, may be called any number of times, also while
    /// no exchange is under way.
    void poll();

    const Plan& plan() const { return *plan_; }
    std::span<const Channel> channels() const { return channels_; }
    const Clock& clock() const { return clock_; }
    const Traffic& traffic() const { return traffic_; }

protected:
    /// The steps of an exchange, for the transports to fill in. They report time through the clock.
    virtual void begin() = 0;
    virtual void progress() = 0;
    virtual void end() = 0;

    /// Packs the message of destination k (index in plan().destinations()) and tells where it stands; times
    /// itself.
    std::byte* pack(std::size_t k);

    /// Messages are received at receive_base() + receive_first(k) * bytes_per_id(): in the field itself, or
    /// in a buffer that unpack() empties. unpack times itself.
    std::byte* receive_base();
    std::int32_t receive_first(std::size_t k) const;
    void unpack();

    std::size_t bytes_per_id() const { return bytes_per_id_; }
    int send_bytes(std::size_t k) const;
    int receive_bytes(std::size_t k) const;
    std::byte* send_buffer() { return send_buffer_.data(); }

    Clock clock_;

private:
    std::shared_ptr<const Plan> plan_;
    std::vector<Channel> channels_;
    std::size_t bytes_per_id_ = 0;
    // One channel without padding, whose ids stand grouped by source: messages are the field's own bytes.
    bool in_place_ = false;
    bool under_way_ = false;
    std::vector<std::byte*> bases_;
    std::vector<std::byte> send_buffer_, receive_buffer_;
    Traffic traffic_;
};

}  // namespace groundswell::halo
