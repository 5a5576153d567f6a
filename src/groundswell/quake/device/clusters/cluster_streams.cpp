#include "groundswell/quake/device/clusters/cluster_streams.hpp"

#include <algorithm>
#include <utility>

namespace groundswell::quake {

void ClusterStreams::split(std::vector<ClusterPart> parts) {
    parts_ = std::move(parts);
    while (streams_.size() < parts_.size()) streams_.push_back(device_.make_stream());
}

// All points first: else a cluster would wait for those behind its neighbour, too.
void ClusterStreams::let_neighbours_follow(std::span<const int> clusters) {
    if (!is_split()) return;
    std::vector<exec::Event> points;
    for (const int c : clusters) points.push_back(device_.record(streams_[c]));
    for (std::size_t i = 0; i < clusters.size(); ++i) {
        for (const int neighbour : {clusters[i] - 1, clusters[i] + 1})
            if (neighbour >= 0 && neighbour < std::ssize(streams_))
                device_.wait(streams_[neighbour], points[i]);
    }
}

void ClusterStreams::wait_for_all() {
    for (const exec::Stream stream : streams_) device_.synchronise(stream);
}

ClusterStreams::Sides ClusterStreams::predicted() const {
    Sides all;
    all.written = part().sides.through;
    all.written.push_back(part().sides.beyond);
    return all;
}

ClusterStreams::Sides ClusterStreams::met() const {
    return {part().sides.through, {part().sides.beyond}};
}

ClusterStreams::Sides ClusterStreams::taken_in(BatchRange batches) const {
    Sides all{{part().sides.beyond}, {}};
    for (int c = std::max(current_ - 1, 0); c <= current_ + 1 && c < std::ssize(parts_); ++c) {
        const ClusterSides& sides = parts_[c].sides;
        all.read.insert(all.read.end(), sides.through.begin(), sides.through.end());
        if (batches.end > part().rim) all.read.push_back(sides.received);
    }
    return all;
}

bool ClusterStreams::are_of_current(std::span<const std::int32_t> batches) const {
    if (!is_split() || batches.empty()) return true;
    const auto [begin, end] = parts_[current_].batches;
    return batches.front() >= begin && batches.back() < end;
}

}  // namespace groundswell::quake
