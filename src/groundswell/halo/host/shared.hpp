#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "groundswell/halo/host/handshake.hpp"
#include "groundswell/halo/host/host_memory.hpp"
#include "groundswell/halo/host/host_neighbours.hpp"
#include "groundswell/halo/transport.hpp"

namespace groundswell::halo {

/// An exchange in which a rank may have to do something for its neighbours while it waits in another one.
class Served {
public:
    virtual ~Served() = default;
    /// Does what can be done now, unless another thread is at it.
    virtual void serve() = 0;
};

/// The exchanges of this process that are under way: whoever waits in one of them serves the others. Safe for
/// several threads.
class UnderWay {
public:
    static UnderWay& of_process();

    /// Makes room for one more, so that begin() allocates nothing.
    void join();
    /// Removes an exchange that joined and is under way no longer.
    void leave(Served* exchange);

    void begin(Served* exchange);
    void end(Served* exchange);
    /// All but this one. At once, where another thread is at it.
    void serve_others(const Served* exchange);

private:
    std::mutex mutex_;  // held by whoever serves one, so that none ends meanwhile
    std::size_t joined_ = 0;
    std::vector<Served*> exchanges_;
};

/// Ranks on one host read the values straight from their owner's memory, with one copy and no message; the
/// others send messages as `posted` does.
///
/// The owner says by a Handshake when its values may be read, and each reader says when it is done. A reader
/// copies as soon as the owner is ready: at the start, when polled, or at the finish, which returns when this
/// rank has read all it needs and all readers are done with its own values.
///
/// Fields of Memory::shared whose neighbours (Layout) are among those of the field are read where they lie:
/// runs of ids that stand together on both sides as one copy, of a selection the wanted values alone. Any
/// other memory is packed by its owner into a buffer that the readers see: one more copy. The values of a
/// message, too, are the same.
///
/// Several exchanges may be under way, and ranks may finish them in orders of their own: a rank that waits in one
/// serves its neighbours in the others meanwhile, as an MPI library does with messages.
///
/// Where values are added, each rank adds what the others have packed into their buffers, once all is there.
///
/// A neighbour on this host that ends while this rank waits for it is found out within a second: finish
/// throws base::RunFailure, on this rank alone, with its rank and host.
class Shared final : public Transport, private Served {
public:
    std::string_view name() const override { return "shared"; }

    ~Shared() override;

    /// Null on all ranks, with one warning, where /dev/shm has no room even for the buffers. Collective.
    static std::unique_ptr<Transport> make(std::shared_ptr<const Plan> plan, std::vector<Channel> channels);

private:
    /// Ids that follow each other with their owner and here.
    struct Run {
        std::int32_t owned = 0;   // local index at the owner
        std::int32_t needed = 0;  // local index here
        std::int32_t count = 0;
    };
    /// One neighbour on this host that this rank reads from.
    struct Source {
        std::size_t k = 0;  // in plan().sources()
        Handshake handshake;
        const std::byte* buffer = nullptr;
        std::vector<std::size_t> strides;  // of the owner's channels
        std::vector<std::int32_t> owned;   // local index at the owner of each id of the link
        std::vector<Run> runs;
        std::uint64_t done = 0;  // the last exchange that was read
    };
    /// One neighbour on this host that reads from this rank.
    struct Reader {
        std::size_t k = 0;  // in plan().destinations()
        Handshake handshake;
        std::byte* buffer = nullptr;
    };
    struct NoRoom;

    /// Throws NoRoom on all ranks.
    Shared(std::shared_ptr<const Plan> plan, std::vector<Channel> channels);

    void begin() override;
    bool progress() override;
    void end() override;
    std::int64_t messages_sent() const override { return static_cast<std::int64_t>(sent_.size()); }

    void allocate();
    void meet_neighbours();
    void prepare_messages();

    bool find_in_place();
    bool readable_by_all(const HostMemory& memory);
    void publish(const Reader& reader);
    void post_receives();
    void send_messages();
    bool read_what_is_ready();
    bool add_if_complete();
    bool all_read() const;
    void read(Source& source);
    void copy(const Source& source, std::size_t channel, const std::byte* owners_base);
    bool all_released() const;
    void wait_for_neighbours();
    void serve() override;
    void drive_messages();
    void require_alive() const;

    HostNeighbours neighbours_;
    std::unique_ptr<HostMemory> memory_;
    std::vector<std::size_t> offsets_;  // [destination]: of its handshake and buffer in memory_
    std::vector<Source> sources_;
    std::vector<Reader> readers_;
    std::vector<Whereabouts> where_;  // [channel], of the exchange under way
    std::uint64_t number_ = 0;        // of the exchange under way
    std::uint64_t added_ = 0;         // the last exchange whose values were added
    bool messages_done_ = false;      // of the exchange under way
    std::mutex busy_;                 // held by the thread that is at work on the exchange

    /// Whether all readers map the memory of this number, of those fields that were seen.
    struct Seen {
        std::uint64_t memory = 0;
        bool readable = false;
    };
    static constexpr std::size_t most_seen = 16;  // fields
    std::vector<Seen> seen_;

    /// A message from or to another host: an index in the plan's sources or destinations, and its place in
    /// the buffer.
    struct Message {
        std::size_t k = 0;
        std::size_t offset = 0;
    };
    std::vector<Message> received_, sent_;
    std::vector<std::byte> receive_buffer_, send_buffer_;
    std::vector<const std::byte*> added_messages_;  // [source]
    std::vector<MPI_Request> requests_;             // of receives, then of sends
};

}  // namespace groundswell::halo
