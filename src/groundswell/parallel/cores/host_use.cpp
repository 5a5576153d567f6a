#include "groundswell/parallel/cores/host_use.hpp"

#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include "groundswell/parallel/profile.hpp"

namespace groundswell::parallel {

namespace {

// proc(5): lines "cpuN user nice system idle iowait irq softirq steal …" in ticks.
void count_cpus(const CpuSet& cpus, double tick, HostCounters& counters) {
    std::ifstream stat("/proc/stat");
    for (std::string line; std::getline(stat, line) && line.starts_with("cpu");) {
        std::istringstream words(line.substr(3));
        if (line.starts_with("cpu ")) continue;
        int cpu = 0;
        double user = 0, nice = 0, system = 0, idle = 0, disk = 0, irq = 0, soft = 0, stolen = 0;
        words >> cpu >> user >> nice >> system >> idle >> disk >> irq >> soft >> stolen;
        if (!std::ranges::binary_search(cpus, cpu)) continue;
        counters.busy += tick * (user + nice + system + irq + soft);
        counters.idle += tick * (idle + disk);
        counters.stolen += tick * stolen;
    }
}

// "1234 (name, perhaps with spaces) S 1 … utime stime", the 14th and 15th word.
std::optional<HostCounters::Process> read_process(const std::string& id, double tick) {
    std::ifstream file("/proc/" + id + "/stat");
    std::string text;
    std::getline(file, text, '\0');  // nothing where the process ends in this moment
    const std::size_t open = text.find('('), close = text.rfind(')');
    if (open == std::string::npos || close == std::string::npos) return {};
    HostCounters::Process process;
    process.name = text.substr(open + 1, close - open - 1);
    std::istringstream words(text.substr(close + 1));
    std::string skipped;
    words >> skipped >> process.parent;
    for (int word = 5; word < 14; ++word) words >> skipped;
    double user = 0, system = 0;
    if (!(words >> user >> system)) return {};
    process.processor = tick * (user + system);
    return process;
}

}  // namespace

HostCounters HostCounters::now(const CpuSet& cpus) {
    const double tick = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
    HostCounters counters;
    counters.time = parallel::now();
    count_cpus(cpus, tick, counters);
    std::ifstream("/proc/loadavg") >> counters.load;
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), &::closedir);
    if (!folder) return counters;
    while (const dirent* entry = ::readdir(folder.get())) {
        const std::string id = entry->d_name;
        if (id.find_first_not_of("0123456789") != std::string::npos) continue;
        if (const auto process = read_process(id, tick)) counters.processes[std::atoi(id.c_str())] = *process;
    }
    return counters;
}

HostUse use_between(const HostCounters& begin, const HostCounters& end, int cpus, std::span<const int> ranks,
                    double processor) {
    HostUse use;
    use.wall = end.time - begin.time;
    use.cpus = cpus;
    use.busy = end.busy - begin.busy;
    use.idle = end.idle - begin.idle;
    use.stolen = end.stolen - begin.stolen;
    use.load_begin = begin.load;
    use.load_end = end.load;
    use.ours = processor;
    std::set<std::pair<int, std::string>> family;  // parents and names of the ranks
    for (const int rank : ranks)
        if (const auto found = end.processes.find(rank); found != end.processes.end())
            family.emplace(found->second.parent, found->second.name);
    const bool launched = ranks.size() > 1;  // else the parent is a shell, with other children
    for (const auto& [id, process] : end.processes) {
        if (std::ranges::find(ranks, id) != ranks.end()) continue;
        const auto before = begin.processes.find(id);
        const double had =
            process.processor - (before == begin.processes.end() ? 0.0 : before->second.processor);
        if (launched && family.contains({process.parent, process.name})) {
            use.ours += had;
        } else if (had > 0.02 * use.wall) {
            use.others.push_back({process.name, id, had});
        }
    }
    std::ranges::sort(use.others, std::greater(), &Program::processor);
    return use;
}

}  // namespace groundswell::parallel
