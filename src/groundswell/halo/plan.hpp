#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

namespace groundswell::halo {

/// The messages between this rank and one neighbour, as a range of the plan's index list of that direction.
struct Link {
    int rank = 0;
    std::int32_t first = 0;  // in pack_index() or unpack_position()
    std::int32_t count = 0;  // ids, at least 1
};

/// The communication pattern of a halo exchange: which rank sends which ids to which. Immutable, so any number of
/// transports may share it. Knows ids only: no mesh, no values.
///
/// An id is not negative and owned by exactly one rank. Local order is the caller's: position p of
/// `owned_ids` is local index p, and position q of `needed_ids` is local index owned() + q, or any other one
/// behind owned(). A rank may own or need nothing, may need an id that it owns itself (a period of a small
/// grid), and may need an id more than once.
///
/// Several plans may share one array, each with its own part of what is needed there (for example one plan
/// for each group of cells that is exchanged at a rate of its own). A plan that owns a part of the array too
/// counts its local indices from that part's first id, and an exchange is given the address of that one.
///
/// Within a message the values come in the order in which the receiver listed its needed ids. So where the
/// ids needed from one rank stand together (for example grouped by owner), its message lands in place.
///
/// Owners are found through a directory that is spread over the ranks in blocks of ids, and by sparse
/// exchange: no rank ever holds an array as long as the number of ranks or of all ids. Where neighbours in id
/// tend to be neighbours in rank (cells along a space-filling curve), the messages per rank do not grow with
/// the ranks either.
class Plan {
public:
    /// Throws base::Refusal on all ranks if an id is needed that no rank owns, or owned twice, or negative.
    /// Collective; takes a communicator of its own for the time of the construction, and keeps `comm`, which
    /// must outlive the plan.
    Plan(MPI_Comm comm, std::span<const std::int64_t> owned_ids, std::span<const std::int64_t> needed_ids);

    /// With needed id q at local index needed_index[q]. Throws base::Refusal on all ranks also if one of
    /// these is an owned one, or given twice.
    Plan(MPI_Comm comm, std::span<const std::int64_t> owned_ids, std::span<const std::int64_t> needed_ids,
         std::span<const std::int32_t> needed_index);

    MPI_Comm comm() const { return comm_; }

    std::int32_t owned() const { return owned_; }
    std::int32_t needed() const { return static_cast<std::int32_t>(unpack_position_.size()); }

    /// The lowest local index of a needed id; owned() where nothing is needed.
    std::int32_t needed_begin() const { return needed_begin_; }

    /// Local indices end before this one: a field holds as many ids, or more.
    std::int32_t ids() const { return ids_; }

    /// Ranks that send to this one, ascending; ranks that this one sends to, ascending.
    std::span<const Link> sources() const { return sources_; }
    std::span<const Link> destinations() const { return destinations_; }

    /// Local owned index of each value sent, destination after destination.
    std::span<const std::int32_t> pack_index() const { return pack_index_; }

    /// Position in `needed_ids` of each value received, source after source.
    std::span<const std::int32_t> unpack_position() const { return unpack_position_; }

    /// Local index of each value received, source after source.
    std::span<const std::int32_t> unpack_index() const { return unpack_index_; }

    /// Whether the ids needed from each source stand together: messages land in place, nothing to unpack.
    bool lands_in_place() const { return in_place_; }

    /// The way back, for transports that add: sources are destinations, and what travels goes from needed ids
    /// to those that own them. owned(), needed_begin(), ids() and unpack_position() stay what they are, the
    /// last one of each value sent. Not collective.
    Plan reversed() const;
    bool is_reversed() const { return reversed_; }

    /// Cost of finding the plan on this rank.
    struct Cost {
        std::int64_t messages = 0;
        std::int64_t bytes = 0;
    };
    Cost cost() const { return cost_; }

private:
    MPI_Comm comm_;
    std::int32_t owned_ = 0, needed_begin_ = 0, ids_ = 0;
    std::vector<Link> sources_, destinations_;
    std::vector<std::int32_t> pack_index_, unpack_position_, unpack_index_;
    bool in_place_ = true, reversed_ = false;
    Cost cost_;
};

}  // namespace groundswell::halo
