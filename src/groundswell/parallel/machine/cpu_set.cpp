#include "groundswell/parallel/machine/cpu_set.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>

#include "groundswell/base/errors.hpp"

namespace groundswell::parallel {

namespace {
// More than any Linux kernel is built for.
constexpr int most_cpus = 8192;
struct Mask {
    cpu_set_t words[most_cpus / CPU_SETSIZE] = {};
    static constexpr std::size_t bytes = sizeof(words);
};
}  // namespace

CpuSet allowed_cpus() {
    Mask mask;
    CpuSet cpus;
    if (sched_getaffinity(0, Mask::bytes, mask.words) != 0) return cpus;
    for (int cpu = 0; cpu < most_cpus; ++cpu)
        if (CPU_ISSET_S(cpu, Mask::bytes, mask.words)) cpus.push_back(cpu);
    return cpus;
}

CpuSet read_cpu_list(std::istream& stream) {
    CpuSet cpus;
    int first = 0, last = 0;
    char separator = ',';
    while (separator == ',' && stream >> first) {
        last = first;
        if (stream.peek() == '-') stream.ignore() >> last;
        for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
        if (!stream.get(separator)) break;
    }
    return cpus;
}

CpuSet machine_cpus() {
    std::ifstream online("/sys/devices/system/cpu/online");
    const CpuSet cpus = read_cpu_list(online);
    return cpus.empty() ? allowed_cpus() : cpus;
}

void run_on(const CpuSet& cpus) {
    Mask mask;
    for (const int cpu : cpus)
        if (cpu >= 0 && cpu < most_cpus) CPU_SET_S(cpu, Mask::bytes, mask.words);
    if (sched_setaffinity(0, Mask::bytes, mask.words) != 0)
        base::refuse("this machine", "core of a thread", to_text(cpus),
                     fmt::format("cores that this process may use, as {}", to_text(allowed_cpus())));
}

std::thread start_thread(std::optional<int> cpu, std::function<void()> work) {
    // It inherits where it may run: this one goes there first, so that a refusal has no thread to end.
    const CpuSet before = allowed_cpus();
    if (cpu) run_on({*cpu});
    std::thread thread(std::move(work));
    if (cpu) run_on(before);
    return thread;
}

std::string to_text(const CpuSet& cpus) {
    std::string text;
    for (std::size_t i = 0; i < cpus.size();) {
        std::size_t last = i;
        while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
        text += fmt::format("{}{}", text.empty() ? "" : ",", cpus[i]);
        if (last > i) text += fmt::format("-{}", cpus[last]);
        i = last + 1;
    }
    return text;
}

CpuSet difference(const CpuSet& all, const CpuSet& without) {
    CpuSet rest;
    std::ranges::set_difference(all, without, std::back_inserter(rest));
    return rest;
}

CpuSet united(std::span<const CpuSet> sets) {
    CpuSet all;
    for (const CpuSet& set : sets) all.insert(all.end(), set.begin(), set.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::vector<int> spare_cpus(std::span<const RankCpus> ranks) {
    // Hall's condition (1935, doi:10.1112/jlms/s1-10.37.26): the ranks that are confined to a set of CPUs
    // find room in it if together they want no more than it holds. For nested and disjoint sets it is enough
    // to look at the sets themselves.
    const auto within = [&](std::size_t inner, std::size_t outer) {
        return std::ranges::includes(ranks[outer].allowed, ranks[inner].allowed);
    };
    std::vector<bool> crowded(ranks.size(), false);
    for (std::size_t outer = 0; outer < ranks.size(); ++outer) {
        std::size_t wanted = 0;
        for (std::size_t r = 0; r < ranks.size(); ++r)
            if (within(r, outer)) wanted += static_cast<std::size_t>(ranks[r].threads) + 1;
        crowded[outer] = wanted > ranks[outer].allowed.size();
    }
    CpuSet taken;
    std::vector<int> spare(ranks.size(), -1);
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        bool free = true;
        for (std::size_t outer = 0; outer < ranks.size(); ++outer)
            free = free && !(crowded[outer] && within(r, outer));
        if (!free) continue;
        // A CPU that few others may use leaves room to them.
        std::ptrdiff_t fewest = std::ssize(ranks) + 1;
        for (const int cpu : difference(ranks[r].allowed, taken)) {
            const std::ptrdiff_t users = std::ranges::count_if(
                ranks, [&](const RankCpus& rank) { return std::ranges::binary_search(rank.allowed, cpu); });
            if (users > fewest) continue;
            fewest = users;
            spare[r] = cpu;
        }
        if (spare[r] >= 0) taken.insert(std::ranges::upper_bound(taken, spare[r]), spare[r]);
    }
    return spare;
}

}  // namespace groundswell::parallel
