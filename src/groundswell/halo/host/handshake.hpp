#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace groundswell::halo {

/// Where an owner's values stand during one exchange: `offset` bytes into a memory that owner and reader both
/// know by this number.
struct Whereabouts {
    std::uint64_t memory = 0;
    std::uint64_t offset = 0;
};

/// The agreement between the owner of values and one reader of them, over memory that both see: two threads,
/// or two processes that map the same pages. Exchanges are numbered 1, 2, 3, … on both sides.
///
///     owner                                     reader
///     writes its values
///     publish(e, where)          ------->       sees published(e), reads the values at where(c)
///     sees released(e)           <-------       release(e)
///     may write again
///
/// Each side writes one word that the other only reads, each on cache lines of its own. publish and release
/// have release ordering, published and released acquire ordering: so the reader sees all that the owner
/// wrote before, and the owner's next writes cannot reach a reader that still reads. The owner publishes e +
/// 1 only after it saw released(e).
///
/// Holds no memory and no state: a view, free to copy. Knows neither MPI nor the system.
class Handshake {
public:
    /// Lines are kept two cache lines apart, because processors fetch the neighbouring line as well.
    static constexpr std::size_t alignment = 128;

    /// Bytes of memory that a handshake about `channels` fields takes, a multiple of `alignment`.
    static std::size_t bytes(std::size_t channels);

    /// `memory` is zero at first, `alignment`-aligned and bytes(channels) long, and outlives the view.
    Handshake(std::byte* memory, std::size_t channels) : memory_(memory), channels_(channels) {}

    /// For the owner: the values of exchange `number` may be read, those of channel c at where[c].
    void publish(std::uint64_t number, std::span<const Whereabouts> where) const;
    /// For the owner: the reader is done with exchange `number`.
    bool released(std::uint64_t number) const;

    /// For the reader: exchange `number` may be read.
    bool published(std::uint64_t number) const;
    /// For the reader, after published(number) and before release(number).
    Whereabouts where(std::size_t channel) const;
    /// For the reader: done with exchange `number`; the owner may write again.
    void release(std::uint64_t number) const;

private:
    // First the reader's word, then at the next line the owner's word followed by one Whereabouts a channel.
    std::uint64_t& released_word() const;
    std::uint64_t& published_word() const;
    Whereabouts* whereabouts() const;

    std::byte* memory_;
    std::size_t channels_;
};

/// Waiting of a rank for what another one writes. Ranks may be many more than cores, and the one waited for
/// may need this very core: after a short spin each look gives the core away.
class Patience {
public:
    /// Call between two looks. `meanwhile` is called at each look after the spin, for what must go on while
    /// this rank waits.
    template <class Meanwhile>
    void rest(const Meanwhile& meanwhile) {
        if (looks_ < spins) {
            ++looks_;
            pause_processor();
            return;
        }
        meanwhile();
        yield_processor();
    }

private:
    static constexpr int spins = 200;
    static void pause_processor();
    static void yield_processor();

    int looks_ = 0;
};

}  // namespace groundswell::halo
