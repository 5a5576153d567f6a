#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/quake/elements/connections.hpp"
#include "groundswell/quake/elements/elements.hpp"

namespace groundswell::quake {

/// All of a cluster's that lies among that of others.
struct ClusterPart {
    BatchRange batches;
    std::int32_t rim = 0;  ///< the first batch that reads what other ranks have sent
    ClusterSides sides;
};

/// Streams of a device, one for each cluster of elements, so that what is asked for clusters may be done side by side. What a cluster does is
/// done in order. Its sides are read by itself and by its neighbours, those before and behind it; so the order between streams is
/// that of let_neighbours_follow(), and of no other.
class ClusterStreams {
public:
    /// One stream for all, until split().
    ClusterStreams(exec::Device& device, exec::Stream only) : device_(device), streams_{only} {}
    /// All that was asked for before must be done.
    void split(std::vector<ClusterPart> parts);

    /// All is asked for one cluster until the next call.
    void turn_to(int cluster) { current_ = cluster; }
    exec::Stream current() const { return of(current_); }
    exec::Stream of(int cluster) const { return streams_[parts_.empty() ? 0 : cluster]; }
    /// Lets all that is asked for neighbours of these clusters from now on begin after all that has been asked for these.
    void let_neighbours_follow(std::span<const int> clusters);
    void wait_for_all();

    bool is_split() const { return !parts_.empty(); }
    int cluster() const { return current_; }
    const ClusterPart& part() const { return parts_[current_]; }
    /// Whether these batches, ascending, are all of the cluster turned to.
    bool are_of_current(std::span<const std::int32_t> batches) const;
    /// Sides that kernels of the cluster use: those that let through what they predict; those that find what elements meet by what these let
    /// through; and those that take all that in, into some batches.
    struct Sides {
        std::vector<SideRange> read, written;
    };
    Sides predicted() const;
    Sides met() const;
    Sides taken_in(BatchRange batches) const;

private:
    exec::Device& device_;
    std::vector<exec::Stream> streams_;
    std::vector<ClusterPart> parts_;
    int current_ = 0;
};

}  // namespace groundswell::quake
