#include "groundswell/parallel/cores/crowd.hpp"

#include <algorithm>

namespace groundswell::parallel {

std::optional<Crowd> find_crowd(const std::vector<Wish>& wishes) {
    std::vector<CpuSet> sets;
    for (const Wish& wish : wishes) sets.push_back(wish.cpus);
    sets.push_back(united(sets));
    std::ranges::sort(sets, [](const CpuSet& a, const CpuSet& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    std::optional<Crowd> first;
    std::vector<CpuSet> found;
    for (const CpuSet& set : sets) {
        if (std::ranges::any_of(found,
                                [&](const CpuSet& inner) { return std::ranges::includes(set, inner); }))
            continue;
        std::size_t threads = 0;
        for (const Wish& wish : wishes)
            if (std::ranges::includes(set, wish.cpus)) threads += wish.threads;
        if (threads <= set.size()) continue;
        found.push_back(set);
        if (!first) first = Crowd{set, threads, 0};
    }
    if (first) first->groups = found.size();
    return first;
}

}  // namespace groundswell::parallel
