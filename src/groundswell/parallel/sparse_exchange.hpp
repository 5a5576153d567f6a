#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "groundswell/parallel/communicator.hpp"

namespace groundswell::parallel {

/// Bytes for or from one rank.
struct Parcel {
    int rank = 0;
    std::vector<std::byte> bytes;
};

/// Exchange where each rank knows whom it sends to but not who sends to it. Synchronous sends and a
/// non-blocking barrier find the end, so time and memory depend on the parcels alone, not on the number of
/// ranks (T. Hoefler, C. Siebert, A. Lumsdaine, Scalable communication protocols for dynamic sparse data
/// exchange, PPoPP 2010, algorithm 2 "NBX").
class SparseExchange {
public:
    /// Collective: takes a communicator of its own.
    explicit SparseExchange(MPI_Comm comm);

    /// Sends the parcels (to any ranks, this one too; several to one rank allowed) and returns what came in,
    /// sorted by source, and by order of sending within a source. A parcel of 2 GiB or more is refused on all
    /// ranks. Collective.
    std::vector<Parcel> operator()(std::span<const Parcel> outgoing);

    /// Totals of this rank since construction.
    std::int64_t messages_sent() const { return messages_; }
    std::int64_t bytes_sent() const { return bytes_; }

private:
    Communicator comm_;
    std::int64_t messages_ = 0;
    std::int64_t bytes_ = 0;
};

/// A parcel that holds these values, and back.
template <class T>
Parcel pack_parcel(int rank, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = std::as_bytes(values);
    return {rank, {bytes.begin(), bytes.end()}};
}

template <class T>
std::vector<T> unpack_parcel(const Parcel& parcel) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values(parcel.bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), parcel.bytes.data(), values.size() * sizeof(T));
    return values;
}

/// Sends values to the ranks that `owner` names, and returns those that came for this one: by source, and in their order within a
/// source. Collective.
template <class Value, class Owner>
std::vector<Value> send_to_owners(SparseExchange& exchange, std::vector<Value> values, Owner owner) {
    std::ranges::stable_sort(values, {}, owner);
    std::vector<Parcel> outgoing;
    constexpr std::size_t most = (std::size_t{1} << 28) / sizeof(Value);  // in a parcel
    for (std::size_t begin = 0, end = 0; begin < values.size(); begin = end) {
        while (end < values.size() && end - begin < most && owner(values[end]) == owner(values[begin])) ++end;
        outgoing.push_back(pack_parcel<Value>(owner(values[begin]),
                                              std::span<const Value>(values).subspan(begin, end - begin)));
    }
    values.clear();
    for (const Parcel& parcel : exchange(outgoing)) {
        const auto more = unpack_parcel<Value>(parcel);
        values.insert(values.end(), more.begin(), more.end());
    }
    return values;
}

}  // namespace groundswell::parallel
