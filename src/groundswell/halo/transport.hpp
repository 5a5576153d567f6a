#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "groundswell/halo/addition.hpp"
#include "groundswell/halo/plan.hpp"
#include "groundswell/halo/selection.hpp"

namespace groundswell::halo {

/// Storage of the values of an id in one field. The field begins at a base address; local index i of the plan is
/// at base + i * stride.
struct Channel {
    std::size_t bytes = 0;                            // of each id's block, counted from its start
    std::size_t stride = 0;                           // from one id to the next in memory, >= bytes
    std::shared_ptr<const Selection> selection = {};  // null: whole blocks are wanted
    std::shared_ptr<const Addition> addition = {};    // null: values are brought, not added
};

/// The channel of a field of `values` values of type T an id, without padding.
template <class T>
Channel channel_of(std::size_t values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {values * sizeof(T), values * sizeof(T)};
}

/// Whether a transport can be used with this MPI library on these ranks; where not, what is missing and what
/// to use instead.
struct Availability {
    bool available = true;
    std::string reason;
};

/// Seconds that this rank spent in the exchanges so far. Progress made inside poll() counts as wait.
struct Clock {
    double pack = 0.0;
    double wait = 0.0;
    double unpack = 0.0;
};

/// Traffic from this rank to others so far. What they read in its memory counts as bytes, and as no message.
struct Traffic {
    std::int64_t exchanges = 0;
    std::int64_t messages = 0;
    std::int64_t bytes = 0;
    std::int64_t whole_bytes = 0;  // what `bytes` would be if whole blocks were sent
};

/// One way to bring the needed ids' values from their owners, or to add to the owners' what stands at the
/// needed ids. All channels travel in one message per neighbour. Any transport gives the same bits. An exchange
/// is started and finished by every rank of the plan's communicator, those without neighbours too; neither
/// call hides a barrier, and neither allocates once the fields' addresses have been seen.
///
/// Between start and finish the caller must not write the owned values of boundary ids, nor touch the needed
/// ones. Where values are added it is the other way round: the needed ones are not written, the owned ones of
/// boundary ids not touched.
class Transport {
public:
    virtual ~Transport() = default;
    Transport& operator=(Transport&&) = delete;  // neither copied nor moved

    virtual std::string_view name() const = 0;

    /// Begins an exchange of the fields at these addresses, one for each channel; they stay valid until
    /// finish(). Starting twice is a Defect. Collective for some transports.
    void start(std::span<void* const> bases);
    void start(void* base) { start(std::span<void* const>(&base, 1)); }

    /// Returns when the needed values are in place and the owned ones may be written. Collective for some
    /// transports.
    void finish();

    /// Sends what begin() has not sent yet. A transport on a device cannot before the device has brought the messages together, for which
    /// the caller should not wait before it has asked for the work that hides them; finish() sends them at the latest.
    virtual void send() {}

    /// Lets messages make progress during a computation; cheap, may be called any number of times, also while
    /// no exchange is under way. Returns whether finish() has nothing to wait for any more. What is done only
    /// in finish() (transports in lockstep: registry.hpp) is not known before: then that is true.
    bool poll();

    const Plan& plan() const { return *plan_; }
    std::span<const Channel> channels() const { return channels_; }

    /// Whether less than whole blocks is brought, on any rank: the same on all.
    bool selects() const { return selects_; }

    const Clock& clock() const { return clock_; }
    const Traffic& traffic() const { return traffic_; }
    /// Sets both to zero: what came before was a trial.
    void forget_counts() {
        clock_ = {};
        traffic_ = {};
    }

protected:
    /// Where the base class keeps messages. `in_place`: sent from a buffer, received in the field itself
    /// where they fit there (one channel, no padding, whole blocks, ids grouped by source), else in a buffer.
    /// `buffered`: sent from and received in buffers. `none`: as in_place, but the buffers are the
    /// transport's own affair. `elsewhere`: as buffered, with buffers of the transport's own.
    enum class Messages { in_place, buffered, none, elsewhere };

    /// Tells owners what is wanted of their ids. Throws base::Refusal on all ranks if a selection or an addition
    /// is wrong, or a message would reach 2 GiB. A reversed plan where the channels add, and only there.
    /// Collective.
    Transport(std::shared_ptr<const Plan> plan, std::vector<Channel> channels,
              Messages messages = Messages::in_place);

    /// The steps of an exchange, for the transports to fill in. They report time through the clock.
    virtual void begin() = 0;
    virtual bool progress() = 0;  // whether end() has nothing to wait for
    virtual void end() = 0;

    /// Messages that this rank sends in an exchange; of a transport that sends one to each destination.
    virtual std::int64_t messages_sent() const {
        return static_cast<std::int64_t>(plan_->destinations().size());
    }

    // k is the index of a message in plan().destinations() or plan().sources(). The values of the ids stand
    // in the plan's order without gaps, channel after channel.

    /// Packs the message to destination k into its place in the send buffer, or anywhere; times itself.
    void pack(std::size_t k) { pack_into(k, sent_message(k)); }
    void pack_into(std::size_t k, std::byte* message);
    std::byte* send_base() { return send_buffer_.data(); }
    std::size_t send_displacement(std::size_t k) const { return send_offsets_[k]; }
    std::byte* sent_message(std::size_t k) { return send_base() + send_displacement(k); }
    int send_bytes(std::size_t k) const { return static_cast<int>(send_offsets_[k + 1] - send_offsets_[k]); }

    /// The message from source k is to be received there: in the buffer, or in the field of the exchange that
    /// is under way. Displacements are the same in every exchange.
    std::byte* receive_base();
    std::size_t receive_displacement(std::size_t k) const;
    std::byte* received_message(std::size_t k) { return receive_base() + receive_displacement(k); }
    int receive_bytes(std::size_t k) const {
        return static_cast<int>(receive_offsets_[k + 1] - receive_offsets_[k]);
    }
    bool receives_in_place() const { return in_place_; }

    /// Brings what was received from the receive buffer into the fields; times itself.
    void unpack();
    void unpack_from(std::size_t k, const std::byte* message);

    /// Whether values are added: then all messages at once, in an order that does not depend on when they
    /// came. messages[k] is that of source k.
    bool adds() const { return plan_->is_reversed(); }
    void add(std::span<const std::byte* const> messages);

    /// The fields of the exchange that is under way, and what is wanted of channel c (null: whole blocks).
    std::span<std::byte* const> bases() const { return bases_; }
    const SelectedRows* selected(std::size_t c) const { return selected_[c] ? &*selected_[c] : nullptr; }

    Clock clock_;

private:
    std::shared_ptr<const Plan> plan_;
    std::vector<Channel> channels_;
    std::vector<std::optional<SelectedRows>> selected_;  // [channel]
    std::optional<Adder> adder_;
    std::vector<std::size_t> send_offsets_, receive_offsets_;  // [message], and the end
    std::size_t whole_bytes_ = 0;  // of all messages sent, were they of whole blocks
    bool selects_ = false, in_place_ = false, under_way_ = false;
    std::vector<std::byte*> bases_;
    std::vector<std::byte> send_buffer_, receive_buffer_;
    std::vector<const std::byte*> received_;  // [message], where values are added
    Traffic traffic_;
};

}  // namespace groundswell::halo
