#include "groundswell/parallel/cores/core_watch.hpp"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>

#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/thread_core.hpp"
#include "groundswell/parallel/gather.hpp"
#include "groundswell/parallel/machine/container.hpp"
#include "groundswell/parallel/placement.hpp"

namespace groundswell::parallel {

namespace {

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

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

CoreWatch::Counters CoreWatch::Counters::now() {
    Counters counters;
    counters.threads.resize(exec::threads());
    exec::for_each_cell(0, exec::threads(), [&](std::int32_t i) { counters.threads[i] = ThreadTime::now(); });
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    counters.time = parallel::now();
    counters.processor = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    counters.throttled = read_quota().throttled_seconds;
    counters.major_faults = usage.ru_majflt;
    return counters;
}

CoreWatch::CoreWatch(MPI_Comm comm, const LaunchCores& launch)
    : comm_(comm),
      launch_(launch),
      hosts_(gather_texts(comm, host_name())),
      cpus_(gather_texts(comm, to_text(cpus_of_computing_threads()))),
      processes_(gather(launch.machine.get(), static_cast<int>(::getpid()))),
      begin_(Counters::now()),
      queue_is_known_(tells_of_queue()) {
    if (launch.machine.rank() == 0) host_begin_ = HostCounters::now(launch.allowed);
}

RankUse CoreWatch::use_of_this_rank(const Profile& profile, double cells) const {
    const Counters end = Counters::now();
    RankUse use;
    use.rank = rank_of(comm_);
    use.threads = exec::threads();
    use.wall = end.time - begin_.time;
    const Profile::Computing computing = profile.computing();
    use.computing = computing.seconds;
    use.computing_processor = computing.processor_seconds;
    use.even_processor = computing.even_processor_seconds;
    use.cells = cells;
    use.processor = end.processor - begin_.processor;
    use.throttled = end.throttled - begin_.throttled;
    use.major_faults = end.major_faults - begin_.major_faults;
    use.queue_is_known = queue_is_known_;
    for (std::size_t thread = 0; thread < end.threads.size(); ++thread) {
        const ThreadTime spent = end.threads[thread] - begin_.threads[thread];
        use.involuntary += spent.involuntary;
        double& queue = thread == 0 ? use.main_queue : use.worker_queue;
        queue = std::max(queue, spent.queue);
        if (thread > 0 && spent.queue > 0.0)
            use.worker_loss = std::max(use.worker_loss, spent.queue / (spent.queue + spent.processor));
    }
    return use;
}

CoreReport CoreWatch::look(const Profile& profile, double cells) const {
    const RankUse mine = use_of_this_rank(profile, cells);
    CoreReport report;
    report.ranks = gather(comm_, mine);
    const std::vector<RankUse> here = gather(launch_.machine.get(), mine);
    std::vector<Finding> measured;
    if (launch_.machine.rank() == 0) {
        double processor = 0.0;
        for (const RankUse& rank : here) processor += rank.processor;
        report.host = use_between(host_begin_, HostCounters::now(launch_.allowed),
                                  static_cast<int>(launch_.allowed.size()), processes_, processor);
        for (const RankUse& rank : here)
            report.host->throttled = std::max(report.host->throttled, rank.throttled);
        measured = judge_use(launch_.host, *report.host, here, launch_.findings);
    }
    report.findings = gather_findings(comm_, launch_.findings);
    report.of_launch = report.findings.size();
    for (const Finding& one : gather_findings(comm_, measured)) report.findings.push_back(one);
    if (!explains_losses(report.findings))
        for (const Finding& one : judge_speed(report.ranks, hosts_)) report.findings.push_back(one);
    return report;
}

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
