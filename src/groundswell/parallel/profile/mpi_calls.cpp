#include "groundswell/parallel/profile/mpi_calls.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/profile/timeline.hpp"

namespace groundswell::parallel {

namespace {

constexpr std::size_t most_names = 160;
constexpr double shortest_call = 2e-5;  // s

/// Written by one thread and read by any.
template <class T>
void add(std::atomic<T>& sum, T more) {
    sum.store(sum.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

/// Calls of one thread.
struct Counts {
    struct One {
        std::atomic<std::int64_t> count = 0, sent = 0, received = 0;
        std::atomic<double> seconds = 0.0;

        void add_call(MpiTraffic bytes) {
            add(count, std::int64_t{1});
            add(sent, bytes.sent);
            add(received, bytes.received);
        }
        void add_to(MpiCall& sum) const {
            sum.count += count.load(std::memory_order_relaxed);
            sum.seconds += seconds.load(std::memory_order_relaxed);
            sum.bytes.sent += sent.load(std::memory_order_relaxed);
            sum.bytes.received += received.load(std::memory_order_relaxed);
        }
    };
    std::array<One, most_names> calls;
    std::array<One, most_mpi_places + 1> places;
    int place = 0;  // in `places`
    std::uint32_t depth = 0, polls = 0;
};

struct Registry {
    std::vector<const char*> names;
    std::mutex mutex;
    std::vector<std::unique_ptr<Counts>> threads;  // also of those that have ended
};

// Never destroyed: MPI_Finalize is called after the end of main() in some programs.
Registry& registry() {
    static auto* const all = new Registry;
    return *all;
}

thread_local Counts* counts_here = nullptr;

Counts& counts_of_this_thread() {
    if (counts_here == nullptr) {
        const std::lock_guard lock(registry().mutex);
        registry().threads.push_back(std::make_unique<Counts>());
        counts_here = registry().threads.back().get();
    }
    return *counts_here;
}

}  // namespace

int count_mpi_call(const char* name) {
    std::vector<const char*>& names = registry().names;
    GS_ASSERT(names.size() < most_names);
    names.push_back(name);
    return static_cast<int>(names.size()) - 1;
}

void place_mpi_calls(int place) {
    if (registry().names.empty()) return;
    counts_of_this_thread().place = place < most_mpi_places ? place + 1 : 0;
}

CountedCall::CountedCall(int number, MpiTraffic bytes, bool polls) : number_(number) {
    Counts& counts = counts_of_this_thread();
    if (counts.depth++ > 0) {
        number_ = -1;
        return;
    }
    place_ = counts.place;
    counts.calls[static_cast<std::size_t>(number)].add_call(bytes);
    counts.places[static_cast<std::size_t>(place_)].add_call(bytes);
    if (polls) {
        weight_ = counts.polls++ % PolledCall::every == 0 ? double{PolledCall::every} : 0.0;
        if (weight_ == 0.0) return;
    }
    begin_ = now();
}

CountedCall::~CountedCall() {
    Counts& counts = *counts_here;
    --counts.depth;
    if (number_ < 0 || weight_ == 0.0) return;
    const double end = now();
    add(counts.calls[static_cast<std::size_t>(number_)].seconds, weight_ * (end - begin_));
    add(counts.places[static_cast<std::size_t>(place_)].seconds, weight_ * (end - begin_));
    if (weight_ == 1.0 && end - begin_ > shortest_call && timeline_is_on())
        add_to_timeline(registry().names[static_cast<std::size_t>(number_)], "mpi", begin_, end);
}

std::vector<MpiCall> mpi_calls() {
    Registry& all = registry();
    std::vector<MpiCall> sums;
    for (const char* name : all.names) sums.push_back({name});
    const std::lock_guard lock(all.mutex);
    for (const auto& thread : all.threads)
        for (std::size_t i = 0; i < sums.size(); ++i) thread->calls[i].add_to(sums[i]);
    return sums;
}

std::vector<MpiCall> mpi_calls_by_place(int places) {
    Registry& all = registry();
    std::vector<MpiCall> sums(static_cast<std::size_t>(std::min(places, most_mpi_places)) + 1);
    const std::lock_guard lock(all.mutex);
    for (const auto& thread : all.threads)
        for (std::size_t i = 0; i < sums.size(); ++i) thread->places[i].add_to(sums[i]);
    return sums;
}

}  // namespace groundswell::parallel
